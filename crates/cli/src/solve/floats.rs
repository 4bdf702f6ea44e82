//! Scripts with floating point, which our terms do not have: they go as text to a solver that has it.

use super::Run;
use super::commands::{Piece, pieces};
use crate::console::line;
use crate::failure::Failure;
use osier::Dialogue;
use osier::solver::formats::smt2::{Response, response};
use osier::solver::formats::{ParseError, Position};
use std::time::Instant;

/// What the last question came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Nothing,
    Sat,
    Unsat,
    Unknown,
}

/// How far a text was answered.
pub enum Answered {
    All,
    /// Up to a command that forgets everything, which is not answered.
    UpToReset {
        offset: usize,
        at: Position,
    },
    /// The script is over.
    Exit,
}

/// The rest of a script, up to its end or until all is forgotten.
pub struct Floats {
    name: String,
    interactive: bool,
    /// Nothing if nobody can answer. That was told.
    solver: Option<Dialogue>,
    last: Last,
    /// The last question, as long as it can be asked again with the same answer.
    question: Option<String>,
    why_unknown: String,
    /// Something that was asserted could not be read.
    incomplete: bool,
    expected: Option<String>,
    print_success: bool,
}

impl Floats {
    /// The script has floating point from here on; `before` is what it said until now.
    pub fn begin(run: &mut Run, name: &str, interactive: bool, before: &str, at: Position) -> Result<Self, Failure> {
        let message = match run.translates() {
            true => Err("floating point cannot be translated".to_owned()),
            false => Ok(()),
        };
        let solver = message.and_then(|()| run.asker.script_solver());
        let mut floats = Floats {
            name: name.to_owned(),
            interactive,
            solver: None,
            last: Last::Nothing,
            question: None,
            why_unknown: "the solver does not have floating point".to_owned(),
            incomplete: false,
            expected: None,
            print_success: false,
        };
        match solver {
            Ok(solver) => floats.solver = Some(solver),
            Err(message) => floats.complain(run, at, message)?,
        }
        let commands: Vec<Piece> = pieces(before, Position::START).collect();
        let start = commands.iter().rposition(|command| command.name() == "reset").map_or(0, |reset| reset + 1);
        for command in &commands[start..] {
            floats.remember(run, command)?;
        }
        Ok(floats)
    }

    /// Answers the next part of the script.
    pub fn answer(&mut self, run: &mut Run, text: &str, at: Position) -> Result<Answered, Failure> {
        for command in pieces(text, at) {
            match command.name() {
                "reset" => return Ok(Answered::UpToReset { offset: command.offset, at: command.at }),
                "exit" => return Ok(Answered::Exit),
                "check-sat" | "check-sat-assuming" => self.check(run, &command)?,
                _ if self.solver.is_none() => {}
                "get-model" | "get-value" if self.last != Last::Sat => {
                    self.refuse(
                        command.at,
                        "there is no model: the last answer was not sat, or something changed since",
                    )?;
                }
                "get-unsat-core" | "get-unsat-assumptions" if self.last != Last::Unsat => {
                    self.refuse(command.at, "the last answer was not unsat, or something changed since")?;
                }
                // Not all put it into quotes.
                "echo" => line(command.text.trim_start_matches("(echo").trim_end_matches(')').trim())?,
                "get-info" => self.get_info(command.argument())?,
                "get-option" | "get-assertions" | "get-assignment" => line("unsupported")?,
                "set-info" | "set-option" => self.set(run, &command)?,
                _ => {
                    self.tell(run, &command)?;
                }
            }
            if run.asker.interrupted() {
                return Ok(Answered::Exit);
            }
        }
        Ok(Answered::All)
    }

    /// A command that was answered before there was floating point: only its effect counts.
    fn remember(&mut self, run: &mut Run, command: &Piece) -> Result<(), Failure> {
        let text = match (command.name(), command.argument()) {
            ("set-info", ":status") => {
                self.expected = command.words().nth(2).map(str::to_owned);
                return Ok(());
            }
            ("set-option", ":print-success") => {
                self.print_success = command.words().nth(2) == Some("true");
                return Ok(());
            }
            // It did not count on floating point, but there it is.
            ("set-logic", _) => "(set-logic ALL)",
            ("check-sat" | "check-sat-assuming" | "echo" | "set-option", _) => return Ok(()),
            (name, _) if name.starts_with("get-") => return Ok(()),
            (_, _) => command.text,
        };
        if let Some(solver) = &mut self.solver {
            // What is wrong with it was told when it was answered.
            let heard = run.asker.busy(|| solver.say(text, None));
            match heard {
                Ok(said) if errors(&said).is_empty() => solver.keep(text),
                Ok(_) | Err(_) => self.incomplete |= command.name() == "assert",
            }
        }
        Ok(())
    }

