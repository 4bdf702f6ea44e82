//! Small C programs, and which of their allocations meet. An allocation is named by its line.

use osier_frontend::{Options, load};
use osier_ir::Module;
use osier_pointsto::{AnalysisOptions, ObjectId, ObjectKind, PointsTo, SegmentRules, Segments, analyse, segments};

struct Analysed {
    module: Module,
    result: PointsTo,
}

fn analysed_with(source: &str, options: AnalysisOptions) -> Analysed {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.c");
    std::fs::write(&path, source).unwrap();
    let module = load(&[path], &Options::default()).unwrap().module;
    let entry = module.function_named("main").unwrap();
    let result = analyse(&module, entry, options);
    assert!(result.effort.complete);
    Analysed { module, result }
}

fn analysed(source: &str) -> Analysed {
    analysed_with(source, AnalysisOptions::default())
}

impl Analysed {
    /// The line of the outermost call that an object was allocated for, or the name of a global.
    fn name(&self, id: ObjectId) -> String {
        let object = &self.result.objects[id];
        match object.kind {
            ObjectKind::Heap { place, .. } => {
                let (function, op) = object.context.last().copied().unwrap_or(place);
                let body = self.module.functions[function].body.as_ref().unwrap();
                self.module.locations[body.op_locations[op as usize]].line.to_string()
            }
            ObjectKind::Global { global, .. } => self.module.globals[global].name.clone(),
            ObjectKind::Local { site, .. } => self.module.sites[site].name.clone(),
            other => format!("{other:?}"),
        }
    }

    fn segments(&self) -> Segments {
        segments(&self.result, SegmentRules::default())
    }

    /// The segments, as names of the objects in them.
    fn partition(&self) -> Vec<Vec<String>> {
        let names = |ids: &[ObjectId]| {
            let mut names: Vec<String> = ids.iter().map(|&id| self.name(id)).collect();
            names.sort();
            names
        };
        let mut all: Vec<_> = self.segments().segments.values().map(|segment| names(&segment.objects)).collect();
        all.sort();
        all
    }

    /// What the operations of a line may read or write.
    fn targets(&self, line: u32) -> Vec<String> {
        let mut names = Vec::new();
        for access in &self.result.accesses {
            let body = self.module.functions[access.place.0].body.as_ref().unwrap();
            if self.module.locations[body.op_locations[access.place.1 as usize]].line == line {
                names.extend(self.result.sets[access.set as usize].iter().map(|&id| self.name(id)));
            }
        }
        names.sort();
        names.dedup();
        names
    }
}

