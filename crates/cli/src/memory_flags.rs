//! The options about memory: what a pointer that may lead to several places does.

use crate::failure::Failure;
use crate::ideal::{self, Source};
use clap::Args;
use clap::builder::PossibleValuesParser;
use osier::ir::Module;
use osier::{MODELS, MemoryConfig, Model};

#[derive(Args, Clone)]
pub struct MemoryFlags {
    /// What becomes of an access through a pointer that may lead to several objects: auto decides each time, fork gives
    /// each object a state, merge makes a choice over them, dynamic makes one array of them, segmented one for each
    /// segment that is known before, flat one of all memory; single follows one and leaves paths out.
    #[arg(long, value_name = "MODEL", default_value = "auto", hide_possible_values = true, help_heading = "Memory")]
    #[arg(value_parser = PossibleValuesParser::new(MODELS.map(|(name, ..)| name)))]
    pub memory: String,
    /// See a large object that is accessed at a symbolic offset in chunks of so many bytes; a multiple of 8.
    #[arg(long, value_name = "BYTES", value_parser = chunk, help_heading = "Memory")]
    pub split: Option<u64>,
    /// Objects of up to so many bytes are never split.
    #[arg(long, value_name = "BYTES", default_value_t = 300, help_heading = "Memory")]
    pub split_threshold: u64,
    /// Segments of more bytes than this take no further object.
    #[arg(long, value_name = "BYTES", default_value_t = 10 << 10, help_heading = "Memory")]
    pub segment_limit: u64,
    /// Where the segments of --memory=segmented come from: points-to is analysis of the program; ideal:RUN is what met in
    /// an earlier run with --learn-segments, by its folder.
    #[arg(long, value_name = "SOURCE", default_value = "points-to", value_parser = Source::parse, help_heading = "Memory")]
    pub segments: Source,
    /// Leave in segments.json which objects met in one access, by where they were made, for --segments=ideal:RUN.
    #[arg(long, help_heading = "Memory")]
    pub learn_segments: bool,
    /// So many calls tell allocations apart, when what a pointer led to before is tried first; 0: it is not tried.
    #[arg(long, value_name = "CALLS", default_value_t = 4, help_heading = "Memory")]
    pub context: usize,
}

fn chunk(text: &str) -> Result<u64, String> {
    let bytes: u64 = text.parse().map_err(|_| format!("{text} is no number of bytes"))?;
    if bytes > 0 && bytes.is_multiple_of(8) { Ok(bytes) } else { Err(format!("{bytes} is no multiple of 8")) }
}

impl MemoryFlags {
    /// `fingerprint` is the program's.
    pub fn config(&self, module: &Module, fingerprint: &str) -> Result<MemoryConfig, Failure> {
        let MemoryFlags { memory, split, split_threshold, segment_limit, segments, learn_segments, context } = self;
        let (_, model, _) = MODELS.into_iter().find(|(name, ..)| name == memory).expect("clap has checked the name");
        let segments = match (model, segments) {
            (Model::Segmented, _) if *learn_segments => {
                return Err(Failure::usage("--learn-segments learns under any other model than segmented"));
            }
            (_, Source::PointsTo) => None,
            (Model::Segmented, Source::Ideal(folder)) => Some(ideal::known(folder, module, fingerprint)?),
            (_, Source::Ideal(_)) => return Err(Failure::usage("--segments is for --memory=segmented")),
        };
        Ok(MemoryConfig {
            model,
            split: *split,
            split_threshold: *split_threshold,
            segment_limit: *segment_limit,
            context: *context,
            segments,
            learn: *learn_segments,
        })
    }
}
