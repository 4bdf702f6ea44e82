//! Abstract objects, locations in them, and the nodes that stand for what lies there.
//!
//! A single offset has one node for its contents. A strided span has two: stores through it go to a *written* node, which
//! flows into every single offset that the span covers, and loads through it come from a *read* node, into which these
//! flow. So a store to `a[i]` is seen by a load of `a[3]`, and a store to `a[3]` by a load of `a[i]`, and `a[3]` and
//! `a[4]` stay apart.

use crate::ObjectId;
use crate::bits::Bits;
use crate::graph::{Graph, Use};
use crate::result::Object;
use crate::shift::{Shift, Span, gcd};
use osier_base::EntityVec;
use rustc_hash::{FxHashMap, FxHashSet};

/// An object with more offsets, or more strided spans, than this gets no more: further pointers into it point to all of
/// it.
const MOST_SINGLES: usize = 256;
const MOST_STRIDED: usize = 12;
const MOST_BYTES: usize = 2;

/// Copies what lies in one object to another, and goes on doing so as more comes to lie there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mirror {
    from: Span,
    len: Option<u64>,
    to: ObjectId,
    at: Span,
}

#[derive(Default)]
struct Contents {
    singles: FxHashSet<Span>,
    strided: FxHashSet<Span>,
    bytes: FxHashSet<Span>,
    fields: Vec<(i32, u32)>,
    written: Vec<(Span, u32)>,
    read: Vec<(Span, u32)>,
    mirrors: Vec<Mirror>,
    /// The places where pointers lie, for mirrors.
    held: Vec<(Span, u32)>,
}

#[derive(Default)]
pub struct Objects {
    pub objects: EntityVec<ObjectId, Object>,
    contents: Vec<Contents>,
    /// By the number that stands in sets.
    pub locations: Vec<(ObjectId, Span)>,
    numbers: FxHashMap<(ObjectId, Span), u32>,
    /// By the number of a location, that of the whole object it lies in, as far as anybody has asked.
    wholes: Vec<Option<u32>>,
}

impl Objects {
    pub fn add(&mut self, object: Object) -> ObjectId {
        self.contents.push(Contents::default());
        self.objects.push(object)
    }

    /// The number of a location; none if it lies outside its object.
    pub fn location(&mut self, object: ObjectId, span: Span) -> Option<u32> {
        let span = self.within(object, span)?;
        if let Some(&number) = self.numbers.get(&(object, span)) {
            return Some(number);
        }
        let span = self.bounded(object, span);
        let next = self.locations.len() as u32;
        let number = *self.numbers.entry((object, span)).or_insert(next);
        if number == next {
            self.locations.push((object, span));
        }
        Some(number)
    }

    /// The whole of each object that has a location among these.
    pub fn whole(&mut self, locations: &Bits) -> Bits {
        let mut whole: Vec<u32> = locations.iter().filter_map(|location| self.whole_of(location)).collect();
        whole.sort_unstable();
        whole.dedup();
        whole.into_iter().collect()
    }

    fn whole_of(&mut self, location: u32) -> Option<u32> {
        let at = location as usize;
        if let Some(&Some(known)) = self.wholes.get(at) {
            return Some(known);
        }
        let whole = self.location(self.locations[at].0, Span::WHOLE)?;
        self.wholes.resize(self.wholes.len().max(at + 1), None);
        self.wholes[at] = Some(whole);
        Some(whole)
    }

    /// The span itself, or the whole object if it has too many spans already.
    fn bounded(&mut self, object: ObjectId, span: Span) -> Span {
        let contents = &mut self.contents[object.0 as usize];
        let (spans, most) = match span.stride {
            0 => (&mut contents.singles, MOST_SINGLES),
            1 => (&mut contents.bytes, MOST_BYTES),
            _ => (&mut contents.strided, MOST_STRIDED),
        };
        if !spans.contains(&span) {
            if spans.len() >= most {
                return Span::WHOLE;
            }
            spans.insert(span);
        }
        span
    }

