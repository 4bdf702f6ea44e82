//! Segments for the engine: those of points-to analysis, and those that an earlier run has learnt.

use osier_exec::{KnownSegments, LearntSegment, Maker, MemoryConfig, Segmenter, Site};
use osier_ir::{FuncId, GlobalId, LocId, Module};
use osier_pointsto::{AnalysisOptions, PointsTo, SegmentRules, Segments, analyse, segments};
use osier_report::SegmentsFile;
use osier_report::segments_file::{Made, Object, Place, Segment};
use std::collections::HashMap;
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

/// The ideal segments: what met in a run. What met nothing has no segment, and is alone.
struct ByRun {
    context: usize,
    makers: HashMap<Maker, u32>,
}

/// The segments of a file for the program that it was learnt from; none if it names what the program does not have.
pub fn ideal_segments(module: &Module, file: &SegmentsFile) -> Option<KnownSegments> {
    let functions: HashMap<&str, FuncId> = module.functions.iter().map(|(id, f)| (f.name.as_str(), id)).collect();
    let globals: HashMap<&str, GlobalId> = module.globals.iter().map(|(id, g)| (g.name.as_str(), id)).collect();
    let mut makers = HashMap::new();
    for (number, segment) in (0..).zip(&file.segments) {
        for object in &segment.objects {
            let maker = match &object.made {
                Made::Global(name) => Maker::Global(*globals.get(name.as_str())?),
                Made::At(places) => {
                    let site = |place: &Place| Some((*functions.get(place.function.as_str())?, place.operation));
                    Maker::Allocation(places.iter().map(site).collect::<Option<_>>()?)
                }
            };
            makers.insert(maker, number);
        }
    }
    Some(KnownSegments(Rc::new(ByRun { context: file.context, makers })))
}

impl Segmenter for ByRun {
    fn of_allocation(&self, sites: &[Site]) -> Option<u32> {
        let told_apart_by = sites.iter().take(self.context).copied().collect();
        self.makers.get(&Maker::Allocation(told_apart_by)).copied()
    }

    fn of_global(&self, global: GlobalId) -> Option<u32> {
        self.makers.get(&Maker::Global(global)).copied()
    }
}

/// What a run has learnt, as it is kept for others.
pub(crate) fn kept(
    module: &Module,
    config: &MemoryConfig,
    fingerprint: String,
    learnt: Vec<LearntSegment>,
) -> SegmentsFile {
    let place = |(function, operation): Site| {
        let function = &module.functions[function];
        let location = function.body.as_ref().map_or(LocId(0), |body| body.op_locations[operation as usize]);
        let (file, line) = (module.file_of(location).to_owned(), module.locations[location].line);
        Place { function: function.name.clone(), operation, file, line }
    };
    let object = |(maker, size): (Maker, u64)| {
        let made = match maker {
            Maker::Allocation(sites) => Made::At(sites.into_iter().map(place).collect()),
            Maker::Global(global) => Made::Global(module.globals[global].name.clone()),
        };
        Object { made, size }
    };
    let segment = |LearntSegment { makers, uses }| {
        let objects = makers.into_iter().map(object).collect();
        Segment { uses, objects }
    };
    let segments = learnt.into_iter().map(segment).collect();
    SegmentsFile { fingerprint, context: config.learnt_context(), segments }
}