const MATRIX: &str = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
int klee_range(int, int, const char *);
int main() {
  int **matrix = malloc(40 * sizeof(int *));
  for (int i = 0; i < 40; i++)
    matrix[i] = calloc(40, sizeof(int));
  matrix[0][0] = 120;
  int i = klee_range(0, 40, \"i\"), j = klee_range(0, 40, \"j\");
  return matrix[i][j] > 0;
}";

#[test]
fn the_matrix_and_its_rows_are_two_segments() {
    let program = analysed(MATRIX);
    assert_eq!(program.partition(), [["4"], ["6"]]);
    assert_eq!(program.targets(9), ["4", "6"]);
}

#[test]
fn the_engine_asks_by_place_and_by_global() {
    let program = analysed(MATRIX);
    let segments = program.segments();
    let main = program.module.function_named("main").unwrap();
    let of_lines: Vec<_> = program
        .result
        .objects
        .values()
        .filter_map(|object| match object.kind {
            ObjectKind::Heap { place, .. } => segments.of_allocation(&program.result, place, &[(main, 0)]),
            _ => None,
        })
        .collect();
    assert_eq!(of_lines.len(), 2);
    assert_ne!(of_lines[0], of_lines[1]);
}

#[test]
fn a_list_is_one_segment() {
    let program = analysed(
        "void *malloc(unsigned long);
struct node { int value; struct node *next; };
int main() {
  struct node *list = 0;
  for (int i = 0; i < 9; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = list; node->value = i; list = node;
  }
  struct node *other = malloc(sizeof *other);
  other->next = 0;
  int sum = 0;
  for (struct node *at = list; at; at = at->next)
    sum += at->value;
  return sum;
}",
    );
    assert_eq!(program.partition(), [["6"], ["9"]]);
}

#[test]
fn fields_of_a_struct_are_kept_apart() {
    let program = analysed(
        "void *malloc(unsigned long);
struct pair { int *left; char *right; };
int main() {
  struct pair *pair = malloc(sizeof *pair);
  pair->left = malloc(4);
  pair->right = malloc(8);
  *pair->left = 1;
  *pair->right = 2;
  return 0;
}",
    );
    assert_eq!(program.partition(), [["4"], ["5"], ["6"]]);
}

#[test]
fn a_union_and_an_integer_carry_a_pointer() {
    let program = analysed(
        "void *malloc(unsigned long);
union any { unsigned long number; int *pointer; };
int main() {
  union any any; any.pointer = malloc(4);
  unsigned long number = any.number | 1;
  *(int *)(number & ~1ul) = 3;
  return *(int *)(number - 1);
}",
    );
    assert_eq!(program.targets(6), ["4"]);
    assert!(program.targets(7).contains(&"4".to_string()));
}

#[test]
fn memcpy_moves_the_pointers_in_what_it_copies() {
    let program = analysed(
        "void *malloc(unsigned long); void *memcpy(void *, const void *, unsigned long);
struct pair { int *left, *right; };
int main(int argc, char **argv) {
  struct pair one, two; struct pair *array = malloc(sizeof *array * argc);
  one.left = malloc(4); one.right = malloc(8);
  memcpy(&two, &one, sizeof one);
  memcpy(array, &one, sizeof one * argc);
  *two.right = 1;
  *array[argc].left = 2;
  int **copy = malloc(8 * argc);
  return 0;
}"
        .replace("int **copy", "int *unused; int **copy")
        .as_str(),
    );
    let names = program.targets(8);
    assert_eq!(names.iter().filter(|name| *name == "5").count(), 1, "{names:?}");
    assert!(program.targets(9).contains(&"5".to_string()));
    let of_line_5: Vec<_> = program.partition().into_iter().filter(|objects| objects.contains(&"5".into())).collect();
    assert_eq!(of_line_5, [["5"], ["5"]], "left and right stay apart");
}

#[test]
fn calls_through_pointers_reach_their_functions_only() {
    let program = analysed(
        "void *malloc(unsigned long);
static int *first(int *p) { *p = 1; return p; }
static int *second(int *p) { *p = 2; return p; }
static void never(int *p, int n) { *p = n; }
int *(*table[])(int *) = { first, second };
void (*unused)(int *, int) = never;
int main(int argc, char **argv) {
  int *block = malloc(4);
  return *table[argc](block);
}",
    );
    assert_eq!(program.targets(2), ["8"]);
    assert_eq!(program.targets(3), ["8"]);
    assert!(program.targets(4).is_empty());
    assert!(program.targets(9).contains(&"8".to_string()));
}

const WRAPPERS: &str = "void *malloc(unsigned long); void abort(void);
static void *xmalloc(unsigned long size) { void *block = malloc(size); if (!block) abort(); return block; }
static void *twice(unsigned long size) { return xmalloc(2 * size); }
static void into(void **result, unsigned long size) { *result = malloc(size); }
int main() {
  int *one = xmalloc(4);
  int *two = xmalloc(4);
  int *three = twice(4);
  int *four = twice(4);
  void *five, *six;
  into(&five, 4);
  into(&six, 4);
  *one = *two = *three = *four = 0;
  *(char *)five = 1; *(char *)six = 1;
  return 0;
}";

#[test]
fn what_wrappers_of_malloc_return_is_told_apart_by_callers() {
    let program = analysed(WRAPPERS);
    assert_eq!(program.partition(), [["11"], ["12"], ["6"], ["7"], ["8"], ["9"]]);
    let without = analysed_with(WRAPPERS, AnalysisOptions { context: 0, ..AnalysisOptions::default() });
    assert_eq!(without.partition().len(), 2);
    let main = program.module.function_named("main").unwrap();
    let xmalloc = program.module.function_named("xmalloc").unwrap();
    let mut found: Vec<_> = (0..200)
        .filter_map(|op| {
            let place = program.result.objects.values().find_map(|object| match object.kind {
                ObjectKind::Heap { place, .. } if place.0 == xmalloc => Some(place),
                _ => None,
            })?;
            let id = program.result.object_of_allocation(place, &[(main, op)])?;
            (program.result.objects[id].context == [(main, op)]).then_some(id)
        })
        .collect();
    found.dedup();
    assert_eq!(found.len(), 2, "the two direct calls of xmalloc in main");
}

#[test]
fn a_function_that_uses_what_it_is_given_does_not_make_all_meet() {
    let program = analysed(
        "void *malloc(unsigned long);
int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
int main() {
  char *one = malloc(4), *other;
  other = malloc(8);
  *one = *other = 0;
  return length(one) + length(other);
}",
    );
    assert_eq!(program.partition(), [["4"], ["5"]]);
}

#[test]
fn one_pointer_to_either_makes_them_meet() {
    let program = analysed(
        "void *malloc(unsigned long);
int main(int argc, char **argv) {
  char *one = malloc(4);
  char *other = malloc(8);
  char *third = malloc(16);
  *third = 1;
  char *either = argc > 1 ? one : other;
  return *either;
}",
    );
    assert_eq!(program.partition(), [vec!["3".to_string(), "4".into()], vec!["5".into()]]);
}

#[test]
fn realloc_keeps_what_a_block_held() {
    let program = analysed(
        "void *malloc(unsigned long); void *realloc(void *, unsigned long);
int main(int argc, char **argv) {
  int **array = malloc(8);
  array[0] = malloc(4);
  array = realloc(array, 8 * argc);
  *array[0] = 1;
  return 0;
}",
    );
    assert_eq!(program.targets(6), ["4", "5"]);
}

#[test]
fn variadic_arguments_arrive() {
    let program = analysed(
        "#include <stdarg.h>
void *malloc(unsigned long);
static int use(int count, ...) {
  va_list list; va_start(list, count);
  int *block = va_arg(list, int *); va_end(list);
  *block = 1;
  return 0;
}
int main() { return use(1,
  malloc(4)); }",
    );
    assert_eq!(program.targets(6), ["10"]);
}

#[test]
fn a_list_of_free_blocks_does_not_make_one_of_all_blocks() {
    let program = analysed(
        "void *malloc(unsigned long); void free(void *);
static struct block { struct block *next; } *unused;
static void give_back(void *p) { struct block *b = p; if (p == (void *)8) { b->next = unused; unused = b; } else free(p); }
static void *get(unsigned long n) { void *p = unused; if (p) { unused = unused->next; return p; } return malloc(n); }
int main() {
  int *one = get(8);
  long *two = get(8);
  *one = 1; *two = 2;
  give_back(one); give_back(two);
  return 0;
}",
    );
    let partition = program.partition();
    assert!(partition.contains(&vec!["6".to_string()]) && partition.contains(&vec!["7".to_string()]), "{partition:?}");
}

/// Every access reaches at least what it reaches when all pointers are told apart.
#[test]
fn pointers_that_are_not_told_apart_reach_no_less() {
    let table = "void *malloc(unsigned long); void *memcpy(void *, const void *, unsigned long);
struct node { struct node *next; int *value; int *(*get)(struct node *); };
static int *plain(struct node *node) { return node->value; }
static int *copied(struct node *node) { struct node copy; memcpy(&copy, node, sizeof copy); return copy.value; }
static struct node *push(struct node *list, int n) {
  struct node *node = malloc(sizeof *node);
  node->next = list; node->value = malloc(4);
  node->get = n ? plain : copied;
  return node;
}
static int sum(int n, ...) { __builtin_va_list list; __builtin_va_start(list, n); return *__builtin_va_arg(list, int *); }
int main(int argc, char **argv) {
  struct node *list = 0, *table[4];
  for (int i = 0; i < argc; i++)
    table[i % 4] = list = push(list, i);
  struct node **cursor = &list;
  while (*cursor)
    cursor = &(*cursor)->next;
  int *alone = malloc(8);
  *alone = 1;
  *table[argc % 4]->get(list) = *alone;
  return sum(argc, alone);
}";
    for source in [MATRIX, WRAPPERS, table] {
        let apart = analysed(source);
        for most_locations in [0, 1, 2, 3, 5] {
            let options = AnalysisOptions { most_locations, ..AnalysisOptions::default() };
            let together = analysed_with(source, options);
            for line in 1..=source.lines().count() as u32 {
                let found = together.targets(line);
                let missing: Vec<_> = apart.targets(line).into_iter().filter(|name| !found.contains(name)).collect();
                assert!(missing.is_empty(), "at most {most_locations}: line {line} lacks {missing:?}");
            }
        }
    }
}
