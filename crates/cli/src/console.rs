//! What a person sees while a run goes on. Without a terminal, or with `--json`, there is no decoration.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use osier::report::{Progress, live_line};
use osier::solver::Statistics;
use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often the live line is drawn.
const EVERY: Duration = Duration::from_millis(200);

/// One line on standard output. Whoever closed it has seen enough; a full disk is another matter.
pub fn line(text: impl Display) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::broken(format!("cannot write to standard output: {error}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// What each stage of the chain did, on standard error.
pub fn print_statistics(statistics: &Statistics) {
    for (name, number) in statistics.rows() {
        eprintln!("{name:<24}{number:>12}");
    }
}

pub struct Console {
    bar: Option<ProgressBar>,
    next: Instant,
    silent: bool,
}

impl Console {
    pub fn new(json: bool) -> Self {
        let bar = (!json && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Console { bar, next: Instant::now() + EVERY, silent: json }
    }

    pub fn colour(&self) -> bool {
        !self.silent && std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
    }

    /// Whether the live line is due.
    pub fn wants_progress(&self) -> bool {
        self.bar.is_some() && Instant::now() >= self.next
    }

    pub fn progress(&mut self, progress: &Progress) {
        if let Some(bar) = &self.bar {
            bar.set_message(live_line(progress));
            self.next = Instant::now() + EVERY;
        }
    }

    /// A message of the run, on standard error, above the live line.
    pub fn message(&self, text: &str) {
        let print = || {
            let _ = writeln!(std::io::stderr().lock(), "{text}");
        };
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Something for standard output, above the live line.
    pub fn show(&self, text: &str) -> Result<(), Failure> {
        if self.silent {
            return Ok(());
        }
        match &self.bar {
            Some(bar) => bar.suspend(|| line(text)),
            None => line(text),
        }
    }

    pub fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
