//! Writes the tests of finished paths on a thread of its own, so that the engine never waits for the disk.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, JoinHandle};

use osier_exec::outcome::{Ending, Finished};

use crate::batches::Batches;
use crate::endings::{ENDINGS_FILE, ending_line};
use crate::error::{ReportError, Result};
use crate::error_text::error_text;
use crate::journal::{Journal, add_path};
use crate::ktest;
use crate::run_folder::{RunFolder, write_new};
use crate::stream::{Output, Stream};

/// Paths that may wait for the disk. Beyond that the engine waits: memory must not grow with a slow disk.
const WAITING: usize = 512;

/// The name of a test, without suffix.
pub fn test_name(number: u32) -> String {
    format!("test{number:06}")
}

/// Takes finished paths and writes `testNNNNNN.ktest`, `.<kind>.err`, `.out` (what the path wrote), `.kquery`, `.smt2`
/// and the list of endings. Numbers are given in the order of `submit`. The first error stops the writing; `finish`
/// returns it.
#[derive(Debug)]
pub struct TestWriter {
    queue: Arc<Batches<Work>>,
    thread: JoinHandle<Result<u32>>,
    submitted: AtomicU32,
    failed: Arc<AtomicBool>,
    /// Events about paths without tests that the thread has not got yet.
    untested: Vec<u8>,
}

/// What the thread has to do, in this order.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "nearly all of it are paths, and it waits in a vector")]
enum Work {
    /// A path with the number of its test.
    Path(u32, Finished),
    /// Events of the run's record.
    Record(Vec<u8>),
}

impl TestWriter {
    /// `args` is the program's command line, kept in each test.
    pub fn start(folder: &RunFolder, args: Vec<Vec<u8>>) -> Result<TestWriter> {
        let path = folder.path().join(ENDINGS_FILE);
        let endings = File::create_new(&path).map_err(|cause| ReportError::file("write", &path, cause))?;
        TestWriter::start_after(folder, args, endings, 0, None)
    }

    /// Writes a record of the paths, too, and goes on after so many tests.
    pub fn start_recording(folder: &RunFolder, args: Vec<Vec<u8>>, tests: u32) -> Result<TestWriter> {
        let path = folder.path().join(ENDINGS_FILE);
        let endings = OpenOptions::new().append(true).create(true).open(&path);
        let endings = endings.map_err(|cause| ReportError::file("write", &path, cause))?;
        TestWriter::start_after(folder, args, endings, tests, Some(Journal::open(folder.path())?))
    }

