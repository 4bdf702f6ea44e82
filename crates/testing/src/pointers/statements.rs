//! What a program does with its pointers.

use super::Generator;
use super::objects::{Kind, Object, Table, bytes_of};

impl Generator {
    pub(super) fn statement(&mut self) {
        let table = self.tables[self.random.below(self.tables.len())].clone();
        match self.random.below(21) {
            0..=2 => self.write(&table),
            3..=5 => self.read(&table),
            6 => self.compare_values(&table),
            7 => self.exchange_pointers(&table),
            8 => self.compare_pointers(&table),
            9 => self.conditional_pointer(&table),
            10 => self.around_the_middle(&table),
            11 => self.byte_by_byte(&table),
            12 => self.block(&table),
            13 => self.give_back(&table),
            14 => self.enlarge(&table),
            15 => self.give_back_any(&table),
            16 => self.unaligned(&table),
            17 => self.in_a_loop(&table),
            18 => self.hidden(&table),
            19 => self.distance(),
            _ => self.grid(),
        }
    }

    /// An element behind some pointer of a table.
    fn place(&mut self, table: &Table) -> String {
        let over = usize::from(self.careless && self.random.below(6) == 0);
        let room = self.room(table) + over;
        let row = self.index(table.entries.len());
        let column = if self.random.below(3) == 0 { self.random.below(room).to_string() } else { self.index(room) };
        format!("{}[{row}][{column}]", table.name)
    }

    fn value(&mut self, table: &Table) -> String {
        match self.random.below(4) {
            0 => self.input(),
            1 => format!("{} + 1", self.place(table)),
            _ => self.random.below(12).to_string(),
        }
    }

    fn write(&mut self, table: &Table) {
        let operation = ["=", "=", "+=", "^="][self.random.below(4)];
        let (place, value) = (self.place(table), self.value(table));
        self.line(&format!("{place} {operation} {value};"));
    }

    fn read(&mut self, table: &Table) {
        let (place, name) = (self.place(table), self.fresh_name("v"));
        self.line(&format!("{} {name} = {place};", table.ty));
        for _ in 0..1 + self.random.below(3) {
            let wanted = self.random.below(10);
            let condition = format!("{name} == {wanted}");
            self.end_if(&condition);
        }
    }

    fn compare_values(&mut self, table: &Table) {
        let (one, two) = (self.place(table), self.place(table));
        let operator = ["<", "==", ">="][self.random.below(3)];
        let condition = format!("{one} {operator} {two}");
        self.end_if(&condition);
    }

    /// Afterwards any entry may be any of them; the smallest room stays the smallest.
    fn exchange_pointers(&mut self, table: &Table) {
        let (one, two, name) = (self.index(table.entries.len()), self.index(table.entries.len()), &table.name);
        let ty = table.ty;
        let kept = self.fresh_name("p");
        self.line(&format!("{ty} *{kept} = {name}[{one}];"));
        self.line(&format!("{name}[{one}] = {name}[{two}];"));
        self.line(&format!("{name}[{two}] = {kept};"));
    }

    fn compare_pointers(&mut self, table: &Table) {
        let name = &table.name;
        let (one, two) = (self.index(table.entries.len()), self.index(table.entries.len()));
        let same = ["==", "!="][self.random.below(2)];
        let plus = self.random.below(2);
        let condition = format!("{name}[{one}] {same} {name}[{two}] + {plus}");
        self.end_if(&condition);
    }

    /// A choice between two pointers by a comparison, in memory and so without a branch.
    fn conditional_pointer(&mut self, table: &Table) {
        let (one, two) = (self.index(table.entries.len()), self.index(table.entries.len()));
        let (pointer, ty, bound, input) =
            (self.fresh_name("p"), table.ty, 1 + self.random.below(250), self.random.below(super::INPUTS));
        let (name, room, column) = (&table.name, self.room(table), self.random.below(3));
        self.line(&format!("{ty} *{pointer} = (({ty} *[]){{{name}[{one}], {name}[{two}]}})[in[{input}] > {bound}];"));
        let column = column.min(room - 1);
        self.line(&format!("{pointer}[{column}] ^= 5;"));
        let condition = format!("{pointer}[{column}] == {}", self.random.below(8));
        self.end_if(&condition);
    }

