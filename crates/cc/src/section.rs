//! How bitcode lies in objects and binaries: a section of parts, each with a header.
//!
//! The linker sets the sections of the objects that it takes one after another, with zeros between them for alignment.
//! A part therefore says how long it is, and the next one begins at the next multiple of eight.

/// Not loaded when the program runs, and left alone by `strip`.
pub const SECTION: &str = ".osier.bitcode";
pub const ALIGN: u64 = 8;

const MAGIC: &[u8; 8] = b"OSIERBC1";
/// The magic, the length of the name, the length of the bitcode.
const HEADER: usize = 24;

/// One source's bitcode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The source as the compiler was given it.
    pub source: String,
    /// Empty where there is none: the source is assembly, or did not compile to bitcode.
    pub bitcode: Vec<u8>,
}

impl Part {
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + self.source.len() + self.bitcode.len() + ALIGN as usize);
        bytes.extend(MAGIC);
        bytes.extend((self.source.len() as u64).to_le_bytes());
        bytes.extend((self.bitcode.len() as u64).to_le_bytes());
        bytes.extend(self.source.as_bytes());
        bytes.extend(&self.bitcode);
        bytes.resize(bytes.len().next_multiple_of(ALIGN as usize), 0);
        bytes
    }
}

/// All parts of a section; what is wrong with it if it is damaged.
pub fn decode(section: &[u8]) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < section.len() {
        if section[at..].iter().take(ALIGN as usize).all(|&byte| byte == 0) {
            at += ALIGN as usize;
            continue;
        }
        let damaged = |what: &str| format!("{what} at byte {at} of {}", section.len());
        let header = section.get(at..at + HEADER).ok_or_else(|| damaged("a part is cut off"))?;
        if !header.starts_with(MAGIC) {
            return Err(damaged("no part begins"));
        }
        let number = |range: std::ops::Range<usize>| {
            let bytes = header[range].try_into().expect("eight bytes");
            usize::try_from(u64::from_le_bytes(bytes)).ok()
        };
        let (name, code) = number(8..16).zip(number(16..24)).ok_or_else(|| damaged("a part is too long"))?;
        let middle = (at + HEADER).checked_add(name);
        let end = middle.and_then(|middle| middle.checked_add(code)).filter(|&end| end <= section.len());
        let (middle, end) = middle.zip(end).ok_or_else(|| damaged("a part is cut off"))?;
        parts.push(Part {
            source: String::from_utf8_lossy(&section[at + HEADER..middle]).into_owned(),
            bitcode: section[middle..end].to_vec(),
        });
        at = end.next_multiple_of(ALIGN as usize);
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts() -> impl Strategy<Value = Vec<(Part, usize)>> {
        let part = ("[a-z/.]{0,9}", prop::collection::vec(any::<u8>(), 0..40), 0usize..3);
        let part = part.prop_map(|(source, bitcode, zeros)| (Part { source, bitcode }, zeros * ALIGN as usize));
        prop::collection::vec(part, 0..5)
    }

    proptest! {
        #[test]
        fn parts_are_read_back_whatever_zeros_the_linker_puts_between(parts in parts()) {
            let section: Vec<u8> =
                parts.iter().flat_map(|(part, zeros)| [part.encode(), vec![0; *zeros]].concat()).collect();
            let parts: Vec<Part> = parts.into_iter().map(|(part, _)| part).collect();
            prop_assert_eq!(decode(&section), Ok(parts));
        }

        #[test]
        fn a_part_that_is_cut_off_is_refused(code in prop::collection::vec(1u8.., 1..40), cut in 1usize..60) {
            let whole = Part { source: "a.c".into(), bitcode: code }.encode();
            let whole: Vec<u8> = whole[..whole.iter().rposition(|&byte| byte != 0).unwrap() + 1].to_vec();
            if cut < whole.len() {
                prop_assert!(decode(&whole[..whole.len() - cut]).is_err());
            }
        }

        #[test]
        fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..80), magic in any::<bool>()) {
            let bytes = if magic { [&MAGIC[..], &bytes].concat() } else { bytes };
            let _ = decode(&bytes);
        }
    }
}
