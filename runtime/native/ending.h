/*
 * How the native twin tells the replayer why a run ended.
 *
 * If OSIER_ENDING names a file, the twin writes one record there, lines of `key value`:
 *
 *     ending    exit | silent-exit | assertion | abort | user-error | assumption-violated | inputs-exhausted
 *               | input-mismatch | bad-test | not-native
 *     file, line, function, message      where they are known
 *     inputs    USED TOTAL               how many of the test's objects the program asked for
 *
 * The first record stands. Without the variable the exit status alone tells:
 */
#ifndef OSIER_NATIVE_ENDING_H
#define OSIER_NATIVE_ENDING_H

enum osier_exit_status {
    OSIER_EXIT_ASSUMPTION_VIOLATED = 110, /* the test does not satisfy an assumption, or a range */
    OSIER_EXIT_INPUTS_EXHAUSTED = 111,    /* the program asked for more objects than the test has */
    OSIER_EXIT_INPUT_MISMATCH = 112,      /* it asked for an object of another name or size */
    OSIER_EXIT_BAD_TEST = 113,            /* no test was named, or it is unreadable */
    OSIER_EXIT_USER_ERROR = 114,          /* klee_report_error */
    OSIER_EXIT_NOT_NATIVE = 115,          /* a question that only the engine can answer */
};

/* Any text may be null and line may be 0: such keys are left out. */
void osier_record_ending(const char *ending, const char *file, int line, const char *function, const char *message);

#endif