    fn start_after(
        folder: &RunFolder,
        args: Vec<Vec<u8>>,
        endings: File,
        tests: u32,
        journal: Option<Journal>,
    ) -> Result<TestWriter> {
        let listed = endings.metadata().map_or(0, |data| data.len());
        let writer = Writer { folder: folder.path().to_owned(), args, endings, listed, line: String::new(), journal };
        let queue = Arc::new(Batches::new(WAITING));
        let incoming = Arc::clone(&queue);
        let failed = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&failed);
        let thread = thread::Builder::new()
            .name("tests".into())
            .spawn(move || {
                // Whatever happens to this thread, nobody must wait for it.
                let _closing = Closing(&incoming);
                writer.run(&incoming, &flag)
            })
            .map_err(|cause| ReportError::file("start a thread to write", folder.path(), cause))?;
        Ok(TestWriter { queue, thread, submitted: AtomicU32::new(tests), failed, untested: Vec::new() })
    }

    /// Hands over a finished path and returns its test's number, from 1 on.
    pub fn submit(&self, finished: Finished) -> u32 {
        let number = self.submitted.fetch_add(1, Ordering::Relaxed) + 1;
        self.queue.push(Work::Path(number, finished));
        number
    }

    /// Notes in the record that a path has ended that gets no test. Kept together until [`Self::record`]: there can be
    /// hundreds of thousands of them a second.
    pub fn submit_untested(&mut self, finished: &Finished) {
        add_path(&mut self.untested, None, finished);
    }

    /// Hands over events of the record. They may say that paths have ended which were submitted before.
    pub fn record(&mut self, events: Vec<u8>) {
        let mut all = std::mem::take(&mut self.untested);
        all.extend(events);
        self.queue.push(Work::Record(all));
    }

    /// Whether writing has failed: a run without a disk to write to may as well stop.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Waits until all is on disk. Returns the number of tests.
    pub fn finish(self) -> Result<u32> {
        let TestWriter { queue, thread, submitted: _, failed: _, untested: _ } = self;
        queue.close();
        match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

struct Writer {
    folder: PathBuf,
    args: Vec<Vec<u8>>,
    /// Not buffered: after a crash or on a full disk the tests that are there have their lines.
    endings: File,
    /// How long `endings` is.
    listed: u64,
    line: String,
    journal: Option<Journal>,
}

impl Writer {
    fn run(mut self, queue: &Batches<Work>, failed: &AtomicBool) -> Result<u32> {
        let mut written = Ok(0);
        while let Some(batch) = queue.take() {
            for work in batch {
                // After an error the rest is only drained, so that `submit` never blocks on a dead disk.
                if let Ok(count) = written {
                    written = self.work(work).map(|tests| count + tests);
                }
            }
            if let (Ok(_), Some(journal)) = (&written, &mut self.journal)
                && let Err(error) = journal.flush()
            {
                written = Err(error);
            }
            failed.store(written.is_err(), Ordering::Relaxed);
        }
        written
    }

    /// Gives the number of tests that it wrote.
    fn work(&mut self, work: Work) -> Result<u32> {
        match work {
            Work::Path(number, finished) => {
                self.write(number, &finished)?;
                if let Some(journal) = &mut self.journal {
                    add_path(&mut journal.waiting, Some(number), &finished);
                }
                Ok(1)
            }
            Work::Record(events) => {
                if let Some(journal) = &mut self.journal {
                    journal.waiting.extend(events);
                }
                Ok(0)
            }
        }
    }

    fn write(&mut self, number: u32, finished: &Finished) -> Result<()> {
        let name = test_name(number);
        let Finished { ending, inputs, stdout, stderr, asked, kquery, smt2, .. } = finished;
        let file = |suffix: &str| self.folder.join(format!("{name}.{suffix}"));
        write_new(&file("ktest"), &ktest::encode(&self.args, 0, 0, inputs))?;
        match ending {
            Ending::Fault(fault) => write_new(&file(&format!("{}.err", fault.kind)), error_text(fault).as_bytes())?,
            Ending::Exit(_) | Ending::Cut(_) => {}
        }
        if !(stdout.is_empty() && stderr.is_empty()) {
            write_new(&file("out"), &[stdout.as_slice(), stderr].concat())?;
        }
        if let Some(text) = kquery {
            write_new(&file("kquery"), text.as_bytes())?;
        }
        if let Some(text) = smt2 {
            write_new(&file("smt2"), text.as_bytes())?;
        }
        self.line.clear();
        let output = Output { stdout: Stream::of(stdout), stderr: Stream::of(stderr) };
        ending_line(&mut self.line, &name, ending, Some(&output), *asked);
        self.endings.write_all(self.line.as_bytes()).map_err(|cause| {
            // Half a line would make the whole list unreadable.
            let _ = self.endings.set_len(self.listed);
            ReportError::file("write", &self.folder.join(ENDINGS_FILE), cause)
        })?;
        self.listed += self.line.len() as u64;
        Ok(())
    }
}

/// Closes the queue when the writing thread ends, even by a panic.
struct Closing<'a>(&'a Batches<Work>);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The `.ktest` files of a run folder, in order.
pub fn tests_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |cause| ReportError::file("list", folder, cause);
    let mut tests = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "ktest") {
            tests.push(path);
        }
    }
    tests.sort();
    Ok(tests)
}

#[cfg(test)]
mod tests {
    use osier_exec::outcome::{Asked, Cut, Fault, Input, Kind, Place};

    use super::*;
    use crate::endings::Endings;
    use crate::ktest::KTest;

