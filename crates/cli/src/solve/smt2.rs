//! SMT-LIB scripts, answered command by command.

use super::Run;
use super::commands::{Piece, first_float};
use super::floats::{Answered, Floats};
use super::model::value_in;
use crate::console::line;
use crate::failure::Failure;
use osier::solver::Answer;
use osier::solver::formats::smt2::{Command, DeclaredValue, Session, Sort, Text, symbol_text};
use osier::solver::formats::{ParseError, Position, Question};
use osier::solver::term::{Assignment, Pool, Term};

/// Answers a whole script. The pool goes on to the next file.
pub fn answer(run: &mut Run, name: &str, text: &str, pool: Pool) -> Result<Pool, Failure> {
    let mut solver = Solver::new(name, pool, false);
    solver.answer(run, text, Position::START)?;
    Ok(solver.into_pool())
}

/// What the last question came to. Commands that change what is asserted make it nothing.
enum Last {
    Nothing,
    Sat(Assignment),
    Unsat,
    Unknown(String),
}

#[derive(Default)]
struct Level {
    asserted: Vec<Term>,
    /// The names that assertions have.
    named: Vec<String>,
    declared: Vec<(String, Sort, DeclaredValue)>,
}

/// A script under way.
pub struct Solver {
    name: String,
    /// Whoever asks waits for each response.
    interactive: bool,
    session: Session,
    levels: Vec<Level>,
    last: Last,
    /// The assumptions of the last question.
    assumed: Vec<String>,
    /// The answer that the script expects next.
    expected: Option<String>,
    /// A logic that we do not have: nothing of the script can be answered, and one message says so.
    foreign_logic: bool,
    print_success: bool,
    global_declarations: bool,
    /// What was answered from terms, for a solver that has to know it as text. Whole files need not be kept.
    told: String,
    /// Who answers since there is floating point.
    floats: Option<Floats>,
}

impl Solver {
    pub fn new(name: &str, pool: Pool, interactive: bool) -> Self {
        Solver {
            name: name.to_owned(),
            interactive,
            session: Session::new(pool),
            levels: vec![Level::default()],
            last: Last::Nothing,
            assumed: vec![],
            expected: None,
            foreign_logic: false,
            print_success: false,
            global_declarations: false,
            told: String::new(),
            floats: None,
        }
    }

    pub fn into_pool(self) -> Pool {
        self.session.into_pool()
    }

    /// Answers the next part of the script, which begins at this place. True if the script is over.
    pub fn answer(&mut self, run: &mut Run, text: &str, at: Position) -> Result<bool, Failure> {
        let (mut rest, mut at) = (text, at);
        loop {
            if let Some(floats) = &mut self.floats {
                match floats.answer(run, rest, at)? {
                    Answered::All => return Ok(false),
                    Answered::Exit => return Ok(true),
                    Answered::UpToReset { offset, at: place } => {
                        self.floats = None;
                        self.told.clear();
                        (rest, at) = (&rest[offset..], place);
                    }
                }
            }
            let Some(Piece { offset, at: place, text: _ }) = first_float(rest, at) else {
                if self.interactive {
                    self.told += rest;
                }
                return self.answer_terms(run, rest, at);
            };
            self.told += &rest[..offset];
            if self.answer_terms(run, &rest[..offset], at)? {
                return Ok(true);
            }
            let before = std::mem::take(&mut self.told);
            self.floats = Some(Floats::begin(run, &self.name, self.interactive, &before, place)?);
            (rest, at) = (&rest[offset..], place);
        }
    }

