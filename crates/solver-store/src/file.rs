//! The file: opened and checked, read without a lock, written under one, rewritten when it has to grow.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use osier_solver::{KEY_VERSION, Key};

use crate::layout::{BadHeader, Header, PAGE, Page, Record, newest, page_number, records, used};

/// A new file has two to this power pages, if its bound allows.
const FIRST_BITS: u32 = 6;

/// What holds a table of a sixteenth full or more may grow: long answers, of which few fill a page, must not blow it up.
const LEAST_LOAD: u64 = 16;

/// How long to wait for another process before an open fails; it holds the lock for as long as it writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a file cannot serve as a store.
#[derive(Debug)]
pub enum OpenError {
    Io {
        path: PathBuf,
        cause: io::Error,
    },
    /// It is no store of answers.
    Foreign {
        path: PathBuf,
    },
    /// Written by another version of Osier.
    OtherVersion {
        path: PathBuf,
    },
    /// It is one, but its beginning or its end is not as it was written.
    Damaged {
        path: PathBuf,
    },
    /// Another process holds it and does not let go.
    Busy {
        path: PathBuf,
    },
    /// The bound on its size leaves no room for a single answer.
    NoRoom {
        bound: u64,
        least: u64,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Io { path, cause } => write!(f, "cannot use {} as a cache: {cause}", path.display()),
            OpenError::Foreign { path } => write!(
                f,
                "{} is no cache of answers, and is left as it is\n  help: name another file for --cache; a new one is made",
                path.display()
            ),
            OpenError::OtherVersion { path } => write!(
                f,
                "the cache {} was written by another version of Osier\n  help: delete it, or name another file",
                path.display()
            ),
            OpenError::Damaged { path } => {
                write!(f, "the cache {} is damaged or was cut\n  help: delete it, and it is made anew", path.display())
            }
            OpenError::Busy { path } => write!(
                f,
                "the cache {} is locked by another process for longer than {} seconds",
                path.display(),
                PATIENCE.as_secs()
            ),
            OpenError::NoRoom { bound, least } => {
                write!(f, "a cache of {bound} bytes holds nothing\n  help: --cache-size must be at least {least}")
            }
        }
    }
}

impl std::error::Error for OpenError {}

/// An open file. Every change happens under the lock, which is held by the file as it is open here.
pub(crate) struct Table {
    path: PathBuf,
    file: File,
    header: Header,
    /// The most bits that the bound on the size allows.
    most_bits: u32,
    /// Growing failed once: the disk is full, or the folder cannot be written to.
    stuck: Option<io::Error>,
    /// Records in front of whole ones that were not whole, as far as writes came by.
    pub(crate) damaged: u64,
}