    fn around_the_middle(&mut self, table: &Table) {
        let room = self.room(table);
        let middle = room / 2;
        let (pointer, row, column) = (self.fresh_name("p"), self.index(table.entries.len()), self.index(room));
        self.line(&format!("{} *{pointer} = {}[{row}] + {middle};", table.ty, table.name));
        self.line(&format!("{pointer} += {column};"));
        self.line(&format!("{pointer}[-{middle}] += 2;"));
        let condition = format!("*({pointer} - {middle}) == {}", 2 + self.random.below(8));
        self.end_if(&condition);
    }

    fn byte_by_byte(&mut self, table: &Table) {
        let (pointer, row, column) =
            (self.fresh_name("p"), self.index(table.entries.len()), self.random.below(self.room(table)));
        let ty = table.ty;
        self.line(&format!("{ty} *{pointer};"));
        self.line("for (unsigned b = 0; b < sizeof(void *); b++)");
        let (to, from) = (format!("((unsigned char *)&{pointer})[b]"), format!("{}[{row}]", table.name));
        self.line(&format!("  {to} = ((unsigned char *)&{from})[b];"));
        self.line(&format!("{pointer}[{column}] = 9;"));
    }

    fn block(&mut self, table: &Table) {
        let (row, length, ty) = (self.index(table.entries.len()), self.room(table), table.ty);
        let buffer = self.fresh_name("buffer");
        let name = &table.name;
        self.line(&format!("{ty} {buffer}[{length}];"));
        self.line(&format!("memcpy({buffer}, {name}[{row}], sizeof {buffer});"));
        let condition = format!("{buffer}[{}] == {}", self.random.below(length), self.random.below(8));
        self.end_if(&condition);
        let other = self.index(table.entries.len());
        if self.random.coin() {
            self.line(&format!("memcpy({name}[{other}], {buffer}, sizeof {buffer});"));
        } else {
            self.line(&format!("memset({name}[{other}], 1, sizeof {buffer});"));
        }
    }

    /// An object of a table that lives on the heap.
    fn on_the_heap(&mut self, table: &Table) -> Option<usize> {
        let heap = |object: &usize| self.objects[*object].kind == Kind::Heap && !self.objects[*object].freed;
        let found: Vec<usize> = table.entries.iter().flatten().map(|(object, _)| *object).filter(heap).collect();
        if found.is_empty() { None } else { Some(found[self.random.below(found.len())]) }
    }

    /// Frees an object. What pointed to it points elsewhere first, but in a careless program.
    fn give_back(&mut self, table: &Table) {
        let Some(object) = self.on_the_heap(table) else { return self.write(table) };
        let name = self.objects[object].name.clone();
        let stays = self.careless && self.random.coin();
        if !stays {
            let fresh = self.object(table.ty, Kind::Heap);
            self.redirect(object, fresh);
        }
        self.line(&format!("forget({name});"));
        self.line(&format!("free({name});"));
        self.objects[object].freed = true;
    }

    /// Every entry of every table that may lead to an object leads to the start of another. Entries may have been
    /// exchanged, so each is compared.
    fn redirect(&mut self, object: usize, other: usize) {
        let (old, new) = (self.objects[object].name.clone(), self.objects[other].name.clone());
        let length = self.objects[object].length;
        for at in 0..self.tables.len() {
            if self.tables[at].ty != self.objects[object].ty {
                continue;
            }
            let (name, count) = (self.tables[at].name.clone(), self.tables[at].entries.len());
            for index in 0..count {
                let entry = format!("{name}[{index}]");
                self.line(&format!("if ({entry} >= {old} && {entry} < {old} + {length})"));
                self.line(&format!("  {entry} = {new};"));
                self.tables[at].entries[index] = match self.tables[at].entries[index] {
                    Some((old, _)) if old == object => Some((other, 0)),
                    kept => kept,
                };
            }
        }
    }

    fn enlarge(&mut self, table: &Table) {
        let Some(object) = self.on_the_heap(table) else { return self.read(table) };
        let grown = self.fresh_name("heap_");
        let (name, length, ty) = (self.objects[object].name.clone(), self.objects[object].length, table.ty);
        self.line(&format!("forget({name});"));
        self.line(&format!("{ty} *{grown} = realloc({name}, {} * sizeof({ty}));", length + 4));
        self.line(&format!("memset({grown} + {length}, 3, 4 * sizeof({ty}));"));
        self.line(&format!("track({grown}, {} * sizeof({ty}));", length + 4));
        let bigger = Object { name: grown, length: length + 4, ..self.objects[object].clone() };
        self.objects.push(bigger);
        self.redirect(object, self.objects.len() - 1);
        self.objects[object].freed = true;
    }

