//! The log of queries: which ones, in which language, and the file that they go to.

use crate::failure::Failure;
use clap::Args;
use osier::report::RunFolder;
use osier::solver::{LogFormat, LogPoint, QueryLog};
use std::fs::File;
use std::io::BufWriter;
use std::time::Duration;

/// Bytes that are kept together before they are written.
const BUFFER: usize = 1 << 20;

#[derive(Args, Clone)]
pub struct LogFlags {
    /// Write queries down with their answers: `all` that are asked, or those that reach a `solver`; MS leaves out those
    /// that took fewer milliseconds. The file is queries.smt2 in the folder of results.
    #[arg(long, value_name = "all|solver[,MS]", value_parser = which, help_heading = "Results")]
    pub log_queries: Option<(LogPoint, Duration)>,
    /// The language of that log: smt2, or kquery for queries.kquery.
    #[arg(long, value_name = "LANGUAGE", default_value = "smt2", value_parser = format, help_heading = "Results")]
    pub log_format: LogFormat,
}

fn which(text: &str) -> Result<(LogPoint, Duration), String> {
    let (point, least) = text.split_once(',').unwrap_or((text, "0"));
    let point = match point {
        "all" => LogPoint::Entrance,
        "solver" => LogPoint::Backend,
        _ => return Err("say `all` or `solver`".into()),
    };
    let least = least.parse::<f64>().ok().and_then(|ms| Duration::try_from_secs_f64(ms / 1000.0).ok());
    Ok((point, least.ok_or("what follows the comma is a number of milliseconds")?))
}

fn format(text: &str) -> Result<LogFormat, String> {
    match text {
        "smt2" => Ok(LogFormat::Smt2),
        "kquery" => Ok(LogFormat::KQuery),
        _ => Err("there are smt2 and kquery".into()),
    }
}

impl LogFlags {
    /// A log that has no file yet.
    pub fn log(&self) -> Option<QueryLog> {
        self.log_queries.map(|(point, least)| QueryLog::new(point, least, self.log_format))
    }

    pub fn attach(&self, log: &QueryLog, folder: &RunFolder) -> Result<(), Failure> {
        let path = folder.path().join(match self.log_format {
            LogFormat::Smt2 => "queries.smt2",
            LogFormat::KQuery => "queries.kquery",
        });
        let file = File::create(&path).map(|file| BufWriter::with_capacity(BUFFER, file));
        let attached = file.and_then(|file| log.attach(Box::new(file)));
        attached.map_err(|error| Failure::broken(format!("cannot write {}: {error}", path.display())))
    }
}

/// Writes what is still kept together.
pub fn finish_log(log: Option<&QueryLog>) -> Result<(), Failure> {
    let flushed = log.map_or(Ok(()), QueryLog::flush);
    flushed.map_err(|error| Failure::broken(format!("cannot write the log of queries: {error}")))
}
