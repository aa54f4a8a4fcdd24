/* The record: what an engine (Valgrind, BOLT, DynamoRIO) writes about the machine code of a program
 * that it ran, and the plan: what `ridge run` tells an engine that is to simulate traffic.
 *
 * Both are files of one process each, little endian, aligned to 8. An engine writes one record for
 * each process (and another one after each exec), named as its options say. The reader is
 * `src/measure/binary/record/`, which trusts nothing of it.
 *
 * Traffic is that of regions of the plan and not of blocks: distinct lines, line use and sharing
 * cannot be added up over blocks. */
#ifndef RIDGE_ABI_RECORD_H
#define RIDGE_ABI_RECORD_H

#include <stdint.h>

#include "abi/layout.h"

enum { RIDGE_RECORD_VERSION = 1 };

enum ridge_engine { RIDGE_ENGINE_VALGRIND = 1, RIDGE_ENGINE_BOLT = 2, RIDGE_ENGINE_DYNAMORIO = 3 };

/* ---- record: header, then chunks up to RIDGE_RECORD_END ---- */

enum { RIDGE_RECORD_MAGIC = 0x43455252 }; /* "RREC" */

struct ridge_record_header {
  uint32_t magic;
  uint32_t version;
  uint32_t engine; /* enum ridge_engine */
  uint32_t pid;
  uint32_t parent_pid;
  uint32_t flags; /* enum ridge_record_flag */
};

enum ridge_record_flag {
  RIDGE_RECORD_FORKED = 1,      /* the process began by fork without exec */
  RIDGE_RECORD_SIMULATED = 2,   /* there is traffic */
  RIDGE_RECORD_BY_THREAD = 4,   /* executions are told apart by thread; else all are thread 0's */
  RIDGE_RECORD_SERIAL = 8,      /* threads ran one at a time */
  RIDGE_RECORD_BEFORE_EXEC = 16 /* the process went on as another program, of which there is a
                                   record of its own, unless it was killed */
};

struct ridge_record_chunk {
  uint32_t kind; /* enum ridge_record_kind; readers skip kinds that they do not know */
  uint32_t reserved;
  uint64_t bytes; /* of what follows, without the padding to a multiple of 8 */
};

enum ridge_record_kind {
  RIDGE_RECORD_ARGUMENTS = 1, /* argv as in /proc/self/cmdline */
  RIDGE_RECORD_MAPPING = 2, /* struct ridge_record_mapping, then the path, which may end with NUL */
  RIDGE_RECORD_BLOCK = 3,   /* struct ridge_record_block, then the code */
  RIDGE_RECORD_EXECUTIONS = 4, /* struct ridge_record_thread, then struct ridge_record_executions */
  RIDGE_RECORD_MASKS = 5,      /* struct ridge_record_thread, then struct ridge_record_mask */
  RIDGE_RECORD_TRAFFIC = 6,    /* struct ridge_record_traffic */
  RIDGE_RECORD_LINES = 7,      /* uint64_t region, then struct ridge_region_lines */
  RIDGE_RECORD_PILOT = 8,      /* uint64_t region, then struct ridge_region_pilot */
  RIDGE_RECORD_LOST = 9,       /* uint64_t: accesses that could not be simulated */
  RIDGE_RECORD_NOTE = 10,      /* a sentence for people, UTF-8: what this engine could not see */
  RIDGE_RECORD_UNKNOWN = 11,   /* struct ridge_record_unknown, then bytes of an instruction that the
                                  engine could not run: the program ended there */
  RIDGE_RECORD_ELSEWHERE = 12, /* struct ridge_record_traffic with `caches` */
  RIDGE_RECORD_UNCOUNTED = 13, /* name of a function whose executions the engine could not count */
  RIDGE_RECORD_SAMPLED = 14,   /* struct ridge_record_traffic: of sampled lines alone; each stands
                                  for RIDGE_LINE_CLASSES / classes in the plan's sample_mask */
  RIDGE_RECORD_END = 15,       /* empty: the record is whole */
  RIDGE_RECORD_TURNS = 16,     /* as RIDGE_RECORD_EXECUTIONS, of blocks that are one repeated string
                                  instruction (rep movs and the like): how many elements it moved,
                                  stored, loaded or compared. Its executions are how often the program
                                  came to it. An engine that cannot tell writes none */
  RIDGE_RECORD_STACK = 17,     /* struct ridge_record_stack, then its words: who had called whom at
                                  one moment, for a reader who unwinds. The samples of a record stand
                                  for equal numbers of executed blocks, of all threads together. An
                                  engine that cannot look writes none */
  RIDGE_RECORD_LAUNCHED = 18 /* variables of the environment by which launchers of parallel programs
                                number processes: NAME=VALUE, each ended by NUL. No others */
};

