static unsigned depth(unsigned n) { return n == 0 ? 0 : 1 + depth(n - 1); }
int main(void) { return depth(2000) == 2000 ? 0 : 1; }
//~ exits: 0
