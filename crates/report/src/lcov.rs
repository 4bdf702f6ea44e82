//! Coverage as `coverage.lcov`, the tracefile format that genhtml and most editors and services read.

use std::fmt::Write;

use crate::error::Result;
use crate::run_folder::RunFolder;
use crate::summary::Share;

/// What was covered of the program's own source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    pub files: Vec<FileCoverage>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileCoverage {
    /// Absolute, so that tools find the source from wherever they are started.
    pub path: String,
    pub functions: Vec<FunctionCoverage>,
    pub branches: Vec<BranchCoverage>,
    pub lines: Vec<LineCoverage>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionCoverage {
    pub name: String,
    pub line: u32,
    pub hits: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BranchCoverage {
    pub line: u32,
    /// Which branch instruction of the line, and which of its sides.
    pub block: u32,
    pub branch: u32,
    /// None if the branch instruction was never reached.
    pub taken: Option<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineCoverage {
    pub line: u32,
    pub hits: u64,
}

impl FileCoverage {
    fn functions_share(&self) -> Share {
        share(self.functions.iter().map(|function| function.hits != 0))
    }

    fn branches_share(&self) -> Share {
        share(self.branches.iter().map(|branch| branch.taken.is_some_and(|taken| taken != 0)))
    }

    fn lines_share(&self) -> Share {
        share(self.lines.iter().map(|line| line.hits != 0))
    }
}

fn share(covered: impl Iterator<Item = bool>) -> Share {
    covered.fold(Share::default(), |Share { covered, total }, hit| Share {
        covered: covered + u64::from(hit),
        total: total + 1,
    })
}

impl Coverage {
    /// The tracefile's text. Files and entries come in the order given.
    pub fn to_lcov(&self) -> String {
        let mut out = String::new();
        for file in &self.files {
            write_file(&mut out, file);
        }
        out
    }

    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        folder.write("coverage.lcov", self.to_lcov().as_bytes())
    }

    pub fn lines(&self) -> Share {
        self.sum(FileCoverage::lines_share)
    }

    pub fn branches(&self) -> Share {
        self.sum(FileCoverage::branches_share)
    }

    pub fn functions(&self) -> Share {
        self.sum(FileCoverage::functions_share)
    }

    fn sum(&self, of: impl Fn(&FileCoverage) -> Share) -> Share {
        self.files.iter().map(of).fold(Share::default(), |sum, part| Share {
            covered: sum.covered + part.covered,
            total: sum.total + part.total,
        })
    }
}

fn write_file(out: &mut String, file: &FileCoverage) {
    let FileCoverage { path, functions, branches, lines } = file;
    *out += &format!("TN:\nSF:{path}\n");
    for FunctionCoverage { name, line, hits: _ } in functions {
        let _ = writeln!(out, "FN:{line},{name}");
    }
    for FunctionCoverage { name, line: _, hits } in functions {
        let _ = writeln!(out, "FNDA:{hits},{name}");
    }
    totals(out, "FN", file.functions_share());
    for BranchCoverage { line, block, branch, taken } in branches {
        let taken = taken.map_or("-".to_owned(), |count| count.to_string());
        let _ = writeln!(out, "BRDA:{line},{block},{branch},{taken}");
    }
    totals(out, "BR", file.branches_share());
    for LineCoverage { line, hits } in lines {
        let _ = writeln!(out, "DA:{line},{hits}");
    }
    totals(out, "L", file.lines_share());
    *out += "end_of_record\n";
}

fn totals(out: &mut String, what: &str, share: Share) {
    let _ = writeln!(out, "{what}F:{}\n{what}H:{}", share.total, share.covered);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_lcovs() {
        let coverage = Coverage {
            files: vec![FileCoverage {
                path: "/src/a.c".into(),
                functions: vec![
                    FunctionCoverage { name: "main".into(), line: 3, hits: 1 },
                    FunctionCoverage { name: "unused".into(), line: 9, hits: 0 },
                ],
                branches: vec![
                    BranchCoverage { line: 4, block: 0, branch: 0, taken: Some(2) },
                    BranchCoverage { line: 4, block: 0, branch: 1, taken: Some(0) },
                    BranchCoverage { line: 10, block: 0, branch: 0, taken: None },
                ],
                lines: vec![LineCoverage { line: 3, hits: 1 }, LineCoverage { line: 10, hits: 0 }],
            }],
        };
        assert_eq!(
            coverage.to_lcov(),
            "TN:\nSF:/src/a.c\nFN:3,main\nFN:9,unused\nFNDA:1,main\nFNDA:0,unused\nFNF:2\nFNH:1\n\
             BRDA:4,0,0,2\nBRDA:4,0,1,0\nBRDA:10,0,0,-\nBRF:3\nBRH:1\nDA:3,1\nDA:10,0\nLF:2\nLH:1\nend_of_record\n"
        );
        assert_eq!(coverage.branches(), Share { covered: 1, total: 3 });
        assert_eq!(coverage.lines(), Share { covered: 1, total: 2 });
        assert_eq!(coverage.functions(), Share { covered: 1, total: 2 });
    }
}
