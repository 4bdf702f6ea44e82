//! The `struct stat` of x86-64 Linux, as KLEE's models keep it in a test beside each file.

use std::fmt;

/// The fields of a `-stat` object that a test can set or show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stat {
    /// Type and permissions.
    pub mode: u32,
    pub user: u32,
    pub group: u32,
    pub size: u64,
    pub accessed: Time,
    pub modified: Time,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Time {
    pub seconds: i64,
    pub nanoseconds: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileType {
    Regular,
    Folder,
    Pipe,
    CharacterDevice,
    BlockDevice,
    Link,
    Socket,
    Unknown,
}

impl FileType {
    fn name(self) -> &'static str {
        match self {
            FileType::Regular => "regular file",
            FileType::Folder => "folder",
            FileType::Pipe => "pipe",
            FileType::CharacterDevice => "character device",
            FileType::BlockDevice => "block device",
            FileType::Link => "symbolic link",
            FileType::Socket => "socket",
            FileType::Unknown => "unknown type",
        }
    }
}

impl Stat {
    pub const SIZE: usize = 144;

    /// None if the object is not as long as a `struct stat`.
    pub fn from_bytes(bytes: &[u8]) -> Option<Stat> {
        if bytes.len() != Stat::SIZE {
            return None;
        }
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let half = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let time = |at: usize| Time { seconds: word(at) as i64, nanoseconds: word(at + 8) };
        Some(Stat {
            mode: half(24),
            user: half(28),
            group: half(32),
            size: word(48),
            accessed: time(72),
            modified: time(88),
        })
    }

    /// The bytes of a `struct stat` with these fields, zero elsewhere.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Stat { mode, user, group, size, accessed, modified } = self;
        let mut bytes = vec![0; Stat::SIZE];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(24, &mode.to_le_bytes());
        put(28, &user.to_le_bytes());
        put(32, &group.to_le_bytes());
        put(48, &size.to_le_bytes());
        for (at, time) in [(72, accessed), (88, modified)] {
            put(at, &time.seconds.to_le_bytes());
            put(at + 8, &time.nanoseconds.to_le_bytes());
        }
        bytes
    }

    pub fn file_type(&self) -> FileType {
        match self.mode & 0o170_000 {
            0o100_000 => FileType::Regular,
            0o040_000 => FileType::Folder,
            0o010_000 => FileType::Pipe,
            0o020_000 => FileType::CharacterDevice,
            0o060_000 => FileType::BlockDevice,
            0o120_000 => FileType::Link,
            0o140_000 => FileType::Socket,
            _ => FileType::Unknown,
        }
    }

    pub fn permissions(&self) -> u32 {
        self.mode & 0o7777
    }
}

impl fmt::Display for Stat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stat { mode: _, user, group, size, accessed, modified } = self;
        let (kind, permissions) = (self.file_type().name(), self.permissions());
        write!(f, "{kind}, mode {permissions:04o}, {size} bytes, user {user}, group {group}, ")?;
        write!(f, "modified {modified}, accessed {accessed}")
    }
}

impl fmt::Display for Time {
    /// As a date where it is one of the years 0 to 9999, in seconds otherwise.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Time { seconds, nanoseconds } = *self;
        match date(seconds.div_euclid(86_400)) {
            Some((year, month, day)) => {
                let time = seconds.rem_euclid(86_400);
                let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
                write!(f, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")?;
            }
            None => write!(f, "{seconds} s")?,
        }
        if nanoseconds != 0 {
            write!(f, " and {nanoseconds} ns")?;
        }
        Ok(())
    }
}

/// The civil date of a day counted from 1970-01-01, by H. Hinnant's `civil_from_days`.
fn date(days: i64) -> Option<(i64, i64, i64)> {
    let days = days.checked_add(719_468).filter(|days| (0..=3_652_424).contains(days))?;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    Some((year_of_era + era * 400 + i64::from(month <= 2), month, of_year - (153 * shifted + 2) / 5 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_the_systems() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "12345").unwrap();
        let seen = rustix::fs::stat(file.path()).unwrap();
        let stat = Stat {
            mode: seen.st_mode,
            user: seen.st_uid,
            group: seen.st_gid,
            size: 5,
            accessed: Time { seconds: seen.st_atime, nanoseconds: seen.st_atime_nsec },
            modified: Time { seconds: seen.st_mtime, nanoseconds: seen.st_mtime_nsec },
        };
        assert_eq!(Stat::from_bytes(&stat.to_bytes()), Some(stat));
        assert_eq!(stat.file_type(), FileType::Regular);
        assert_eq!(size_of_val(&seen), Stat::SIZE);
        assert_eq!(Stat::from_bytes(&[0; 143]), None);
        // The compiler knows where the fields are; so must we.
        assert_eq!(std::mem::offset_of!(rustix::fs::Stat, st_mode), 24);
        assert_eq!(std::mem::offset_of!(rustix::fs::Stat, st_uid), 28);
        assert_eq!(std::mem::offset_of!(rustix::fs::Stat, st_size), 48);
        assert_eq!(std::mem::offset_of!(rustix::fs::Stat, st_atime), 72);
        assert_eq!(std::mem::offset_of!(rustix::fs::Stat, st_mtime), 88);
    }

    #[test]
    fn times_are_dates() {
        let text = |seconds| Time { seconds, nanoseconds: 0 }.to_string();
        assert_eq!(text(0), "1970-01-01 00:00:00");
        assert_eq!(text(951_826_154), "2000-02-29 12:09:14");
        assert_eq!(text(-1), "1969-12-31 23:59:59");
        assert_eq!(text(i64::MAX), "9223372036854775807 s");
        assert_eq!(text(i64::MIN), "-9223372036854775808 s");
        assert_eq!(Time { seconds: 1, nanoseconds: 7 }.to_string(), "1970-01-01 00:00:01 and 7 ns");
    }
}