/* A file in memory, or memory without one (JIT), where code ran. */
struct ridge_record_mapping {
  uint64_t begin;
  uint64_t end;
  uint64_t file_offset; /* of `begin` */
  uint32_t number;      /* by which blocks name it */
  uint32_t has_file;    /* 0: no path follows */
};

/* Instructions that run one behind the other. The same instruction may stand in many blocks: its
 * executions are the sum of theirs. */
struct ridge_record_block {
  uint64_t address;
  uint32_t number;  /* 0, 1, 2, ... */
  uint32_t mapping; /* its number */
  uint32_t code_bytes;
  uint32_t reserved;
};

struct ridge_record_thread {
  uint32_t thread; /* in order of creation, from 0 */
  uint32_t tid;    /* of the kernel, 0: unknown */
  uint64_t count;  /* of entries that follow */
};

struct ridge_record_executions {
  uint64_t block;
  uint64_t executions; /* not 0 */
};

/* An instruction with a mask register (AVX-512), within a block. An engine that cannot look at
 * masks writes none: its lanes are then not known. */
struct ridge_record_mask {
  uint64_t block;
  uint32_t offset; /* of the instruction in the block, in bytes */
  uint32_t reserved;
  uint64_t active_lanes; /* sum over all executions */
};

struct ridge_record_traffic {
  uint32_t region; /* of the plan; 0: in none */
  uint32_t caches; /* of RIDGE_RECORD_ELSEWHERE: index into the plan's `elsewhere` */
  struct ridge_region_traffic traffic;
};

enum { RIDGE_STACK_REGISTERS = 17 };

/* A thread between two instructions. */
struct ridge_record_stack {
  uint32_t thread;     /* as in struct ridge_record_thread */
  uint32_t word_count; /* of uint64_t that follow: memory from the stack pointer upwards. There may
                          be none, and the stack may go on behind them */
  /* As DWARF numbers them: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15, then the instruction
   * pointer, at what would run next. */
  uint64_t registers[RIDGE_STACK_REGISTERS];
};

struct ridge_record_unknown {
  uint64_t address;
  uint32_t mapping; /* UINT32_MAX: none */
  uint32_t code_bytes;
};

/* ---- plan: header, modules, ranges, text ---- */

enum { RIDGE_PLAN_MAGIC = 0x4e4c5052 }; /* "RPLN" */

struct ridge_plan {
  uint32_t magic;
  uint32_t version;      /* RIDGE_RECORD_VERSION */
  uint32_t region_count; /* ids below this are in use; 0 is none */
  uint32_t module_count;
  uint64_t range_count;
  uint64_t text_bytes;
  struct ridge_cache_config caches;
  uint32_t traffic_mode; /* enum ridge_traffic_mode */
  uint32_t elsewhere_count;
  uint64_t sample_mask;
  struct ridge_cache_levels elsewhere[RIDGE_ELSEWHERE_MAX];
};

/* Its ranges follow one another, by offset, apart from one another. */
struct ridge_plan_module {
  uint64_t path; /* offset in the text, NUL-terminated; as in ridge_record_mapping */
  uint64_t first_range;
  uint64_t range_count;
};

struct ridge_plan_range {
  uint64_t begin; /* offset in the file */
  uint64_t end;
  uint32_t region;
  uint32_t reserved;
};

#endif