    /// A span as it lies in an object: one past the end is still a pointer to it, further is not; a span that covers
    /// one offset of it is that offset.
    fn within(&self, object: ObjectId, span: Span) -> Option<Span> {
        let Object { kind, size, context: _ } = &self.objects[object];
        if !kind.may_hold_pointers() {
            return Some(Span::exact(0));
        }
        // A single odd offset is one of text, which has many of them.
        let span = if span.stride == 0 && span.start % 4 != 0 {
            Span { start: (span.start & !7).max(0), stride: 1 }
        } else {
            span
        };
        let Some(size) = *size else { return Some(span) };
        if i64::from(span.start) > size as i64 {
            return None;
        }
        let single = span.stride > 1 && i64::from(span.start) + i64::from(span.stride) >= size as i64;
        Some(if single { Span::exact(span.start) } else { span })
    }

    pub fn moved(&mut self, location: u32, offset: i64) -> Option<(ObjectId, Span)> {
        let (object, span) = self.locations[location as usize];
        let moved = Shift::By { offset, stride: 0 }.apply(span)?;
        let within = self.within(object, moved)?;
        Some((object, self.bounded(object, within)))
    }

    /// The node of what a load from there may find.
    pub fn read_node(&mut self, graph: &mut Graph, object: ObjectId, span: Span) -> Option<u32> {
        if !self.objects[object].kind.may_hold_pointers() {
            return None;
        }
        if span.stride == 0 {
            return Some(self.field(graph, object, span.start));
        }
        let contents = &mut self.contents[object.0 as usize];
        if let Some(&(_, node)) = contents.read.iter().find(|&&(other, _)| other == span) {
            return Some(node);
        }
        let node = graph.node();
        contents.read.push((span, node));
        for &(offset, field) in contents.fields.iter().filter(|&&(offset, _)| span.covers(offset)) {
            debug_assert!(span.covers(offset));
            graph.copy(field, node);
        }
        for &(other, written) in &contents.written {
            if other.meets(span) {
                graph.copy(written, node);
            }
        }
        Some(node)
    }

    /// The node of what a store to there sets.
    pub fn write_node(&mut self, graph: &mut Graph, object: ObjectId, span: Span) -> Option<u32> {
        if !self.objects[object].kind.may_hold_pointers() {
            return None;
        }
        if span.stride == 0 {
            return Some(self.field(graph, object, span.start));
        }
        let contents = &mut self.contents[object.0 as usize];
        if let Some(&(_, node)) = contents.written.iter().find(|&&(other, _)| other == span) {
            return Some(node);
        }
        let node = graph.node();
        contents.written.push((span, node));
        for &(offset, field) in &contents.fields {
            if span.covers(offset) {
                graph.copy(node, field);
            }
        }
        for &(other, read) in &contents.read {
            if other.meets(span) {
                graph.copy(node, read);
            }
        }
        graph.add_use(node, Use::Held { object, span });
        Some(node)
    }

    fn field(&mut self, graph: &mut Graph, object: ObjectId, offset: i32) -> u32 {
        let contents = &mut self.contents[object.0 as usize];
        let place = contents.fields.binary_search_by_key(&offset, |&(offset, _)| offset);
        let place = match place {
            Ok(place) => return contents.fields[place].1,
            Err(place) => place,
        };
        let node = graph.node();
        contents.fields.insert(place, (offset, node));
        for &(span, written) in &contents.written {
            if span.covers(offset) {
                graph.copy(written, node);
            }
        }
        for &(span, read) in &contents.read {
            if span.covers(offset) {
                graph.copy(node, read);
            }
        }
        graph.add_use(node, Use::Held { object, span: Span::exact(offset) });
        node
    }

