//! The text of inline assembly as statements. LLVM's template language (`$0`, `${0:q}`, `$$`, `$(att$|intel$)`) is
//! resolved to the AT&T dialect; what is not plain AT&T syntax gives nothing, so that nobody guesses at it.

/// One instruction with its operands in AT&T order: the destination is last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Lower case. A `lock` is dropped, since there is one thread; a `rep` that is part of another instruction's
    /// encoding gives that one, and stays in the name otherwise.
    pub mnemonic: String,
    pub terms: Vec<Term>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// An operand of the template, printed under a name of this size if a modifier says so.
    Operand {
        index: usize,
        view: View,
    },
    Register(Register),
    Immediate(i64),
    /// `displacement(base)`.
    Memory {
        base: Base,
        displacement: i32,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    Operand(usize),
    Register(String),
}

/// Which bits of its register an operand's name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// As the operand's type has it.
    Natural,
    Low(u8),
    /// Bits 8 to 15.
    HighByte,
    /// No name but a bare constant.
    Bare,
}

/// A name of a processor register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// One name for all of its parts: `ax` for `al`, `ah`, `eax` and `rax`.
    pub family: String,
    pub view: View,
}

/// The statements of a template; nothing if a part of it is not understood.
pub fn statements(template: &str) -> Option<Vec<Statement>> {
    let plain = resolve(template)?;
    let mut statements = Vec::new();
    let mut repeat = String::new();
    let lines = plain.lines().map(|line| line.split('#').next().unwrap_or_default());
    for words in lines.flat_map(|line| line.split(';')) {
        let mut words = words.trim();
        loop {
            let (first, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
            match first.to_ascii_lowercase().as_str() {
                "lock" => {}
                prefix @ ("rep" | "repe" | "repz" | "repne" | "repnz") => repeat = format!("{prefix} "),
                _ => break,
            }
            words = rest.trim_start();
        }
        if words.is_empty() {
            continue;
        }
        let (mnemonic, operands) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        let mnemonic = format!("{}{}", std::mem::take(&mut repeat), mnemonic.to_ascii_lowercase());
        statements.push(Statement { mnemonic: unprefixed(mnemonic), terms: terms(operands.trim())? });
    }
    repeat.is_empty().then_some(statements)
}

/// Encodings that are other instructions with a `rep` before them.
fn unprefixed(mnemonic: String) -> String {
    match mnemonic.strip_prefix("rep ").or_else(|| mnemonic.strip_prefix("repz ")) {
        Some("nop") => "pause".to_owned(),
        Some(scan) if scan.starts_with("bsf") => scan.replacen("bsf", "tzcnt", 1),
        Some(scan) if scan.starts_with("bsr") => scan.replacen("bsr", "lzcnt", 1),
        Some(_) | None => mnemonic,
    }
}

/// Takes the first of each group of dialects, and turns operands into `<0>` and `<0:q>`.
fn resolve(template: &str) -> Option<String> {
    let mut plain = String::new();
    let mut rest = template.chars().peekable();
    // In which alternative of a group this is; the first is AT&T's.
    let mut alternative: Option<usize> = None;
    while let Some(letter) = rest.next() {
        let mut piece = String::new();
        match letter {
            '$' => match rest.next()? {
                '$' => piece.push('$'),
                '(' => alternative = Some(0),
                '|' => alternative = Some(alternative? + 1),
                ')' => {
                    alternative?;
                    alternative = None;
                }
                '{' => {
                    let inside: String = rest.by_ref().take_while(|&letter| letter != '}').collect();
                    piece = format!("<{inside}>");
                }
                digit if digit.is_ascii_digit() => {
                    piece = format!("<{digit}");
                    while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                        piece.push(digit);
                    }
                    piece.push('>');
                }
                _ => return None,
            },
            '<' | '>' => return None,
            letter => piece.push(letter),
        }
        if matches!(alternative, None | Some(0)) {
            plain.push_str(&piece);
        }
    }
    Some(plain)
}

fn terms(operands: &str) -> Option<Vec<Term>> {
    if operands.is_empty() {
        return Some(Vec::new());
    }
    operands.split(',').map(|operand| term(operand.trim())).collect()
}

fn term(text: &str) -> Option<Term> {
    if let Some(inside) = text.strip_prefix("$<") {
        let (index, view) = operand(inside.strip_suffix('>')?)?;
        return (view == View::Bare).then_some(Term::Operand { index, view });
    }
    if let Some(number) = text.strip_prefix('$') {
        return Some(Term::Immediate(integer(number)?));
    }
    if let Some(name) = text.strip_prefix('%') {
        return Some(Term::Register(register(name)?));
    }
    if let Some(inside) = text.strip_prefix('<') {
        let (index, view) = operand(inside.strip_suffix('>')?)?;
        return (view != View::Bare).then_some(Term::Operand { index, view });
    }
    let (displacement, base) = text.strip_suffix(')')?.split_once('(')?;
    let displacement = if displacement.is_empty() { 0 } else { i32::try_from(integer(displacement)?).ok()? };
    let base = match base.trim().strip_prefix('%') {
        Some(name) => {
            let Register { family, view } = register(name)?;
            (view == View::Low(64)).then_some(Base::Register(family))?
        }
        None => {
            let (index, view) = operand(base.trim().strip_prefix('<')?.strip_suffix('>')?)?;
            matches!(view, View::Natural | View::Low(64)).then_some(Base::Operand(index))?
        }
    };
    Some(Term::Memory { base, displacement })
}