    fn finished(ending: Ending, value: u8) -> Finished {
        Finished {
            ending,
            inputs: vec![Input { name: "x".into(), bytes: vec![value; 8] }],
            instructions: 1,
            depth: 1,
            covered_new: false,
            stdout: Vec::new(),
            stderr: Vec::new(),
            asked: Asked::default(),
            number: None,
            kquery: None,
            smt2: None,
        }
    }

    #[test]
    fn tests_errors_queries_and_endings_are_written() {
        let base = tempfile::tempdir().unwrap();
        let folder = RunFolder::create_numbered(base.path()).unwrap();
        let writer = TestWriter::start(&folder, vec![b"prog".to_vec()]).unwrap();
        let place = Place { file: "a.c".into(), line: 3, column: 1, function: "main".into() };
        let fault = Fault {
            kind: Kind::Abort,
            message: "abort called".into(),
            place: place.clone(),
            notes: vec![],
            stack: vec![place],
        };
        assert_eq!(writer.submit(finished(Ending::Exit(-1), 1)), 1);
        assert_eq!(writer.submit(finished(Ending::Fault(fault.clone()), 2)), 2);
        let kquery = Some("(query [] false)".into());
        let (stdout, stderr) = (b"said".to_vec(), b"cried\n".to_vec());
        let with_query = Finished { kquery, stdout: stdout.clone(), ..finished(Ending::Cut(Cut::Depth), 3) };
        assert_eq!(writer.submit(with_query), 3);
        let with_output = Finished { stdout, stderr, ..finished(Ending::Exit(1), 4) };
        assert_eq!(writer.submit(with_output), 4);
        assert_eq!(writer.finish().unwrap(), 4);

        let tests = tests_in(folder.path()).unwrap();
        assert_eq!(tests.len(), 4);
        let read = KTest::read(&tests[1]).unwrap();
        assert_eq!((read.args, read.objects[0].bytes[0]), (vec![b"prog".to_vec()], 2));
        assert!(folder.path().join("test000002.abort.err").exists());
        assert!(folder.path().join("test000003.kquery").exists());
        assert_eq!(std::fs::read(folder.path().join("test000003.out")).unwrap(), b"said");
        assert_eq!(std::fs::read(folder.path().join("test000004.out")).unwrap(), b"saidcried\n");
        assert!(!folder.path().join("test000001.out").exists());
        let endings = Endings::read(folder.path()).unwrap();
        assert_eq!(endings.of(&tests[0]), Some(Ending::Exit(-1)));
        assert_eq!(endings.of(&tests[1]), Some(Ending::Fault(fault)));
        assert_eq!(endings.of(&tests[2]), Some(Ending::Cut(Cut::Depth)));
        let output = endings.expected(&tests[3]).unwrap().output.unwrap();
        assert_eq!(output, Output { stdout: Stream::of(b"said"), stderr: Stream::of(b"cried\n") });
    }

    #[test]
    fn the_first_error_comes_back_and_nothing_blocks() {
        let base = tempfile::tempdir().unwrap();
        let folder = RunFolder::create_numbered(base.path()).unwrap();
        let writer = TestWriter::start(&folder, vec![]).unwrap();
        std::fs::write(folder.path().join("test000002.ktest"), "in the way").unwrap();
        for value in 0..=255 {
            for _ in 0..8 {
                writer.submit(finished(Ending::Exit(0), value));
            }
        }
        let error = writer.finish().unwrap_err().to_string();
        assert!(error.starts_with("cannot write") && error.contains("test000002.ktest"), "{error}");
        assert!(!folder.path().join("test000003.ktest").exists());
    }

    #[test]
    fn thousands_of_tests_are_all_written() {
        let base = tempfile::tempdir().unwrap();
        let folder = RunFolder::create_numbered(base.path()).unwrap();
        let writer = TestWriter::start(&folder, vec![b"prog".to_vec()]).unwrap();
        for number in 0..6000u32 {
            writer.submit(finished(Ending::Exit(0), number as u8));
        }
        assert_eq!(writer.finish().unwrap(), 6000);
        let tests = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        assert_eq!(tests.filter(|path| path.extension().is_some_and(|extension| extension == "ktest")).count(), 6000);
    }
}