    fn complain(&self, run: &mut Run, at: Position, message: String) -> Result<(), Failure> {
        let error = ParseError { at, message };
        run.complain(&self.name, &error);
        if self.interactive {
            line(format_args!("(error \"{}\")", error.to_string().replace('"', "\"\"")))?;
        }
        Ok(())
    }

    fn placed(&self, command: &Piece, message: &str) -> (Position, String) {
        placed(command.at, self.solver.as_ref().map_or(1, |solver| solver.first_line), message)
    }

    fn refuse(&self, at: Position, message: &str) -> Result<(), Failure> {
        eprintln!("error: {}:{at}: {message}", self.name);
        line(format_args!("(error \"{at}: {message}\")"))
    }

    fn succeed(&self) -> Result<(), Failure> {
        if self.print_success { line("success") } else { Ok(()) }
    }

    fn get_info(&self, info: &str) -> Result<(), Failure> {
        match info {
            ":name" => line("(:name \"Osier\")"),
            ":version" => line(concat!("(:version \"", env!("CARGO_PKG_VERSION"), "\")")),
            ":error-behavior" => line("(:error-behavior continued-execution)"),
            ":reason-unknown" if self.last == Last::Unknown => {
                line(format_args!("(:reason-unknown \"{}\")", self.why_unknown.replace('"', "\"\"")))
            }
            _ => line("unsupported"),
        }
    }

    /// What is set for us stays here, and no script writes files.
    fn set(&mut self, run: &mut Run, command: &Piece) -> Result<(), Failure> {
        let value = command.words().nth(2).unwrap_or_default();
        match (command.name(), command.argument()) {
            ("set-info", ":status") => self.expected = Some(value.to_owned()),
            ("set-info", _) => {}
            ("set-option", ":print-success") => self.print_success = value == "true",
            ("set-option", ":produce-models" | ":produce-unsat-assumptions") => {}
            ("set-option", ":produce-unsat-cores" | ":global-declarations") => {
                return self.tell(run, command).map(drop);
            }
            (_, _) => return line("unsupported"),
        }
        self.succeed()
    }

    /// Hands a command on and says what is said to it. True if it was followed.
    fn tell(&mut self, run: &mut Run, command: &Piece) -> Result<bool, Failure> {
        let changes = !command.name().starts_with("get-");
        let Some(solver) = &mut self.solver else { return Ok(false) };
        let timeout = run.asker.timeout();
        let heard = run.asker.busy(|| solver.say(command.text, timeout));
        let (said, errors) = match heard {
            Ok(said) => {
                let errors = errors(&said);
                (said, errors)
            }
            Err(reason) => (String::new(), vec![format!("no answer: {reason}")]),
        };
        let followed = errors.is_empty();
        for message in errors {
            let (at, message) = self.placed(command, &message);
            self.complain(run, at, message)?;
        }
        if !followed {
            self.incomplete |= command.name() == "assert";
            self.ask_again(run);
            return Ok(false);
        }
        if changes {
            if let Some(solver) = &mut self.solver {
                solver.keep(command.text);
            }
            (self.last, self.question) = (Last::Nothing, None);
            self.succeed()?;
        }
        if !said.is_empty() {
            line(said)?;
        }
        Ok(true)
    }

    /// A solver that could not go on was started again, and does not know what it had answered.
    fn ask_again(&mut self, run: &mut Run) {
        if let (Some(question), Some(solver)) = (&self.question, &mut self.solver) {
            let timeout = run.asker.timeout();
            if run.asker.busy(|| solver.say(question, timeout)).is_err() {
                (self.last, self.question) = (Last::Nothing, None);
            }
        }
    }