    /// Answers commands that there are terms for.
    fn answer_terms(&mut self, run: &mut Run, text: &str, at: Position) -> Result<bool, Failure> {
        let mut text = Text::new(text, at);
        while let Some(command) = self.session.next(&mut text) {
            match command {
                Ok((_, Command::Exit)) => return Ok(true),
                Ok((_, command)) if run.translates() && is_request(&command) => {}
                Ok((at, command)) => self.respond(run, at, command)?,
                // One message was enough.
                Err(_) if self.foreign_logic => {}
                Err(error) => self.complain(run, &error)?,
            }
            if run.asker.interrupted() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn complain(&mut self, run: &mut Run, error: &ParseError) -> Result<(), Failure> {
        run.complain(&self.name, error);
        self.say_error(&error.to_string())
    }

    /// Those who wait for a response read it where they read answers.
    fn say_error(&self, message: &str) -> Result<(), Failure> {
        if self.interactive { line(format_args!("(error \"{}\")", message.replace('"', "\"\""))) } else { Ok(()) }
    }

    /// What was asked for cannot be given; that is told, but every question has its answer.
    fn refuse(&self, at: Position, message: &str) -> Result<(), Failure> {
        eprintln!("error: {}:{at}: {message}", self.name);
        line(format_args!("(error \"{at}: {message}\")"))
    }

    fn level(&mut self) -> &mut Level {
        self.levels.last_mut().expect("there is always a level")
    }

    fn respond(&mut self, run: &mut Run, at: Position, command: Command) -> Result<(), Failure> {
        match command {
            Command::SetLogic(logic) => return self.set_logic(run, at, &logic),
            Command::SetOption(option, value) => return self.set_option(&option, &value),
            Command::SetInfo(info, value) => {
                if info == ":status" {
                    self.expected = Some(value);
                }
            }
            Command::Declare { name, sort, value } => {
                let level = if self.global_declarations { &mut self.levels[0] } else { self.level() };
                level.declared.push((name, sort, value));
            }
            Command::Define(_) => {}
            Command::Assert { condition, name } => {
                self.last = Last::Nothing;
                let level = self.level();
                level.asserted.push(condition);
                level.named.extend(name);
            }
            Command::Push(count) => {
                self.last = Last::Nothing;
                self.levels.extend((0..count).map(|_| Level::default()));
            }
            Command::Pop(count) => {
                self.last = Last::Nothing;
                self.levels.truncate(self.levels.len() - count as usize);
            }
            Command::CheckSat { assuming, complete } => return self.check(run, at, assuming, complete),
            Command::GetModel => return self.get_model(at),
            Command::GetValue(terms) => return self.get_value(at, &terms),
            Command::GetUnsatCore => {
                let names = self.levels.iter().flat_map(|level| level.named.clone()).collect();
                return self.get_unsat(at, names);
            }
            Command::GetUnsatAssumptions => return self.get_unsat(at, self.assumed.clone()),
            Command::GetAssertions | Command::GetAssignment => return line("unsupported"),
            Command::GetInfo(info) => return self.get_info(&info),
            Command::GetOption(option) => {
                return match option.as_str() {
                    ":print-success" => line(self.print_success),
                    ":global-declarations" => line(self.global_declarations),
                    ":produce-models" => line(true),
                    _ => line("unsupported"),
                };
            }
            Command::Echo(text) => return line(format_args!("\"{}\"", text.replace('"', "\"\""))),
            Command::Reset => {
                self.start_over(false);
                (self.print_success, self.global_declarations, self.foreign_logic) = (false, false, false);
            }
            Command::ResetAssertions => self.start_over(self.global_declarations),
            Command::Exit => unreachable!("the caller ends the script"),
        }
        self.succeed()
    }

    fn succeed(&self) -> Result<(), Failure> {
        if self.print_success { line("success") } else { Ok(()) }
    }

    fn start_over(&mut self, declarations_stay: bool) {
        let declared = if declarations_stay { std::mem::take(&mut self.levels[0].declared) } else { vec![] };
        self.levels = vec![Level { declared, ..Level::default() }];
        self.last = Last::Nothing;
    }

    fn set_logic(&mut self, run: &mut Run, at: Position, logic: &str) -> Result<(), Failure> {
        if logic.contains("BV") || logic == "ALL" {
            return self.succeed();
        }
        self.foreign_logic = true;
        run.all_answered = false;
        let message = format!("the logic {logic} is not supported: QF_BV, QF_ABV and QF_ABVFP are");
        eprintln!("error: {}:{at}: {message}", self.name);
        line("unsupported")
    }

    fn set_option(&mut self, option: &str, value: &str) -> Result<(), Failure> {
        match option {
            ":print-success" => self.print_success = value == "true",
            ":global-declarations" => self.global_declarations = value == "true",
            ":produce-models"
            | ":produce-unsat-assumptions"
            | ":produce-unsat-cores"
            | ":produce-assignments"
            | ":interactive-mode"
            | ":incremental"
            | ":random-seed"
            | ":verbosity" => {}
            _ => return line("unsupported"),
        }
        self.succeed()
    }

    fn check(
        &mut self,
        run: &mut Run,
        at: Position,
        assuming: Vec<(String, Term)>,
        complete: bool,
    ) -> Result<(), Failure> {
        run.questions += 1;
        let mut constraints: Vec<Term> = self.levels.iter().flat_map(|level| level.asserted.clone()).collect();
        constraints.extend(assuming.iter().map(|&(_, term)| term));
        self.assumed = assuming.into_iter().map(|(text, _)| text).collect();
        let expected = self.expected.take();
        self.last = if self.foreign_logic {
            Last::Unknown("the logic is not supported".into())
        } else if !complete {
            Last::Unknown("something that is asserted could not be read".into())
        } else if run.translates() {
            return run.write(self.session.pool(), &Question { constraints: &constraints, values: &[], inputs: &[] });
        } else {
            match run.asker.ask(self.session.pool(), &constraints) {
                Answer::Sat(model) => Last::Sat(model),
                Answer::Unsat => Last::Unsat,
                Answer::Unknown(reason) => Last::Unknown(reason.to_string()),
            }
        };
        let said = match &self.last {
            Last::Sat(_) => "sat",
            Last::Unsat => "unsat",
            Last::Unknown(_) | Last::Nothing => "unknown",
        };
        if let Last::Unknown(reason) = &self.last {
            run.all_answered = false;
            if !self.foreign_logic {
                eprintln!("warning: {}:{at}: no answer: {reason}", self.name);
            }
        } else if let Some(expected @ ("sat" | "unsat")) = expected.as_deref()
            && expected != said
        {
            run.all_answered = false;
            eprintln!("error: {}:{at}: the answer is {said}, but the script says that it is {expected}", self.name);
        }
        if run.translates() { Ok(()) } else { line(said) }
    }

    fn get_model(&mut self, at: Position) -> Result<(), Failure> {
        let declared: Vec<_> = self.levels.iter().flat_map(|level| level.declared.clone()).collect();
        let Some(values) = self.values(declared.iter().map(|&(_, _, value)| value)) else { return self.no_model(at) };
        let mut text = String::from("(\n");
        for ((name, sort, _), value) in declared.iter().zip(values) {
            text += &format!("  (define-fun {} () {sort} {value})\n", symbol_text(name));
        }
        line(text + ")")
    }

    fn get_value(&mut self, at: Position, terms: &[(String, DeclaredValue)]) -> Result<(), Failure> {
        let Some(values) = self.values(terms.iter().map(|&(_, value)| value)) else { return self.no_model(at) };
        let pairs = terms.iter().zip(values).map(|((text, _), value)| format!("({text} {value})"));
        line(format_args!("({})", pairs.collect::<Vec<_>>().join("\n ")))
    }

    /// Nothing if there is no model.
    fn values(&self, wanted: impl Iterator<Item = DeclaredValue>) -> Option<Vec<String>> {
        let Last::Sat(model) = &self.last else { return None };
        Some(wanted.map(|value| value_in(self.session.terms(), model, value, self.session.arrays())).collect())
    }

    fn no_model(&self, at: Position) -> Result<(), Failure> {
        self.refuse(at, "there is no model: the last answer was not sat, or something changed since")
    }

    /// All of them: they need not be as few as can be.
    fn get_unsat(&self, at: Position, names: Vec<String>) -> Result<(), Failure> {
        match self.last {
            Last::Unsat => line(format_args!("({})", names.join(" "))),
            Last::Sat(_) | Last::Unknown(_) | Last::Nothing => {
                self.refuse(at, "the last answer was not unsat, or something changed since")
            }
        }
    }

    fn get_info(&self, info: &str) -> Result<(), Failure> {
        match (info, &self.last) {
            (":name", _) => line("(:name \"Osier\")"),
            (":version", _) => line(concat!("(:version \"", env!("CARGO_PKG_VERSION"), "\")")),
            (":authors", _) => line("(:authors \"the authors of Osier\")"),
            (":error-behavior", _) => line("(:error-behavior continued-execution)"),
            (":assertion-stack-levels", _) => line(format_args!("(:assertion-stack-levels {})", self.levels.len() - 1)),
            (":reason-unknown", Last::Unknown(reason)) => {
                line(format_args!("(:reason-unknown \"{}\")", reason.replace('"', "\"\"")))
            }
            (_, _) => line("unsupported"),
        }
    }
}

/// Whether a command only asks for something about the last answer or the solver.
fn is_request(command: &Command) -> bool {
    match command {
        Command::GetModel
        | Command::GetValue(_)
        | Command::GetUnsatCore
        | Command::GetUnsatAssumptions
        | Command::GetAssertions
        | Command::GetAssignment
        | Command::GetInfo(_)
        | Command::GetOption(_)
        | Command::Echo(_) => true,
        Command::SetLogic(_)
        | Command::SetOption(..)
        | Command::SetInfo(..)
        | Command::Declare { .. }
        | Command::Define(_)
        | Command::Assert { .. }
        | Command::Push(_)
        | Command::Pop(_)
        | Command::CheckSat { .. }
        | Command::Reset
        | Command::ResetAssertions
        | Command::Exit => false,
    }
}