    /// Frees a block that an input chooses, among blocks that nobody else knows.
    fn give_back_any(&mut self, table: &Table) {
        let (blocks, ty) = (self.fresh_name("blocks"), table.ty);
        self.line(&format!("{ty} *{blocks}[3];"));
        self.line("for (int b = 0; b < 3; b++)");
        self.line(&format!("  {blocks}[b] = calloc(3, sizeof({ty}));"));
        let (one, two) = (self.index(3), self.index(3));
        self.line(&format!("{blocks}[{one}][1] = 4;"));
        self.line(&format!("free({blocks}[{one}]);"));
        self.line(&format!("{blocks}[{one}] = {};", table_start(table)));
        let condition = format!("{blocks}[{two}][{}] == 4", if self.careless { 3 } else { 1 });
        self.end_if(&condition);
    }

    fn unaligned(&mut self, table: &Table) {
        let size = self.room(table) * bytes_of(table.ty);
        if size < 5 {
            return self.write(table);
        }
        let (row, column) = (self.index(table.entries.len()), self.index(size - 3));
        let name = self.fresh_name("w");
        self.line(&format!("struct any32 *{name} = (struct any32 *)((u8 *){}[{row}] + {column});", table.name));
        self.line(&format!("{name}->value += 0x01000201;"));
        let condition = format!("({name}->value & 255) == {}", self.random.below(6));
        self.end_if(&condition);
    }

    fn in_a_loop(&mut self, table: &Table) {
        let (count, input, room) = (table.entries.len(), self.input(), self.room(table));
        self.line(&format!("for (unsigned k = 0; k < {}; k++)", count.min(3)));
        self.line(&format!("  bump((u8 *)&{}[({input} + k) % {count}][k % {room}]);", table.name));
    }

    fn hidden(&mut self, table: &Table) {
        let (row, column) = (self.index(table.entries.len()), self.index(self.room(table)));
        let name = self.fresh_name("h");
        self.line(&format!("uintptr_t {name} = (uintptr_t){}[{row}] ^ 0x5a5a;", table.name));
        self.line(&format!("(({} *)({name} ^ 0x5a5a))[{column}] += 1;", table.ty));
    }

    /// The distance between places of one array, in another.
    fn distance(&mut self) {
        let (one, two, places) = (self.fresh_name("local_"), self.fresh_name("local_"), self.fresh_name("places"));
        self.line(&format!("u8 {one}[4] = {{1, 2, 3, 4}}, {two}[7] = {{5, 6, 7}};"));
        self.line(&format!("track({one}, sizeof {one});"));
        self.line(&format!("track({two}, sizeof {two});"));
        self.line(&format!("u8 *{places}[3] = {{{one} + 2, {one}, {one} + 3}};"));
        let to = format!("{places}[{}]", self.index(3));
        let distance = match self.random.below(3) {
            0 => format!("{to} - {one}"),
            1 => format!("{to} - {one} + {}", self.index(2)),
            _ => format!("{to} - {places}[{}] + 3", self.index(3)),
        };
        self.line(&format!("{two}[{distance}] += 3;"));
        let condition = format!("{two}[{distance}] == {}", self.random.below(10));
        self.end_if(&condition);
    }

    /// Pointers to rows of two grids.
    fn grid(&mut self) {
        let (one, two, rows) = (self.fresh_name("grid_"), self.fresh_name("grid_"), self.fresh_name("rows"));
        self.globals += &format!("static u16 {one}[2][3] = {{{{1, 2}}, {{3, 4}}}};\n");
        self.line(&format!("u16 {two}[3][3] = {{{{5}}, {{6, 7}}}}, (*{rows}[2])[3] = {{{one}, {two} + 1}};"));
        self.line(&format!("track({one}, sizeof {one});"));
        self.line(&format!("track({two}, sizeof {two});"));
        let (which, row, column) = (self.index(2), self.index(2), self.index(3));
        self.line(&format!("u16 *{rows}_cell = &{rows}[{which}][{row}][{column}];"));
        let wanted = self.random.below(8);
        let condition = format!("*{rows}_cell == {wanted}");
        self.end_if(&condition);
        self.line(&format!("*{rows}_cell = 70;"));
    }
}

/// A pointer with room for three elements that is no block's.
fn table_start(table: &Table) -> String {
    format!("({} *)(u64[4]){{4, 4, 4, 4}}", table.ty)
}
