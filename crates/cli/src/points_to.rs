//! `osier points-to`: what pointers may point to, and the segments that follow from it.

use crate::console::line;
use crate::failure::{Done, Failure};
use crate::flags::BuildFlags;
use crate::ideal::{self, Source};
use crate::native::load_program;
use clap::Args;
use osier::ir::{FuncId, LocId, Module};
use osier::pointsto::{
    AnalysisOptions, Object, ObjectId, ObjectKind, Place, PointsTo, SegmentRules, Segments, analyse, segments,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Args)]
pub struct PointsToFlags {
    #[command(flatten)]
    pub build: BuildFlags,
    /// So many callers tell apart what allocating functions such as xmalloc return; 0 for none.
    #[arg(long, value_name = "K", default_value_t = AnalysisOptions::default().context)]
    pub context: usize,
    /// Show what each operation may read or write, too.
    #[arg(long)]
    pub sets: bool,
    /// Show every segment, not only those of several objects.
    #[arg(long)]
    pub all: bool,
    /// Local variables take part in segments.
    #[arg(long)]
    pub locals: bool,
    /// Constant globals take part in segments.
    #[arg(long)]
    pub constants: bool,
    /// Show what an earlier run with --learn-segments has learnt instead, with ideal:RUN.
    #[arg(long, value_name = "SOURCE", default_value = "points-to", value_parser = Source::parse)]
    pub segments: Source,
    /// Print everything as JSON.
    #[arg(long)]
    pub json: bool,
    /// A binary built by `osier cc`, or C sources, .bc or .ll, which are linked.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

pub fn print(flags: &PointsToFlags) -> Done {
    let loaded = load_program(&flags.files, &flags.build, &flags.build.entry)?;
    let module = &loaded.module;
    if let Source::Ideal(folder) = &flags.segments {
        ideal::print(folder, module, flags.all, flags.json)?;
        return Ok(0);
    }
    let no_entry = || Failure::usage(format!("the program defines no function `{}`", flags.build.entry));
    let entry = module.function_named(&flags.build.entry).ok_or_else(no_entry)?;
    let options = AnalysisOptions { context: flags.context, ..AnalysisOptions::default() };
    let result = analyse(module, entry, options);
    let found = segments(&result, SegmentRules { locals: flags.locals, constants: flags.constants });
    let page = Page { module, result: &result, segments: &found };
    if flags.json {
        line(page.json())?;
    } else {
        page.print(flags)?;
    }
    Ok(0)
}

struct Page<'a> {
    module: &'a Module,
    result: &'a PointsTo,
    segments: &'a Segments,
}

