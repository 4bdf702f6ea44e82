//! What pointers lead to, and the tables that hold them.

use super::Generator;

/// Where an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Heap,
    Stack,
    Global,
    Constant,
}

/// An array of integers.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) ty: &'static str,
    pub(super) length: usize,
    pub(super) kind: Kind,
    pub(super) freed: bool,
}

/// An entry of a table: an object, by its number, and how many elements into it; or null.
pub(super) type Entry = Option<(usize, usize)>;

/// A local array of pointers.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) ty: &'static str,
    pub(super) entries: Vec<Entry>,
}

pub(super) const TYPES: [&str; 4] = ["u8", "u16", "u32", "u64"];

pub(super) fn bytes_of(ty: &str) -> usize {
    match ty {
        "u8" => 1,
        "u16" => 2,
        "u32" => 4,
        "u64" => 8,
        other => unreachable!("{other} is no element type"),
    }
}

impl Generator {
    /// Declares an object, fills it with small numbers and has it in the checksum.
    pub(super) fn object(&mut self, ty: &'static str, kind: Kind) -> usize {
        let length = 3 + self.random.below(6);
        let values: Vec<String> = (0..length).map(|_| self.random.below(8).to_string()).collect();
        let values = values.join(", ");
        let name = match kind {
            Kind::Heap => {
                let name = self.fresh_name("heap_");
                let initial = format!("(const {ty}[]){{{values}}}");
                let allocated = if self.random.coin() {
                    format!("malloc({length} * sizeof({ty}))")
                } else {
                    format!("calloc({length}, sizeof({ty}))")
                };
                self.line(&format!("{ty} *{name} = {allocated};"));
                self.line(&format!("memcpy({name}, {initial}, {length} * sizeof({ty}));"));
                name
            }
            Kind::Stack => {
                let name = self.fresh_name("local_");
                self.line(&format!("{ty} {name}[{length}] = {{{values}}};"));
                name
            }
            Kind::Global | Kind::Constant => {
                let name = self.fresh_name("global_");
                let constant = if kind == Kind::Constant { "const " } else { "" };
                self.globals += &format!("static {constant}{ty} {name}[{length}] = {{{values}}};\n");
                name
            }
        };
        self.line(&format!("track((void *){name}, {length} * sizeof({ty}));"));
        self.objects.push(Object { name, ty, length, kind, freed: false });
        self.objects.len() - 1
    }

    /// Two to four pointers to objects of one type, some into the middle, some to the same object.
    pub(super) fn table(&mut self) {
        let ty = TYPES[self.random.below(TYPES.len())];
        let count = 2 + self.random.below(3);
        let mut entries: Vec<Entry> = Vec::new();
        for _ in 0..count {
            let again = entries.iter().flatten().next().copied().filter(|_| self.random.below(6) == 0);
            let object = match again {
                Some((object, _)) => object,
                None => {
                    let kinds = [Kind::Heap, Kind::Heap, Kind::Stack, Kind::Global];
                    let kind = kinds[self.random.below(kinds.len())];
                    self.object(ty, kind)
                }
            };
            let offset = if self.random.below(3) == 0 { self.random.below(2) } else { 0 };
            entries.push(Some((object, offset)));
        }
        if self.careless {
            match self.random.below(5) {
                0 => entries[0] = None,
                1 => entries[1] = Some((self.object(ty, Kind::Constant), 0)),
                _ => {}
            }
        }
        let name = self.fresh_name("table_");
        let shown: Vec<String> = entries.iter().map(|entry| self.shown(*entry)).collect();
        self.line(&format!("{ty} *{name}[{count}] = {{{}}};", shown.join(", ")));
        self.tables.push(Table { name, ty, entries });
    }

    pub(super) fn shown(&self, entry: Entry) -> String {
        match entry {
            None => "NULL".into(),
            Some((object, offset)) => {
                let Object { name, ty, .. } = &self.objects[object];
                if offset == 0 { format!("({ty} *){name}") } else { format!("({ty} *){name} + {offset}") }
            }
        }
    }

    /// The elements that can be reached through every entry of a table.
    pub(super) fn room(&self, table: &Table) -> usize {
        let rooms = table.entries.iter().flatten().map(|(object, offset)| self.objects[*object].length - offset);
        rooms.min().unwrap_or(1)
    }
}
