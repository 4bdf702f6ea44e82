//! The text of `test000001.<kind>.err`, in KLEE's manner, and its way back: replay reads there what Osier said.

use std::fmt::Write;

use osier_exec::outcome::{Fault, Kind, Note, Place};

/// The file's whole text. One fact a line, so that what is written can be read again.
pub fn error_text(fault: &Fault) -> String {
    let Fault { kind, message, place, notes, stack } = fault;
    let mut text = format!("Error: {kind}: {}\n", one_line(message));
    if place.line != 0 {
        let Place { file, line, column, function: _ } = place;
        text += &format!("File: {}\nLine: {line}\nColumn: {column}\n", one_line(file));
    }
    let _ = writeln!(text, "Function: {}", one_line(&place.function));
    text += "Stack:\n";
    for (depth, frame) in stack.iter().enumerate() {
        let _ = writeln!(text, "\t#{depth} in {}", place_text(frame));
    }
    if !notes.is_empty() {
        text += "Notes:\n";
        for Note { text: note, place } in notes {
            match place {
                Some(place) => {
                    let _ = writeln!(text, "\t{}: in {}", one_line(note), place_text(place));
                }
                None => {
                    let _ = writeln!(text, "\t{}", one_line(note));
                }
            }
        }
    }
    text
}

/// Reads `error_text`'s output. Notes come back as text only: they explain, nothing is decided by them.
pub fn parse_error_text(text: &str) -> Option<Fault> {
    let (kind, message) = text.lines().next()?.strip_prefix("Error: ")?.split_once(": ")?;
    let mut fault = Fault {
        kind: Kind::from_name(kind)?,
        message: message.to_owned(),
        place: Place::default(),
        notes: Vec::new(),
        stack: Vec::new(),
    };
    let mut in_notes = false;
    for line in text.lines().skip(1) {
        if let Some(indented) = line.strip_prefix('\t') {
            if in_notes {
                fault.notes.push(Note { text: indented.to_owned(), place: None });
            } else if let Some((_, frame)) = indented.split_once(" in ") {
                fault.stack.push(parse_place(frame));
            }
        } else if let Some((key, value)) = line.split_once(':') {
            let value = value.trim_start();
            match key {
                "File" => fault.place.file = value.to_owned(),
                "Line" => fault.place.line = value.parse().ok()?,
                "Column" => fault.place.column = value.parse().ok()?,
                "Function" => fault.place.function = value.to_owned(),
                "Notes" => in_notes = true,
                _ => {}
            }
        }
    }
    Some(fault)
}

fn place_text(place: &Place) -> String {
    let Place { file, line, column, function } = place;
    match line {
        0 => one_line(function),
        _ => format!("{} at {}:{line}:{column}", one_line(function), one_line(file)),
    }
}

fn parse_place(text: &str) -> Place {
    let known = || {
        let (function, rest) = text.split_once(" at ")?;
        let (rest, column) = rest.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(Place {
            file: file.to_owned(),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
            function: function.to_owned(),
        })
    };
    known().unwrap_or_else(|| Place { function: text.to_owned(), ..Place::default() })
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(function: &str, line: u32) -> Place {
        Place { file: "dir at x/a.c".into(), line, column: 7, function: function.into() }
    }

    #[test]
    fn the_text_reads_back() {
        let fault = Fault {
            kind: Kind::OutOfBounds,
            message: "write of 1 byte,\n1 past the end of buf (4 bytes)".into(),
            place: place("f", 12),
            notes: vec![Note { text: "allocated here".into(), place: Some(place("main", 3)) }],
            stack: vec![place("f", 12), place("main", 30), Place { function: "_start".into(), ..Place::default() }],
        };
        let text = error_text(&fault);
        assert_eq!(
            text,
            "Error: out-of-bounds: write of 1 byte, 1 past the end of buf (4 bytes)\n\
             File: dir at x/a.c\nLine: 12\nColumn: 7\nFunction: f\nStack:\n\
             \t#0 in f at dir at x/a.c:12:7\n\t#1 in main at dir at x/a.c:30:7\n\t#2 in _start\n\
             Notes:\n\tallocated here: in main at dir at x/a.c:3:7\n"
        );
        let read = parse_error_text(&text).unwrap();
        assert_eq!((read.kind, &read.place), (fault.kind, &fault.place));
        assert_eq!(read.stack[1].line, 30);
        assert_eq!(read.stack[2], fault.stack[2]);
        assert_eq!(read.notes.len(), 1);
    }

    #[test]
    fn another_tools_file_is_no_fault_of_ours() {
        assert_eq!(parse_error_text("Error: memory error: out of bound pointer\nFile: a.c\n"), None);
        assert_eq!(parse_error_text(""), None);
    }
}
