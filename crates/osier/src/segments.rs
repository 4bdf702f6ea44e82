//! The segments of points-to analysis, for the engine.

use osier_exec::{KnownSegments, Segmenter, Site};
use osier_ir::{GlobalId, Module};
use osier_pointsto::{AnalysisOptions, PointsTo, SegmentRules, Segments, analyse, segments};
use std::rc::Rc;

struct ByPointsTo {
    result: PointsTo,
    segments: Segments,
}

/// Analyses a program; seconds for a large one. None if it has no such entry, which the engine will say.
pub(crate) fn known_segments(module: &Module, entry: &str) -> Option<KnownSegments> {
    let result = analyse(module, module.function_named(entry)?, AnalysisOptions::default());
    let segments = segments(&result, SegmentRules::default());
    Some(KnownSegments(Rc::new(ByPointsTo { result, segments })))
}

impl Segmenter for ByPointsTo {
    fn of_allocation(&self, sites: &[Site]) -> Option<u32> {
        let (place, callers) = sites.split_first()?;
        self.segments.of_allocation(&self.result, *place, callers).map(|segment| segment.0)
    }

    fn of_global(&self, global: GlobalId) -> Option<u32> {
        self.segments.of_global(global).map(|segment| segment.0)
    }
}
