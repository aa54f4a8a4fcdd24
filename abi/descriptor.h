/* The module descriptor: what the compiler plugin knows of one translation unit, as one flat
 * little-endian blob that the runtime copies into shared memory and `ridge run` decodes.
 *
 *   struct ridge_descriptor_header
 *   struct ridge_region_descriptor  [region_count]
 *   struct ridge_counter_descriptor [counter_count]
 *   struct ridge_term_descriptor    [term_count]
 *   char                            strings[string_bytes]   (NUL-terminated; offset 0 is "")
 *
 * The rule that gives every number: value of counter c, times term.amount, is added to
 * term.quantity of region counter[c].region, for every term of c. Nothing else is counted.
 *
 * The descriptor comes from a measured program, so whoever reads it checks every index. */
#ifndef RIDGE_ABI_DESCRIPTOR_H
#define RIDGE_ABI_DESCRIPTOR_H

#include <stdint.h>

enum { RIDGE_DESCRIPTOR_MAGIC = 0x44474452 }; /* "RDGD" */
enum { RIDGE_NO_PARENT = 0xffffffffu };

struct ridge_descriptor_header {
  uint32_t magic;
  uint32_t abi_version;
  uint32_t total_bytes; /* header included */
  uint32_t region_count;
  uint32_t counter_count;
  uint32_t term_count;
  uint32_t string_bytes;
  uint32_t ridge_version; /* string offset */
  uint32_t source_file;   /* string offset: the translation unit */
  uint32_t compiler;      /* string offset: "clang 19.1.7" */
  uint32_t flags;         /* string offset: the code generation flags, "-O3 -march=native" */
  uint32_t reserved;
};

enum ridge_region_kind {
  RIDGE_REGION_FUNCTION = 1,
  RIDGE_REGION_LOOP = 2,
  /* A call that leaves instrumented code: `name` is the callee, `parent` the calling region. Its
   * time is shown as "in LIBRARY"; the runtime resolves the library. */
  RIDGE_REGION_CALL = 3,
  /* Waiting in the OpenMP runtime (a barrier, the join of a fork). `parent` as above. */
  RIDGE_REGION_OMP_WAIT = 4,
};

/* A function is described by its linkage name; `ridge run` demangles. */
struct ridge_region_descriptor {
  uint32_t kind;
  uint32_t parent; /* index into the same table, always smaller than the own, or RIDGE_NO_PARENT */
  uint32_t name;   /* function and loop: linkage name of the source function that holds it (after
                      inlining: of the inlined one); call: linkage name of the callee */
  uint32_t function; /* linkage name of the machine function that the code ended up in; an outlined
                        OpenMP body carries its parent function here */
  uint32_t file;     /* string offsets; 0 = unknown */
  uint32_t directory;
  uint32_t line; /* 0 = unknown */
  uint32_t column;
  uint32_t inlined_at; /* string: "f:12:3<g:40:7" innermost call first, or 0 */
  uint32_t versions;   /* loops after optimisation that were summed into this one: vector body,
                          remainder, peeled ... (1 = just one) */
};

struct ridge_counter_descriptor {
  uint32_t region;
  uint32_t first_term;
  uint32_t term_count;
  /* The counter is written when its loop is left: after a kill inside the loop it is behind. */
  uint32_t deferred;
};

enum ridge_quantity {
  RIDGE_FLOPS = 1,     /* precision, kind, width_bits; amount = flop per count (fma: 2 per lane) */
  RIDGE_OTHER_OPS = 2, /* min, max, compare, convert ...: amount = lanes per count */
  RIDGE_INT_OPS = 3,   /* amount = lanes per count */
  RIDGE_BYTES_LOADED = 4,
  RIDGE_BYTES_STORED = 5,
  RIDGE_ENTRIES = 6,            /* times the region was entered */
  RIDGE_ITERATIONS = 7,         /* of the source loop, from the early pass */
  RIDGE_HEADER_EXECUTIONS = 8,  /* of the optimised loop; used when no term has ITERATIONS */
  RIDGE_CALLS = 9,              /* libm, memcpy, atomics: name; amount = lanes per count */
  RIDGE_OPAQUE = 10,            /* uninstrumented callee or inline assembly: name */
  RIDGE_BYTES_NON_TEMPORAL = 11 /* part of BYTES_STORED */
};

enum ridge_precision { RIDGE_FP64 = 0, RIDGE_FP32 = 1, RIDGE_FP16 = 2, RIDGE_BF16 = 3 };
enum ridge_operation { RIDGE_ADD = 0, RIDGE_MUL = 1, RIDGE_FMA = 2, RIDGE_DIV = 3, RIDGE_SQRT = 4 };

struct ridge_term_descriptor {
  uint32_t quantity;
  uint16_t precision;  /* FLOPS only, else 0 */
  uint16_t operation;  /* FLOPS only, else 0 */
  uint32_t width_bits; /* FLOPS only: 64 = scalar fp64, 128, 256, 512 ... */
  uint32_t name;       /* CALLS and OPAQUE only: string offset */
  uint64_t amount;
};

#endif
