//! What stands where in the file: a page that says what the file is, then pages of records.

use osier_solver::{Key, StoredAnswer};

pub(crate) const PAGE: usize = 4096;

pub(crate) type Page = [u8; PAGE];

/// The first bytes of every file.
const MAGIC: [u8; 8] = *b"osierQA\n";

/// Of what stands in this module.
const FORMAT: u32 = 1;

/// Length (2), checksum (8), key (16), kind (1).
const OVERHEAD: usize = 27;

/// A longer record would leave no room for others in its page; such an answer is not kept.
pub(crate) const LONGEST: usize = PAGE / 2;

const SAT: u8 = 1;
const UNSAT: u8 = 2;
const CASES: u8 = 3;

/// What the first page says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    /// How many pages of records there are: two to this power.
    pub page_bits: u32,
}

/// What is wrong with a first page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BadHeader {
    /// It does not begin as our files do.
    Foreign,
    /// Another format, or keys that mean something else.
    OtherVersion,
    /// It is ours, but the checksum does not fit.
    Damaged,
}

impl Header {
    pub(crate) fn pages(self) -> u64 {
        1 << self.page_bits
    }

    pub(crate) fn file_size(self) -> u64 {
        (self.pages() + 1) * PAGE as u64
    }

    /// Where the page of a key begins. The low bits of the key decide, so that twice as many pages split each in two.
    pub(crate) fn offset(self, key: &Key) -> u64 {
        self.page_offset(page_number(key) & (self.pages() - 1))
    }

    pub(crate) fn page_offset(self, number: u64) -> u64 {
        (number + 1) * PAGE as u64
    }

    pub(crate) fn encode(self, key_version: u32) -> Page {
        let mut page = [0; PAGE];
        page[..8].copy_from_slice(&MAGIC);
        page[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        page[12..16].copy_from_slice(&key_version.to_le_bytes());
        page[16..20].copy_from_slice(&self.page_bits.to_le_bytes());
        let sum = checksum(&page[..20]);
        page[20..28].copy_from_slice(&sum);
        page
    }

    pub(crate) fn decode(page: &Page, key_version: u32) -> Result<Header, BadHeader> {
        let number = |at: usize| u32::from_le_bytes([page[at], page[at + 1], page[at + 2], page[at + 3]]);
        if page[..8] != MAGIC {
            return Err(BadHeader::Foreign);
        }
        if page[20..28] != checksum(&page[..20]) {
            return Err(BadHeader::Damaged);
        }
        if (number(8), number(12)) != (FORMAT, key_version) {
            return Err(BadHeader::OtherVersion);
        }
        Ok(Header { page_bits: number(16) })
    }
}

pub(crate) fn page_number(key: &Key) -> u64 {
    u64::from_le_bytes(key.0[..8].try_into().expect("eight bytes"))
}

fn checksum(bytes: &[u8]) -> [u8; 8] {
    blake3::hash(bytes).as_bytes()[..8].try_into().expect("a digest has 32 bytes")
}

/// An answer as it stands in a page; nothing if it is too long.
pub(crate) fn encode_record(key: &Key, answer: &StoredAnswer) -> Option<Vec<u8>> {
    let (kind, model): (u8, &[u8]) = match answer {
        StoredAnswer::Sat(model) => (SAT, model),
        StoredAnswer::Unsat => (UNSAT, &[]),
        StoredAnswer::Cases(cases) => (CASES, cases),
    };
    let length = OVERHEAD + model.len();
    if length > LONGEST {
        return None;
    }
    let mut record = Vec::with_capacity(length);
    record.extend_from_slice(&(length as u16).to_le_bytes());
    record.extend_from_slice(&[0; 8]);
    record.extend_from_slice(&key.0);
    record.push(kind);
    record.extend_from_slice(model);
    let sum = checksum(&record[10..]);
    record[2..10].copy_from_slice(&sum);
    Some(record)
}

/// One record of a page, its checksum not yet looked at.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a>(pub &'a [u8]);

impl<'a> Record<'a> {
    pub(crate) fn key(self) -> Key {
        Key(self.0[10..26].try_into().expect("sixteen bytes"))
    }

    pub(crate) fn is_whole(self) -> bool {
        self.0[2..10] == checksum(&self.0[10..])
    }

    /// The answer, if the record is as it was written.
    pub(crate) fn answer(self) -> Option<StoredAnswer> {
        if !self.is_whole() {
            return None;
        }
        let model = &self.0[OVERHEAD..];
        match self.0[26] {
            SAT => Some(StoredAnswer::Sat(model.into())),
            UNSAT if model.is_empty() => Some(StoredAnswer::Unsat),
            CASES => Some(StoredAnswer::Cases(model.into())),
            _ => None,
        }
    }
}

/// The records of a page, oldest first, up to the first that cannot be one. A reader that meets a damaged record in
/// the middle goes on behind it as far as the lengths make sense.
pub(crate) fn records(page: &Page) -> impl Iterator<Item = Record<'_>> {
    let mut rest: &[u8] = page;
    std::iter::from_fn(move || {
        let length = usize::from(u16::from_le_bytes(*rest.first_chunk::<2>()?));
        if !(OVERHEAD..=LONGEST).contains(&length) || length > rest.len() {
            return None;
        }
        let (record, behind) = rest.split_at(length);
        rest = behind;
        Some(Record(record))
    })
}

/// Where the last whole record ends, and how many that are not whole stand before: what follows is free, or was left by
/// a write that was cut short.
pub(crate) fn used(page: &Page) -> (usize, u64) {
    let (mut at, mut end, mut damaged, mut pending) = (0, 0, 0, 0);
    for record in records(page) {
        at += record.0.len();
        if record.is_whole() {
            end = at;
            damaged += std::mem::take(&mut pending);
        } else {
            pending += 1;
        }
    }
    (end, damaged)
}

/// A page with the newest of these records, as many as fit, in their order.
pub(crate) fn newest(records: &[Record]) -> Page {
    let mut first = records.len();
    let mut length = 0;
    while first > 0 && length + records[first - 1].0.len() <= PAGE {
        first -= 1;
        length += records[first].0.len();
    }
    let mut page = [0; PAGE];
    let mut at = 0;
    for Record(record) in &records[first..] {
        page[at..at + record.len()].copy_from_slice(record);
        at += record.len();
    }
    page
}
