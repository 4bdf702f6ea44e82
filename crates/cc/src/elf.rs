//! Bitcode into ELF objects, and out of objects, archives, programs and shared objects.

use crate::section::{ALIGN, Part, SECTION, decode};
use object::LittleEndian as LE;
use object::elf::{self, FileHeader64, SectionHeader64};
use object::pod::bytes_of;
use object::read::archive::ArchiveFile;
use object::read::elf::{Dyn, FileHeader, SectionHeader, Sym};
use object::{U16, U32, U64};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

type Header = FileHeader64<LE>;
type Section = SectionHeader64<LE>;

/// What a file gives to a program that is loaded from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Binary {
    /// In the order in which the linker took them.
    pub parts: Vec<Part>,
    /// The shared objects that it asks for.
    pub needed: Vec<String>,
    /// Where it says to look for them; `$ORIGIN` is its own folder.
    pub search: Vec<String>,
    /// What others may refer to. Nothing for what is no shared object or program.
    pub exported: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BinaryError {
    /// Neither ELF nor an archive.
    OtherKind,
    /// An ELF file or an archive that is damaged; how.
    Damaged(String),
}

/// Whether a file begins as ELF files and archives do.
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&elf::ELFMAG) || is_archive(bytes)
}

fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(&object::archive::MAGIC) || bytes.starts_with(&object::archive::THIN_MAGIC)
}

fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xC0\xDE")
}

