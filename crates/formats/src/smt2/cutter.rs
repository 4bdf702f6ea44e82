//! Where commands end in a text that is still coming in.

use crate::position::Position;

/// Follows a script as it comes in, and tells up to where its commands are complete. It looks at brackets, quotes and
/// comments only.
#[derive(Debug)]
pub struct Cutter {
    inside: Inside,
    depth: u64,
    /// Where the text that was looked at ends.
    at: Position,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    Nothing,
    Comment,
    Symbol,
    Text,
}

impl Default for Cutter {
    fn default() -> Self {
        Cutter { inside: Inside::Nothing, depth: 0, at: Position::START }
    }
}

impl Cutter {
    /// Looks at more of the script. If a command ends in it: how many bytes of `more` belong to commands that are
    /// complete, and the place in the script after them.
    pub fn look(&mut self, more: &str) -> Option<(usize, Position)> {
        let mut end = None;
        for (offset, c) in more.char_indices() {
            if c == '\n' {
                self.at = Position { line: self.at.line.saturating_add(1), column: 1 };
            } else {
                self.at.column = self.at.column.saturating_add(1);
            }
            match (self.inside, c) {
                (Inside::Comment, '\n') | (Inside::Symbol, '|') | (Inside::Text, '"') => self.inside = Inside::Nothing,
                (Inside::Comment | Inside::Symbol | Inside::Text, _) => {}
                (Inside::Nothing, ';') => self.inside = Inside::Comment,
                (Inside::Nothing, '|') => self.inside = Inside::Symbol,
                (Inside::Nothing, '"') => self.inside = Inside::Text,
                (Inside::Nothing, '(') => self.depth += 1,
                (Inside::Nothing, ')') => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        end = Some((offset + 1, self.at));
                    }
                }
                (Inside::Nothing, _) => {}
            }
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_end_where_their_brackets_close() {
        let mut cutter = Cutter::default();
        assert_eq!(cutter.look("(assert |a)|"), None);
        assert_eq!(cutter.look(" \")\""), None);
        assert_eq!(cutter.look("; )\n"), None);
        assert_eq!(cutter.look(" )(check"), Some((2, Position { line: 2, column: 3 })));
        assert_eq!(cutter.look("-sat)"), Some((5, Position { line: 2, column: 14 })));
        assert_eq!(cutter.look(")"), Some((1, Position { line: 2, column: 15 })));
    }
}
