//! A reader of `.ktest` files, written from the format and not from Osier's writer.

/// One symbolic object of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub name: String,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KTest {
    pub args: Vec<String>,
    pub objects: Vec<Object>,
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        if count > self.0.len() {
            return Err(format!("truncated: {count} bytes wanted, {} left", self.0.len()));
        }
        let (head, tail) = self.0.split_at(count);
        self.0 = tail;
        Ok(head)
    }

    /// Numbers are 32 bits, big-endian.
    fn number(&mut self) -> Result<usize, String> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    fn text(&mut self) -> Result<String, String> {
        let length = self.number()?;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }
}

impl KTest {
    pub fn parse(bytes: &[u8]) -> Result<KTest, String> {
        let mut reader = Reader(bytes);
        let magic = reader.take(5)?;
        if magic != b"KTEST" && magic != b"BOUT\n" {
            return Err("no KTEST header".into());
        }
        let version = reader.number()?;
        if version > 3 {
            return Err(format!("version {version} is unknown"));
        }
        let args = (0..reader.number()?).map(|_| reader.text()).collect::<Result<_, _>>()?;
        if version >= 2 {
            reader.number()?;
            reader.number()?;
        }
        let mut objects = Vec::new();
        for _ in 0..reader.number()? {
            let name = reader.text()?;
            let size = reader.number()?;
            objects.push(Object { name, bytes: reader.take(size)?.to_vec() });
        }
        if reader.0.is_empty() { Ok(KTest { args, objects }) } else { Err("bytes after the last object".into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let mut bytes = b"KTEST".to_vec();
        for word in [3u32, 1, 3] {
            bytes.extend(word.to_be_bytes());
        }
        bytes.extend(b"a.c");
        for word in [0u32, 0, 1, 1] {
            bytes.extend(word.to_be_bytes());
        }
        bytes.extend(b"x\0\0\0\x04\x05\0\0\0");
        bytes
    }

    #[test]
    fn reads_what_the_format_says() {
        let test = KTest::parse(&sample()).unwrap();
        assert_eq!(test.args, ["a.c"]);
        assert_eq!(test.objects, [Object { name: "x".into(), bytes: vec![5, 0, 0, 0] }]);
    }

    #[test]
    fn every_truncation_and_any_trailing_byte_is_refused() {
        let whole = sample();
        for length in 0..whole.len() {
            assert!(KTest::parse(&whole[..length]).is_err(), "{length} bytes");
        }
        assert!(KTest::parse(&[whole.as_slice(), b"x"].concat()).is_err());
    }
}