/// Reads a file. `member` gives the contents of a file that a thin archive names.
pub fn binary(bytes: &[u8], member: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Binary, BinaryError> {
    let damaged = |error: object::Error| BinaryError::Damaged(error.to_string());
    if bytes.starts_with(&elf::ELFMAG) {
        return read_elf(bytes);
    }
    if !is_archive(bytes) {
        return Err(BinaryError::OtherKind);
    }
    let archive = ArchiveFile::parse(bytes).map_err(damaged)?;
    let mut all = Binary::default();
    for entry in archive.members() {
        let entry = entry.map_err(damaged)?;
        let name = String::from_utf8_lossy(entry.name()).into_owned();
        let outside;
        let data = if archive.is_thin() {
            outside = member(&name).ok_or_else(|| BinaryError::Damaged(format!("cannot read its member {name}")))?;
            outside.as_slice()
        } else {
            entry.data(bytes).map_err(damaged)?
        };
        if data.starts_with(&elf::ELFMAG) {
            all.parts.extend(read_elf(data)?.parts);
        } else if is_bitcode(data) {
            all.parts.push(Part { source: name, bitcode: data.to_vec() });
        }
    }
    Ok(all)
}

fn read_elf(bytes: &[u8]) -> Result<Binary, BinaryError> {
    let damaged = |error: object::Error| BinaryError::Damaged(error.to_string());
    let header = Header::parse(bytes).map_err(damaged)?;
    if !header.is_little_endian() || header.e_machine(LE) != elf::EM_X86_64 {
        return Err(BinaryError::Damaged("it is made for another machine than x86-64".to_owned()));
    }
    let sections = header.sections(LE, bytes).map_err(damaged)?;
    let mut read = Binary::default();
    for section in sections.iter() {
        let name = sections.section_name(LE, section).map_err(damaged)?;
        if name == SECTION.as_bytes() {
            let data = section.data(LE, bytes).map_err(damaged)?;
            let parts = decode(data).map_err(|how| BinaryError::Damaged(format!("in its section {SECTION}, {how}")))?;
            read.parts.extend(parts);
        }
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if let Some((entries, strings)) = sections.dynamic(LE, bytes).map_err(damaged)? {
        let strings = sections.strings(LE, bytes, strings).map_err(damaged)?;
        for entry in entries {
            match entry.d_tag(LE) {
                elf::DT_NEEDED => read.needed.push(text(entry.string(LE, strings).map_err(damaged)?)),
                elf::DT_RUNPATH | elf::DT_RPATH => {
                    let folders = text(entry.string(LE, strings).map_err(damaged)?);
                    read.search.extend(folders.split(':').map(str::to_owned));
                }
                _ => {}
            }
        }
        let symbols = sections.symbols(LE, bytes, elf::SHT_DYNSYM).map_err(damaged)?;
        let named = symbols.iter().filter(|symbol| !symbol.is_undefined(LE) && !symbol.is_local());
        let names = named.filter_map(|symbol| symbols.symbol_name(LE, symbol).ok()).map(text);
        read.exported = Some(names.collect());
    }
    Ok(read)
}

/// The bytes that go behind an object, and those that replace its header, so that it has one section more. Nothing that
/// is there moves or changes. None if it is no object.
fn added_section(object: &[u8], contents: &[u8]) -> Option<(Vec<u8>, Header)> {
    let mut header = *Header::parse(object).ok()?;
    if header.e_type(LE) != elf::ET_REL || !header.is_little_endian() {
        return None;
    }
    let mut sections = header.section_headers(LE, object).ok()?.to_vec();
    let names = header.section_strings_index(LE, object).ok()?.0;
    let mut strings = sections.get(names)?.data(LE, object).ok()?.to_vec();
    let name = u32::try_from(strings.len()).ok()?;
    strings.extend(SECTION.as_bytes());
    strings.push(0);

    let mut tail = vec![0; object.len().next_multiple_of(ALIGN as usize) - object.len()];
    let place = |tail: &mut Vec<u8>, bytes: &[u8]| {
        let at = object.len() + tail.len();
        tail.extend(bytes);
        tail.resize((object.len() + tail.len()).next_multiple_of(ALIGN as usize) - object.len(), 0);
        U64::new(LE, at as u64)
    };
    let contents_at = place(&mut tail, contents);
    sections[names].sh_offset = place(&mut tail, &strings);
    sections[names].sh_size = U64::new(LE, strings.len() as u64);
    sections.push(Section {
        sh_name: U32::new(LE, name),
        sh_type: U32::new(LE, elf::SHT_PROGBITS),
        sh_offset: contents_at,
        sh_size: U64::new(LE, contents.len() as u64),
        sh_addralign: U64::new(LE, ALIGN),
        ..no_section()
    });
    // A count that does not fit in the header stands in the first section.
    let count = match u16::try_from(sections.len()).ok().filter(|&count| count < elf::SHN_LORESERVE) {
        Some(count) => count,
        None => {
            sections[0].sh_size = U64::new(LE, sections.len() as u64);
            0
        }
    };
    header.e_shnum = U16::new(LE, count);
    header.e_shoff =
        place(&mut tail, &sections.iter().flat_map(|section| bytes_of(section).to_vec()).collect::<Vec<_>>());
    Some((tail, header))
}

fn no_section() -> Section {
    let (word, long) = (U32::new(LE, 0), U64::new(LE, 0));
    Section {
        sh_name: word,
        sh_type: word,
        sh_flags: long,
        sh_addr: long,
        sh_offset: long,
        sh_size: long,
        sh_link: word,
        sh_info: word,
        sh_addralign: long,
        sh_entsize: long,
    }
}

/// Gives an object file its bitcode. Nothing happens to files that are no objects.
pub fn add_to_object(path: &std::path::Path, part: &Part) -> io::Result<()> {
    if !std::fs::metadata(path)?.is_file() {
        return Ok(());
    }
    let object = std::fs::read(path)?;
    let Some((tail, header)) = added_section(&object, &part.encode()) else { return Ok(()) };
    let file = File::options().write(true).open(path)?;
    // The header last: until then the file is the object that it was.
    let written = file.write_all_at(&tail, object.len() as u64).and_then(|()| file.write_all_at(bytes_of(&header), 0));
    if written.is_err() {
        file.write_all_at(&object[..size_of::<Header>()], 0)?;
        file.set_len(object.len() as u64)?;
    }
    written
}

/// An object with bitcode and nothing else.
pub fn carrier(part: &Part) -> Vec<u8> {
    const NAMES: &[u8] = b"\0.shstrtab\0.note.GNU-stack\0";
    let headers = size_of::<Header>() as u64;
    let zero = U64::new(LE, 0);
    let header = Header {
        e_ident: elf::Ident {
            magic: elf::ELFMAG,
            class: elf::ELFCLASS64,
            data: elf::ELFDATA2LSB,
            version: elf::EV_CURRENT,
            os_abi: elf::ELFOSABI_NONE,
            abi_version: 0,
            padding: [0; 7],
        },
        e_type: U16::new(LE, elf::ET_REL),
        e_machine: U16::new(LE, elf::EM_X86_64),
        e_version: U32::new(LE, elf::EV_CURRENT.into()),
        e_entry: zero,
        e_phoff: zero,
        e_shoff: U64::new(LE, (headers + NAMES.len() as u64).next_multiple_of(8)),
        e_flags: U32::new(LE, 0),
        e_ehsize: U16::new(LE, headers as u16),
        e_phentsize: U16::new(LE, 0),
        e_phnum: U16::new(LE, 0),
        e_shentsize: U16::new(LE, size_of::<Section>() as u16),
        e_shnum: U16::new(LE, 3),
        e_shstrndx: U16::new(LE, 1),
    };
    let names = Section {
        sh_name: U32::new(LE, 1),
        sh_type: U32::new(LE, elf::SHT_STRTAB),
        sh_offset: U64::new(LE, headers),
        sh_size: U64::new(LE, NAMES.len() as u64),
        sh_addralign: U64::new(LE, 1),
        ..no_section()
    };
    // Without it the linker takes the stack to be executable.
    let stack = Section {
        sh_name: U32::new(LE, 11),
        sh_type: U32::new(LE, elf::SHT_PROGBITS),
        sh_offset: U64::new(LE, headers),
        sh_addralign: U64::new(LE, 1),
        ..no_section()
    };
    let mut object = bytes_of(&header).to_vec();
    object.extend(NAMES);
    object.resize(object.len().next_multiple_of(8), 0);
    [no_section(), names, stack].iter().for_each(|section| object.extend(bytes_of(section)));
    let (tail, header) = added_section(&object, &part.encode()).expect("it is an object");
    object.extend(tail);
    object[..size_of::<Header>()].copy_from_slice(bytes_of(&header));
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(source: &str, bitcode: &[u8]) -> Part {
        Part { source: source.into(), bitcode: bitcode.to_vec() }
    }

    fn parts(bytes: &[u8]) -> Vec<Part> {
        binary(bytes, &|_| None).unwrap().parts
    }

    #[test]
    fn a_carrier_is_an_object_with_its_part() {
        let one = part("a.c", b"BC");
        let object = carrier(&one);
        assert_eq!(parts(&object), [one]);
    }

    #[test]
    fn a_section_is_added_behind_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.o");
        let before = carrier(&part("a.c", b"first"));
        std::fs::write(&path, &before).unwrap();
        add_to_object(&path, &part("b.c", b"second")).unwrap();
        let after = std::fs::read(&path).unwrap();
        assert_eq!(after[size_of::<Header>()..before.len()], before[size_of::<Header>()..]);
        assert_eq!(parts(&after), [part("a.c", b"first"), part("b.c", b"second")]);
        std::fs::write(&path, "text").unwrap();
        add_to_object(&path, &part("b.c", b"second")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"text");
    }

    #[test]
    fn damaged_files_are_refused_and_none_panics() {
        let object = carrier(&part("a.c", b"some bitcode"));
        for end in 4..object.len() - 1 {
            assert!(matches!(binary(&object[..end], &|_| None), Err(BinaryError::Damaged(_))), "{end}");
        }
        for index in 0..object.len() {
            for bit in 0..8 {
                let mut damaged = object.clone();
                damaged[index] ^= 1 << bit;
                let _ = binary(&damaged, &|_| None);
            }
        }
        assert_eq!(binary(b"hello", &|_| None), Err(BinaryError::OtherKind));
    }
}