    /// From now on, what lies in `from` of one object also lies at `at` of the other.
    pub fn mirror(
        &mut self,
        graph: &mut Graph,
        (object, from): (ObjectId, Span),
        len: Option<u64>,
        (to, at): (ObjectId, Span),
    ) {
        let mirror = Mirror { from, len, to, at };
        let holds = self.objects[object].kind.may_hold_pointers() && self.objects[to].kind.may_hold_pointers();
        let contents = &mut self.contents[object.0 as usize];
        if !holds || contents.mirrors.contains(&mirror) {
            return;
        }
        contents.mirrors.push(mirror);
        for place in 0..contents.held.len() {
            let (span, node) = self.contents[object.0 as usize].held[place];
            self.project(graph, &mirror, span, node);
        }
    }

    /// Something has come to lie at a place: it appears in all mirrors of the object.
    pub fn hold(&mut self, graph: &mut Graph, object: ObjectId, span: Span) {
        let contents = &mut self.contents[object.0 as usize];
        if contents.held.iter().any(|&(known, _)| known == span) {
            return;
        }
        let Some(node) = self.write_node(graph, object, span) else { return };
        let contents = &mut self.contents[object.0 as usize];
        contents.held.push((span, node));
        for place in 0..contents.mirrors.len() {
            let mirror = self.contents[object.0 as usize].mirrors[place];
            self.project(graph, &mirror, span, node);
        }
    }

    fn project(&mut self, graph: &mut Graph, mirror: &Mirror, span: Span, node: u32) {
        let Some(place) = mirror.image(span) else { return };
        let Some(target) = mirror.at.plus(place).and_then(|target| self.within(mirror.to, target)) else { return };
        let target = self.bounded(mirror.to, target);
        if let Some(into) = self.write_node(graph, mirror.to, target) {
            graph.copy(node, into);
        }
    }
}

impl Mirror {
    /// Where in the copied range a place of the source comes to lie; nowhere if the range ends before it.
    fn image(&self, place: Span) -> Option<Span> {
        let len = self.len.map_or(i64::MAX, |len| i64::try_from(len).unwrap_or(i64::MAX));
        let distance = i64::from(place.start) - i64::from(self.from.start);
        let (start, stride) = match (self.from.stride, place.stride) {
            (0, 0) => (distance, 0),
            (0, stride) => (if distance < 0 { distance.rem_euclid(i64::from(stride)) } else { distance }, stride),
            // One element of an array, if the range is no longer than that; else any.
            (from, place) => {
                let stride = gcd(from, place);
                (distance.rem_euclid(i64::from(stride)), stride)
            }
        };
        if start < 0 || start >= len {
            return None;
        }
        let single = stride > 0 && start.saturating_add(i64::from(stride)) >= len;
        let start = i32::try_from(start).ok()?;
        Some(if single { Span::exact(start) } else { Span { start, stride } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mirror(from: Span, len: Option<u64>) -> Mirror {
        Mirror { from, len, to: ObjectId(0), at: Span::exact(0) }
    }

    #[test]
    fn a_range_moves_what_lies_in_it_and_nothing_else() {
        let range = mirror(Span::exact(8), Some(16));
        assert_eq!(range.image(Span::exact(8)), Some(Span::exact(0)));
        assert_eq!(range.image(Span::exact(16)), Some(Span::exact(8)));
        assert_eq!(range.image(Span::exact(24)), None);
        assert_eq!(range.image(Span::exact(0)), None);
        assert_eq!(range.image(Span { start: 0, stride: 8 }), Some(Span { start: 0, stride: 8 }));
    }

    #[test]
    fn one_element_of_an_array_is_copied_field_by_field() {
        let element = mirror(Span { start: 0, stride: 24 }, Some(24));
        assert_eq!(element.image(Span::exact(32)), Some(Span::exact(8)));
        assert_eq!(element.image(Span { start: 16, stride: 24 }), Some(Span::exact(16)));
        let tail = mirror(Span { start: 0, stride: 24 }, None);
        assert_eq!(tail.image(Span::exact(32)), Some(Span { start: 8, stride: 24 }));
    }
}
