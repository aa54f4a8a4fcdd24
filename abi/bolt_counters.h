/* The counters that a program instrumented by BOLT leaves: one file for each process image (an exec
 * begins another one, a fork counts into that of its parent), little endian.
 *
 * A page with this header, then the counters, then the arguments. The counters are mapped into the
 * program, so that they are there however it ends: _exit, a signal, a kill. */
#ifndef RIDGE_ABI_BOLT_COUNTERS_H
#define RIDGE_ABI_BOLT_COUNTERS_H

#include <stdint.h>

enum {
  RIDGE_BOLT_MAGIC = 0x544c4252, /* "RBLT" */
  RIDGE_BOLT_VERSION = 1,
  RIDGE_BOLT_PAGE = 4096
};

struct ridge_bolt_header {
  uint32_t magic;
  uint32_t version;
  uint32_t pid;
  uint32_t parent_pid;
  uint64_t counter_count; /* uint64_t each, from RIDGE_BOLT_PAGE on */
  uint64_t arguments;     /* offset of argv as in /proc/self/cmdline, which ends with the file */
};

#endif
