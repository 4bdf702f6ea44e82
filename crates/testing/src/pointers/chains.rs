//! Lists whose nodes an input chooses.

use super::Generator;

impl Generator {
    /// Nodes of every kind of memory, linked, each with a pointer to numbers of its own; and what is done with them.
    pub(super) fn chain(&mut self) {
        self.globals += "struct node { struct node *next; u16 value; u8 tag[6]; u32 *to; };\n";
        self.globals += "static struct node first_node;\n";
        self.line(
            "struct node second_node = {0}, *nodes[4] = {&first_node, &second_node, calloc(1, sizeof(struct node)), \
                   malloc(sizeof(struct node))};",
        );
        self.line("for (int n = 0; n < 4; n++) {");
        self.line("  nodes[n]->next = n ? nodes[n - 1] : NULL;");
        self.line("  nodes[n]->value = 3 * n;");
        self.line("  memset(nodes[n]->tag, n, 6);");
        self.line("  nodes[n]->to = calloc(3, sizeof(u32));");
        self.line("  nodes[n]->to[n % 3] = n + 1;");
        self.line("  track(&nodes[n]->value, 8);");
        self.line("  track(nodes[n]->to, 3 * sizeof(u32));");
        self.line("}");
        for _ in 0..1 + self.random.below(3) {
            let (node, column) = (self.index(4), self.index(6));
            match self.random.below(6) {
                0 => {
                    let condition = format!("nodes[{node}]->value == {}", 3 * self.random.below(5));
                    self.end_if(&condition);
                }
                1 => {
                    self.line(&format!("nodes[{node}]->tag[{column}] += 5;"));
                    let condition = format!("nodes[{}]->tag[1] > 5", self.random.below(4));
                    self.end_if(&condition);
                }
                2 => {
                    let guard = if self.careless { "" } else { &format!("nodes[{node}]->next && ") };
                    let condition = format!("{guard}nodes[{node}]->next->value == 3");
                    self.end_if(&condition);
                }
                3 => {
                    let column = self.index(3);
                    let condition = format!("nodes[{node}]->to[{column}] == {}", 1 + self.random.below(4));
                    self.end_if(&condition);
                }
                4 => {
                    let other = self.index(4);
                    self.line(&format!("nodes[{node}]->to = nodes[{other}]->to;"));
                    let text = format!("nodes[{other}]->to[{}] ^= 8;", self.random.below(3));
                    self.line(&text);
                    let condition = format!("nodes[{node}]->to[0] == 9");
                    self.end_if(&condition);
                }
                _ => {
                    self.line("{");
                    self.line("  unsigned length = 0;");
                    self.line(&format!("  for (struct node *at = nodes[{node}]; at; at = at->next)"));
                    self.line("    length++;");
                    let condition = format!("length == {}", 1 + self.random.below(4));
                    self.end_if(&condition);
                    self.line("}");
                }
            }
        }
    }
}