fn operand(inside: &str) -> Option<(usize, View)> {
    let (index, modifier) = inside.split_once(':').unwrap_or((inside, ""));
    let view = match modifier {
        "" => View::Natural,
        "b" => View::Low(8),
        "h" => View::HighByte,
        "w" => View::Low(16),
        "k" => View::Low(32),
        "q" => View::Low(64),
        "c" | "P" => View::Bare,
        _ => return None,
    };
    Some((index.parse().ok()?, view))
}

fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let size = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8).ok()?,
        None => digits.parse().ok()?,
    } as i64;
    Some(if negative { size.wrapping_neg() } else { size })
}

/// A general register by any of its names.
pub fn register(name: &str) -> Option<Register> {
    let (family, view) = match name {
        "al" | "bl" | "cl" | "dl" => (format!("{}x", &name[..1]), View::Low(8)),
        "ah" | "bh" | "ch" | "dh" => (format!("{}x", &name[..1]), View::HighByte),
        "sil" | "dil" | "bpl" | "spl" => (name[..2].to_owned(), View::Low(8)),
        "ax" | "bx" | "cx" | "dx" | "si" | "di" | "bp" | "sp" => (name.to_owned(), View::Low(16)),
        _ => {
            let numbered = |number: &str| matches!(number, "8" | "9" | "10" | "11" | "12" | "13" | "14" | "15");
            let (first, rest) = name.split_at_checked(1)?;
            let number = rest.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
            if first == "r" && numbered(number) {
                let view = match &rest[number.len()..] {
                    "" => View::Low(64),
                    "d" => View::Low(32),
                    "w" => View::Low(16),
                    "b" => View::Low(8),
                    _ => return None,
                };
                (format!("r{number}"), view)
            } else if matches!(rest, "ax" | "bx" | "cx" | "dx" | "si" | "di" | "bp" | "sp") {
                match first {
                    "e" => (rest.to_owned(), View::Low(32)),
                    "r" => (rest.to_owned(), View::Low(64)),
                    _ => return None,
                }
            } else {
                return None;
            }
        }
    };
    Some(Register { family, view })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn natural(index: usize) -> Term {
        Term::Operand { index, view: View::Natural }
    }

    fn named(family: &str, view: View) -> Term {
        Term::Register(Register { family: family.to_owned(), view })
    }

    fn one(template: &str) -> (String, Vec<Term>) {
        let statements = statements(template).unwrap();
        assert_eq!(statements.len(), 1, "{template}");
        (statements[0].mnemonic.clone(), statements[0].terms.clone())
    }

    #[test]
    fn the_first_dialect_is_taken() {
        let sum = "add$(q$) $($5,${1:q}$|$1,$5$)\n\tadc$(q$) $($3,$0$|$0,$3$)";
        let names: Vec<_> = statements(sum).unwrap().into_iter().map(|statement| statement.mnemonic).collect();
        assert_eq!(names, ["addq", "adcq"]);
        let low = Term::Operand { index: 1, view: View::Low(64) };
        assert_eq!(statements(sum).unwrap()[0].terms, [natural(5), low]);
        assert_eq!(one("mul$(q $3$| $3$)"), ("mulq".to_owned(), vec![natural(3)]));
    }

    #[test]
    fn registers_numbers_and_memory_are_terms() {
        assert_eq!(one("rorw $$8, ${0:w}").1[0], Term::Immediate(8));
        assert_eq!(one("ROLL %cl,$0"), ("roll".to_owned(), vec![named("cx", View::Low(8)), natural(0)]));
        assert_eq!(one("movq %r11, %rax").1, [named("r11", View::Low(64)), named("ax", View::Low(64))]);
        assert_eq!(one("xchgb %r8b, %ah").1, [named("r8", View::Low(8)), named("ax", View::HighByte)]);
        let place = Term::Memory { base: Base::Operand(1), displacement: -8 };
        assert_eq!(one("incl -8($1)").1, [place]);
        let stack = Term::Memory { base: Base::Register("sp".to_owned()), displacement: 0 };
        assert_eq!(one("lock; orl $$0x10,(%rsp)"), ("orl".to_owned(), vec![Term::Immediate(16), stack]));
    }

    #[test]
    fn prefixes_join_the_instruction_that_they_change() {
        assert_eq!(one("rep; nop").0, "pause");
        assert_eq!(one("rep\nbsfq $1,$0 # scan; this").0, "tzcntq");
        assert_eq!(one("rep movsb").0, "rep movsb");
        assert_eq!(statements("rep"), None);
    }

    #[test]
    fn what_is_no_plain_syntax_is_refused() {
        for template in ["add 4+$0, $1", "movl %fs:0, $0", "jmp 1f", "lea (%rip), $0", "mov ${:uid}, $0", "add $0, $"] {
            assert_eq!(statements(template), None, "{template}");
        }
        assert_eq!(statements("call *%rax"), None);
        assert_eq!(statements("incl (%eax)"), None);
        assert_eq!(statements(" # nothing\n").unwrap(), []);
    }
}