impl Table {
    pub(crate) fn open(path: &Path, bound: u64) -> Result<Table, OpenError> {
        let least = Header { page_bits: 0 }.file_size();
        let most_bits = (bound / PAGE as u64).saturating_sub(1).checked_ilog2();
        let most_bits = most_bits.ok_or(OpenError::NoRoom { bound, least })?;
        let io_error = |cause| OpenError::Io { path: path.into(), cause };
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(io_error)?;
        if !file.metadata().map_err(io_error)?.is_file() {
            return Err(OpenError::Foreign { path: path.into() });
        }
        if !lock(&file, PATIENCE).map_err(io_error)? {
            return Err(OpenError::Busy { path: path.into() });
        }
        let header = prepare(&file, path, most_bits.min(FIRST_BITS))?;
        let mut table = Table { path: path.into(), file, header, most_bits, stuck: None, damaged: 0 };
        if header.page_bits > most_bits {
            table.rewrite(most_bits).map_err(io_error)?;
        }
        table.unlock();
        Ok(table)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn read(&self, key: &Key) -> io::Result<Page> {
        self.page_at(self.header.offset(key))
    }

    fn page_at(&self, offset: u64) -> io::Result<Page> {
        let mut page = [0; PAGE];
        self.file.read_exact_at(&mut page, offset)?;
        Ok(page)
    }

    /// Whether the name leads to another file by now: another process let the table grow.
    pub(crate) fn is_outdated(&self) -> bool {
        match (self.file.metadata(), self.path.metadata()) {
            (Ok(own), Ok(named)) => (own.dev(), own.ino()) != (named.dev(), named.ino()),
            (Err(_), _) | (_, Err(_)) => true,
        }
    }

    /// Takes the file that the name leads to now, or makes one.
    pub(crate) fn reopen(&mut self) -> Result<(), OpenError> {
        let damaged = self.damaged;
        *self = Table::open(&self.path, Header { page_bits: self.most_bits }.file_size())?;
        self.damaged = damaged;
        Ok(())
    }

    /// Takes the lock; false if another process has it for all of that time.
    pub(crate) fn lock(&self, patience: Duration) -> io::Result<bool> {
        lock(&self.file, patience)
    }

    pub(crate) fn unlock(&self) {
        // Closing the file would free the lock too; it cannot be held by mistake for longer than that.
        let _ = self.file.unlock();
    }

    /// Writes a record behind the others of its page. The lock is held.
    pub(crate) fn append(&mut self, key: &Key, record: &[u8]) -> io::Result<()> {
        loop {
            let offset = self.header.offset(key);
            let page = self.page_at(offset)?;
            if records(&page).any(|known| known.0 == record) {
                return Ok(());
            }
            let (end, damaged) = used(&page);
            self.damaged += damaged;
            if end + record.len() <= PAGE {
                return self.file.write_all_at(record, offset + end as u64);
            }
            let mut kept = latest(&page);
            kept.retain(|known| known.key() != *key);
            kept.push(Record(record));
            let fits = kept.iter().map(|record| record.0.len()).sum::<usize>() <= PAGE;
            if fits || !self.grow()? {
                return self.file.write_all_at(&newest(&kept), offset);
            }
        }
    }

    /// Twice as many pages, if the bound allows and the table is not nearly empty.
    fn grow(&mut self) -> io::Result<bool> {
        if self.header.page_bits >= self.most_bits || self.stuck.is_some() || !self.is_loaded()? {
            return Ok(false);
        }
        match self.rewrite(self.header.page_bits + 1) {
            Ok(()) => Ok(true),
            Err(cause) => {
                self.stuck = Some(cause);
                Ok(false)
            }
        }
    }

    /// Looks at some pages spread over the file.
    fn is_loaded(&self) -> io::Result<bool> {
        let pages = self.header.pages();
        let looked = pages.min(64);
        let mut full = 0;
        for i in 0..looked {
            full += used(&self.page_at(self.header.page_offset(i * (pages / looked)))?).0 as u64;
        }
        Ok(full * LEAST_LOAD >= looked * PAGE as u64)
    }

    /// Writes all records into a table of another size, which takes the place of this one. The lock is held, and goes
    /// over to the new file before anyone can see it.
    fn rewrite(&mut self, page_bits: u32) -> io::Result<()> {
        let mut name = self.path.clone().into_os_string();
        name.push(".growing");
        let name = PathBuf::from(name);
        let done = self.write_resized(&name, page_bits).and_then(|file| {
            std::fs::rename(&name, &self.path)?;
            Ok(file)
        });
        match done {
            Ok(file) => {
                self.file = file;
                self.header = Header { page_bits };
                Ok(())
            }
            Err(cause) => {
                let _ = std::fs::remove_file(&name);
                Err(cause)
            }
        }
    }

    fn write_resized(&self, name: &Path, page_bits: u32) -> io::Result<File> {
        let new = Header { page_bits };
        let file = File::options().read(true).write(true).create(true).truncate(true).open(name)?;
        file.set_permissions(self.file.metadata()?.permissions())?;
        lock(&file, Duration::ZERO)?;
        let mut out = BufWriter::with_capacity(1 << 18, &file);
        out.write_all(&new.encode(KEY_VERSION))?;
        for number in 0..new.pages() {
            let sources = (number & (self.header.pages() - 1)..self.header.pages()).step_by(new.pages() as usize);
            let pages = sources.map(|source| self.page_at(self.header.page_offset(source)));
            let pages: Vec<Page> = pages.collect::<io::Result<_>>()?;
            let mut kept: Vec<Record> = pages.iter().flat_map(latest).collect();
            kept.retain(|record| page_number(&record.key()) & (new.pages() - 1) == number);
            out.write_all(&newest(&kept))?;
        }
        out.flush()?;
        drop(out);
        // The name must not lead to a file whose contents are not there yet.
        file.sync_all()?;
        Ok(file)
    }

    /// Why the table could not grow, told once.
    pub(crate) fn take_stuck(&mut self) -> Option<io::Error> {
        self.stuck.take()
    }
}

/// The whole records of a page, oldest first, without those that a later one replaces.
fn latest(page: &Page) -> Vec<Record<'_>> {
    let whole: Vec<Record> = records(page).filter(|record| record.is_whole()).collect();
    let replaced = |i: usize| whole[i + 1..].iter().any(|later| later.key() == whole[i].key());
    (0..whole.len()).filter(|&i| !replaced(i)).map(|i| whole[i]).collect()
}

fn lock(file: &File, patience: Duration) -> io::Result<bool> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if start.elapsed() < patience => {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(cause)) => return Err(cause),
        }
    }
}

/// Makes an empty file a table, or checks the one that is there. The lock is held.
fn prepare(file: &File, path: &Path, first_bits: u32) -> Result<Header, OpenError> {
    let io_error = |cause| OpenError::Io { path: path.into(), cause };
    let size = file.metadata().map_err(io_error)?.len();
    let mut page = [0; PAGE];
    if size > 0 {
        let there = size.min(PAGE as u64) as usize;
        file.read_exact_at(&mut page[..there], 0).map_err(io_error)?;
    }
    // A process that died while it made the file leaves it empty, or with its size and nothing in it.
    let unborn = size == 0 || size <= Header { page_bits: FIRST_BITS }.file_size() && page.iter().all(|&b| b == 0);
    if unborn {
        let header = Header { page_bits: first_bits };
        file.set_len(header.file_size()).map_err(io_error)?;
        file.write_all_at(&header.encode(KEY_VERSION), 0).map_err(io_error)?;
        return Ok(header);
    }
    let damaged = || OpenError::Damaged { path: path.into() };
    match Header::decode(&page, KEY_VERSION) {
        // The size is what the header says, from the first moment on.
        Ok(header) if header.page_bits < 52 && header.file_size() == size => Ok(header),
        Ok(_) | Err(BadHeader::Damaged) => Err(damaged()),
        Err(BadHeader::Foreign) => Err(OpenError::Foreign { path: path.into() }),
        Err(BadHeader::OtherVersion) => Err(OpenError::OtherVersion { path: path.into() }),
    }
}