impl Page<'_> {
    fn print(&self, flags: &PointsToFlags) -> Result<(), Failure> {
        let effort = self.result.effort;
        line(format!(
            "{} functions in {} contexts, {} objects, {} accesses, {:.2} s",
            effort.functions,
            effort.instances,
            self.objects_shown().count(),
            self.result.accesses.len(),
            effort.seconds
        ))?;
        if !effort.complete {
            line("The analysis was ended early: sets lack what it had not found by then.")?;
        }
        let mut shown: Vec<_> = self.segments.segments.iter().collect();
        shown.sort_by_key(|(id, segment)| (std::cmp::Reverse(segment.objects.len()), *id));
        let single = shown.iter().filter(|(_, segment)| segment.objects.len() == 1).count();
        for (id, segment) in shown.iter().filter(|(_, segment)| flags.all || segment.objects.len() > 1) {
            let count = segment.objects.len();
            let objects = if count == 1 { "object" } else { "objects" };
            line(format!("\n{id}: {count} {objects}, {} uses", segment.uses))?;
            for &object in &segment.objects {
                line(format!("  {}", self.describe(object)))?;
            }
        }
        if !flags.all && single > 0 {
            line(format!("\n{single} segments of one object (--all shows them)"))?;
        }
        if flags.sets {
            line("\nWhat each operation may read or write:")?;
            for (place, (write, objects)) in self.accesses() {
                let kind = if write { "write" } else { "read" };
                let names: Vec<String> = objects.iter().map(|&id| self.describe(id)).collect();
                line(format!("  {} {kind}: {}", self.place(place), names.join("; ")))?;
            }
        }
        Ok(())
    }

    fn objects_shown(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.result.objects.iter().filter(|(_, object)| {
            !matches!(object.kind, ObjectKind::InTransit | ObjectKind::Function(_) | ObjectKind::Variadic(_))
        })
    }

    /// Every access once, with what it may reach in any context.
    fn accesses(&self) -> BTreeMap<Place, (bool, Vec<ObjectId>)> {
        let mut accesses: BTreeMap<Place, (bool, Vec<ObjectId>)> = BTreeMap::new();
        for access in &self.result.accesses {
            let (write, objects) = accesses.entry(access.place).or_default();
            *write |= access.write;
            objects.extend(&self.result.sets[access.set as usize]);
        }
        for (_, objects) in accesses.values_mut() {
            objects.sort_unstable();
            objects.dedup();
        }
        accesses
    }

    fn function(&self, id: FuncId) -> &str {
        &self.module.functions[id].name
    }

    fn location(&self, id: LocId) -> Option<String> {
        let line = self.module.locations[id].line;
        let file = std::path::Path::new(self.module.file_of(id)).file_name()?.to_string_lossy().into_owned();
        (line > 0).then(|| format!("{file}:{line}"))
    }

    fn place(&self, (function, op): Place) -> String {
        let name = self.function(function);
        let body = self.module.functions[function].body.as_ref();
        match body.and_then(|body| self.location(body.op_locations[op as usize])) {
            Some(location) => format!("{location} ({name})"),
            None => format!("{name}, operation {op}"),
        }
    }

    fn name(&self, object: &Object) -> String {
        match object.kind {
            ObjectKind::Heap { place, allocator } => {
                let mut name = format!("{} at {}", self.function(allocator), self.place(place));
                for &caller in &object.context {
                    name += &format!(" from {}", self.place(caller));
                }
                name
            }
            ObjectKind::Local { place, site } => {
                format!("local {} of {}", self.module.sites[site].name, self.function(place.0))
            }
            ObjectKind::Global { global, .. } => format!("global {}", self.module.globals[global].name),
            ObjectKind::Constants => "constants".to_owned(),
            ObjectKind::Function(function) => format!("function {}", self.function(function)),
            ObjectKind::Variadic(function) => format!("variadic arguments of {}", self.function(function)),
            ObjectKind::ByValue { function, param } => {
                format!("parameter {param} of {}, by value", self.function(function))
            }
            ObjectKind::Environment(name) => name.to_owned(),
            ObjectKind::InTransit => "a copy".to_owned(),
        }
    }

    fn describe(&self, id: ObjectId) -> String {
        let object = &self.result.objects[id];
        match object.size {
            Some(size) => format!("{}, {size} bytes", self.name(object)),
            None => self.name(object),
        }
    }

    fn json(&self) -> Value {
        let objects = self.objects_shown().map(|(id, object)| {
            json!({
                "object": id.to_string(),
                "name": self.name(object),
                "size": object.size,
                "segment": self.segments.of_object(id).map(|segment| segment.to_string()),
            })
        });
        let names = |ids: &[ObjectId]| ids.iter().map(|id| id.to_string()).collect::<Vec<_>>();
        let segments = self.segments.segments.iter().map(|(id, segment)| {
            json!({ "segment": id.to_string(), "uses": segment.uses, "objects": names(&segment.objects) })
        });
        let accesses = self.accesses().into_iter().map(|(place, (write, objects))| {
            json!({ "place": self.place(place), "write": write, "objects": names(&objects) })
        });
        let effort = self.result.effort;
        json!({
            "seconds": effort.seconds,
            "functions": effort.functions,
            "instances": effort.instances,
            "waves": effort.waves,
            "complete": effort.complete,
            "objects": objects.collect::<Vec<_>>(),
            "segments": segments.collect::<Vec<_>>(),
            "accesses": accesses.collect::<Vec<_>>(),
        })
    }
}
