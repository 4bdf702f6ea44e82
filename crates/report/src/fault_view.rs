//! An error for a person: what, where in the source, where the object came from, with which input, and how to see it again.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use osier_exec::outcome::{Fault, Input, Kind, Place};

use crate::show::value_line;

/// Renders one error in rustc's manner. `read_source` gives a file's text, or none if it cannot be had; `reproduce` is
/// the command that shows the error again, if there is one.
pub fn render_fault(
    fault: &Fault,
    inputs: &[Input],
    reproduce: Option<&str>,
    colour: bool,
    read_source: &dyn Fn(&str) -> Option<String>,
) -> String {
    let level = if fault.kind == Kind::Unsupported { Level::WARNING } else { Level::ERROR };
    let title = level.primary_title(fault.message.as_str()).id(fault.kind.name());
    let mut report = vec![at_place(Group::with_title(title), &fault.place, read_source)];
    for note in &fault.notes {
        let group = Group::with_title(Level::NOTE.secondary_title(note.text.as_str()));
        report.push(match &note.place {
            Some(place) => at_place(group, place, read_source),
            None => group,
        });
    }
    if fault.kind == Kind::Unsupported {
        report.push(Group::with_title(Level::NOTE.secondary_title("a limit of Osier, not a bug in the program")));
    }
    // The innermost frame is the place itself: a stack of one says nothing new.
    if fault.stack.len() > 1 {
        let frames = fault.stack.iter().enumerate().map(|(depth, frame)| frame_line(depth, frame));
        report.push(Group::with_title(Level::NOTE.secondary_title(listing("the stack, innermost call first", frames))));
    }
    if !inputs.is_empty() {
        let values = inputs.iter().map(value_line);
        report.push(Group::with_title(Level::NOTE.secondary_title(listing("it happens with this input", values))));
    }
    if let Some(command) = reproduce {
        report.push(Group::with_title(Level::HELP.secondary_title(format!("to see it again: {command}"))));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.render(&report);
    text.push('\n');
    text
}

fn listing(title: &str, lines: impl Iterator<Item = String>) -> String {
    lines.fold(title.to_owned(), |text, line| text + "\n  " + &line)
}

fn frame_line(depth: usize, frame: &Place) -> String {
    match frame.line {
        0 => format!("#{depth} {}", frame.function),
        line => format!("#{depth} {} at {}:{line}", frame.function, frame.file),
    }
}

/// Adds the source line with a caret; without the source, the place alone; without a place, the function.
fn at_place<'a>(group: Group<'a>, place: &'a Place, read_source: &dyn Fn(&str) -> Option<String>) -> Group<'a> {
    if place.line == 0 {
        return match place.function.as_str() {
            "" => group,
            function => group.element(Level::NOTE.message(format!("in function `{function}`"))),
        };
    }
    let line = read_source(&place.file)
        .and_then(|source| source.lines().nth(place.line as usize - 1).map(str::to_owned))
        .filter(|line| !line.trim().is_empty());
    match line {
        Some(line) => {
            let span = caret(&line, place.column);
            group.element(
                Snippet::source(line)
                    .line_start(place.line as usize)
                    .path(place.file.as_str())
                    .annotation(AnnotationKind::Primary.span(span)),
            )
        }
        None => {
            let origin = Origin::path(place.file.as_str()).line(place.line as usize);
            group.element(if place.column == 0 { origin } else { origin.char_column(place.column as usize) })
        }
    }
}

/// The bytes of the line to point at: the character at the column, which counts bytes from 1 as clang does, or the whole
/// line if there is no such column.
fn caret(line: &str, column: u32) -> std::ops::Range<usize> {
    let start = (column as usize).wrapping_sub(1);
    match line.get(start..).and_then(|rest| rest.chars().next()) {
        Some(first) => start..start + first.len_utf8(),
        None => line.len() - line.trim_start().len()..line.trim_end().len(),
    }
}

#[cfg(test)]
mod tests {
    use osier_exec::outcome::Note;

    use super::*;

    const SOURCE: &str = "#include <stdlib.h>\nint main(void) {\n\tchar *buf = malloc(4);\n    buf[i] = 0;\n}\n";

    fn place(function: &str, line: u32, column: u32) -> Place {
        Place { file: "a.c".into(), line, column, function: function.into() }
    }

    fn fault() -> Fault {
        Fault {
            kind: Kind::OutOfBounds,
            message: "write of 1 byte, 1 past the end of buf (4 bytes)".into(),
            place: place("store", 4, 5),
            notes: vec![Note { text: "allocated here".into(), place: Some(place("main", 3, 14)) }],
            stack: vec![place("store", 4, 5), place("main", 40, 1)],
        }
    }

    fn source(file: &str) -> Option<String> {
        (file == "a.c").then(|| SOURCE.to_owned())
    }

    #[test]
    fn everything_is_in_it() {
        let inputs = [Input { name: "i".into(), bytes: vec![4, 0, 0, 0] }];
        let text = render_fault(&fault(), &inputs, Some("osier replay a.c test000001.ktest"), false, &source);
        let expected = "\
error[out-of-bounds]: write of 1 byte, 1 past the end of buf (4 bytes)
 --> a.c:4:5
  |
4 |     buf[i] = 0;
  |     ^
  |
note: allocated here
 --> a.c:3:14
  |
3 |     char *buf = malloc(4);
  |                 ^
note: the stack, innermost call first
        #0 store at a.c:4
        #1 main at a.c:40
note: it happens with this input
        i = 4 \"\\x04\\x00\\x00\\x00\"
help: to see it again: osier replay a.c test000001.ktest
";
        assert_eq!(text, expected);
    }

    #[test]
    fn colour_only_if_asked_for() {
        assert!(!render_fault(&fault(), &[], None, false, &source).contains('\x1b'));
        assert!(render_fault(&fault(), &[], None, true, &source).contains('\x1b'));
    }

    #[test]
    fn a_missing_source_leaves_the_place() {
        let text = render_fault(&fault(), &[], None, false, &|_| None);
        assert!(text.contains("--> a.c:4:5"), "{text}");
        let nowhere = Fault { place: Place { function: "f".into(), ..Place::default() }, ..fault() };
        assert!(render_fault(&nowhere, &[], None, false, &source).contains("in function `f`"));
    }

    #[test]
    fn no_column_breaks_the_caret() {
        for line in ["", "  x", "é = 1;", "\tüü"] {
            for column in 0..12 {
                let span = caret(line, column);
                assert!(line.get(span).is_some(), "{line:?} at {column}");
            }
        }
        assert_eq!(caret("  buf ", 0), 2..5);
        assert_eq!(caret("  buf ", 99), 2..5);
    }

    #[test]
    fn a_limit_of_osier_is_a_warning() {
        let limit = Fault { kind: Kind::Unsupported, notes: vec![], stack: vec![], ..fault() };
        let text = render_fault(&limit, &[], None, false, &source);
        assert!(text.starts_with("warning[unsupported]") && text.contains("not a bug in the program"), "{text}");
    }
}
