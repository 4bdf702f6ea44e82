int main(void) { return 7; }
//~ paths: 1
//~ tests: 1
//~ exits: 7*1
//~ covered: 100%
