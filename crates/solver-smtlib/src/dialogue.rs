//! A script answered by a program, command by command and as text: for what our terms do not have.

use std::ffi::OsString;
use std::io;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use osier_solver::Reason;
use osier_solver_process::Subprocess;

use crate::session::{Limit, wait_for_more};

/// How to start the program.
#[derive(Clone, Debug)]
pub struct DialogueConfig {
    pub program: OsString,
    pub arguments: Vec<OsString>,
    /// The most address space that it may have, in bytes.
    pub memory: Option<u64>,
    /// Set from outside, it ends what is under way.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl DialogueConfig {
    /// Of a command line as a shell would split it; nothing if it cannot be split.
    pub fn of_command(command: &str, memory: Option<u64>, interrupt: Option<Arc<AtomicBool>>) -> Option<Self> {
        let mut words = shlex::split(command)?.into_iter().map(OsString::from);
        Some(DialogueConfig { program: words.next()?, arguments: words.collect(), memory, interrupt })
    }
}

/// A program and what it was told. One that is lost is started again and told the same.
pub struct Dialogue {
    config: DialogueConfig,
    process: Option<Subprocess>,
    /// What makes the program's state what it is.
    kept: Vec<String>,
    /// Of the last thing that was said.
    number: u64,
    /// The lines that the program was sent.
    lines: u32,
    /// Where in what the program was sent the last thing begins that was said: its messages count from the beginning.
    pub first_line: u32,
    /// Programs that ended, or were ended because they would not stop.
    pub lost: u64,
}

impl Dialogue {
    /// Starts the program, so that a mistake in its name is seen at once.
    pub fn start(config: DialogueConfig) -> io::Result<Self> {
        let process = start(&config)?;
        Ok(Dialogue { config, process: Some(process), kept: vec![], number: 0, lines: 0, first_line: 1, lost: 0 })
    }

    /// Says something that begins with a command and waits for all that is said to it. A program that ends with an
    /// answer has answered.
    pub fn say(&mut self, command: &str, timeout: Option<Duration>) -> Result<String, Reason> {
        let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
        if self.process.is_none() {
            self.process = Some(start(&self.config).map_err(|error| Reason::Incomplete(error.to_string()))?);
            self.lines = 0;
            let all = self.kept.join("\n");
            // What is said to it was heard before.
            self.exchange(&all, deadline)?;
        }
        self.exchange(command, deadline)
    }

    /// The program is told this again whenever it has to be started again.
    pub fn keep(&mut self, command: &str) {
        self.kept.push(command.to_owned());
    }

    fn exchange(&mut self, text: &str, deadline: Option<Instant>) -> Result<String, Reason> {
        self.number += 1;
        let mark = format!("said-{}", self.number);
        let message = format!("{text}\n(echo \"{mark}\")\n");
        self.first_line = self.lines.saturating_add(1);
        self.lines = self.lines.saturating_add(message.matches('\n').count() as u32);
        let interrupt = self.config.interrupt.clone();
        let limit = Limit { deadline, interrupt: &interrupt };
        let heard = match &mut self.process {
            Some(process) => {
                process.send(message.as_bytes());
                listen(process, &mark, &limit)
            }
            None => Err(Reason::Incomplete("it was not started".to_owned())),
        };
        let ended = self.process.as_ref().is_none_or(Subprocess::has_ended);
        if ended || heard.is_err() {
            self.process = None;
            self.lost += u64::from(heard.is_err());
        }
        heard
    }
}

fn start(config: &DialogueConfig) -> io::Result<Subprocess> {
    let process = Subprocess::start(Command::new(&config.program).args(&config.arguments))?;
    if let Some(bytes) = config.memory {
        process.limit_memory(bytes)?;
    }
    Ok(process)
}

/// What comes before the line with the mark, which some programs put into quotes.
fn listen(process: &mut Subprocess, mark: &str, limit: &Limit) -> Result<String, Reason> {
    let mut seen = 0;
    loop {
        while let Some(length) = process.received[seen..].iter().position(|&byte| byte == b'\n') {
            let line = String::from_utf8_lossy(&process.received[seen..seen + length]);
            if line.trim().trim_matches('"') == mark {
                let all: Vec<u8> = process.received.drain(..=seen + length).collect();
                return Ok(String::from_utf8_lossy(&all[..seen]).trim_end().to_owned());
            }
            seen += length + 1;
        }
        if process.has_ended() {
            let last = String::from_utf8_lossy(&process.received).trim_end().to_owned();
            return match last.is_empty() {
                false => Ok(last),
                true => Err(Reason::Incomplete(format!("its process is gone: {}", process.obituary()))),
            };
        }
        wait_for_more(process, limit)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Dialogue {
        let arguments = ["-c".into(), script.into()].into();
        Dialogue::start(DialogueConfig { program: "sh".into(), arguments, memory: None, interrupt: None }).unwrap()
    }

    /// Repeats what it reads, in quotes or not, but for its own words.
    const PARROT: &str = "while read -r line; do case $line in
        \\(echo*) text=${line#*\\\"}; echo \"${text%%\\\"*}\";; die) exit 3;; hang) sleep 60;; *) echo \"<$line>\";; esac; done";

    #[test]
    fn each_thing_said_has_its_answer() {
        let mut dialogue = shell(PARROT);
        assert_eq!(dialogue.say("one\ntwo", None), Ok("<one>\n<two>".to_owned()));
        assert_eq!(dialogue.first_line, 1);
        assert_eq!(dialogue.say("", None), Ok("<>".to_owned()));
        assert_eq!(dialogue.first_line, 4);
        assert_eq!(dialogue.lost, 0);
    }

    #[test]
    fn one_that_is_lost_is_told_again_what_it_knew() {
        let mut dialogue = shell(PARROT);
        dialogue.keep("known");
        assert!(matches!(dialogue.say("die", None), Err(Reason::Incomplete(_))));
        assert_eq!(dialogue.say("more", None), Ok("<more>".to_owned()), "nobody hears twice what was said before");
        let start = Instant::now();
        assert_eq!(dialogue.say("hang", Some(Duration::from_millis(100))), Err(Reason::Timeout));
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(dialogue.say("more", None), Ok("<more>".to_owned()));
        assert_eq!(dialogue.lost, 2);
    }

    #[test]
    fn what_is_kept_comes_first() {
        let mut dialogue = shell("read -r first; read -r mark; echo said-2; read -r line; echo \"<$first $line>\"");
        dialogue.process = None;
        dialogue.number = 1;
        dialogue.keep("kept");
        assert_eq!(dialogue.say("new", None), Ok("<kept new>".to_owned()));
    }

    #[test]
    fn last_words_are_an_answer() {
        let mut dialogue = shell("read -r line; echo '(error \"no\")'; exit 1");
        assert_eq!(dialogue.say("x", None), Ok("(error \"no\")".to_owned()));
        assert_eq!(dialogue.lost, 0);
    }
}