    fn check(&mut self, run: &mut Run, command: &Piece) -> Result<(), Failure> {
        run.questions += 1;
        if run.translates() {
            return Ok(());
        }
        let expected = self.expected.take();
        self.question = None;
        let start = Instant::now();
        let mut refused = vec![];
        let found = match &mut self.solver {
            None => Err(self.why_unknown.clone()),
            Some(_) if self.incomplete => Err("something that is asserted could not be read".to_owned()),
            Some(solver) => {
                let timeout = run.asker.timeout();
                match run.asker.busy(|| solver.say(command.text, timeout)) {
                    Ok(said) => {
                        refused = errors(&said);
                        verdict(&said)
                    }
                    Err(reason) => Err(reason.to_string()),
                }
            }
        };
        let (last, said) = match &found {
            Ok(true) => (Last::Sat, "sat"),
            Ok(false) => (Last::Unsat, "unsat"),
            Err(_) => (Last::Unknown, "unknown"),
        };
        self.last = last;
        run.asker.count_script(start.elapsed(), found.as_ref().ok().copied());
        for message in &refused {
            let (at, message) = self.placed(command, message);
            self.complain(run, at, message)?;
        }
        match found {
            Err(why) => {
                run.all_answered = false;
                if refused.is_empty() && self.solver.is_some() {
                    eprintln!("warning: {}:{}: no answer: {why}", self.name, command.at);
                }
                self.why_unknown = why;
            }
            Ok(_) => {
                self.question = Some(command.text.to_owned());
                if let Some(expected @ ("sat" | "unsat")) = expected.as_deref()
                    && expected != said
                {
                    run.all_answered = false;
                    let (name, at) = (&self.name, command.at);
                    eprintln!("error: {name}:{at}: the answer is {said}, but the script says that it is {expected}");
                }
            }
        }
        line(said)
    }
}

/// The complaints among what a solver said.
fn errors(said: &str) -> Vec<String> {
    let mut rest = format!("{said}\n");
    let mut errors = vec![];
    while let Some((length, response)) = response(rest.as_bytes()) {
        if let Response::Error(message) = response {
            errors.push(message);
        }
        rest.drain(..length);
    }
    errors
}

/// The answer among what a solver said: satisfiable or not.
fn verdict(said: &str) -> Result<bool, String> {
    match said.lines().next_back().map(str::trim) {
        Some("sat") => Ok(true),
        Some("unsat") => Ok(false),
        Some("unknown") => Err("the solver answered \"unknown\"".to_owned()),
        Some(_) | None => Err("the solver did not answer".to_owned()),
    }
}

/// A message that begins with line and column in all that the solver was sent, at its place in the script; others are
/// about the command. `first_line` is where that began.
fn placed(command: Position, first_line: u32, message: &str) -> (Position, String) {
    let numbers = message.strip_prefix("line ").map_or(message, |rest| rest);
    let Some((place, rest)) = numbers.split_once(": ") else { return (command, message.to_owned()) };
    let place = place.split_once(" column ").or_else(|| place.split_once(':'));
    let place = place.and_then(|(line, column)| Some((line.parse::<u32>().ok()?, column.parse::<u32>().ok()?)));
    let Some((line, column)) = place else { return (command, message.to_owned()) };
    let before = line.saturating_sub(first_line);
    let column = if before == 0 { command.column + column.saturating_sub(1) } else { column };
    (Position { line: command.line + before, column }, rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_placed_in_the_script() {
        let command = Position { line: 7, column: 5 };
        let place = |message| placed(command, 11, message);
        assert_eq!(place("11:3: bad: x"), (Position { line: 7, column: 7 }, "bad: x".to_owned()));
        assert_eq!(place("12:3: bad"), (Position { line: 8, column: 3 }, "bad".to_owned()));
        assert_eq!(place("line 12 column 3: bad"), (Position { line: 8, column: 3 }, "bad".to_owned()));
        assert_eq!(place("so: bad"), (command, "so: bad".to_owned()));
    }

    #[test]
    fn answers_are_told_from_complaints() {
        assert_eq!(verdict("success\nsat"), Ok(true));
        assert_eq!(verdict("unsat"), Ok(false));
        assert!(verdict("unknown").is_err() && verdict("").is_err() && verdict("(error \"sat\")").is_err());
        assert_eq!(errors("(error \"a\")\n((x \"(error\"))\n(error \"b\")"), ["a", "b"]);
    }
}
