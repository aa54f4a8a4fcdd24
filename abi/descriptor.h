/* The module descriptor: what the compiler plugin knows of one translation unit, as one flat
 * little-endian blob that the runtime copies into shared memory and `ridge run` decodes.
 *
 *   struct ridge_descriptor_header
 *   struct ridge_region_descriptor  [region_count]
 *   struct ridge_counter_descriptor [counter_count]
 *   struct ridge_term_descriptor    [term_count]
 *   struct ridge_probed_function    [probed_function_count]
 *   uint32_t                        [probe_count]          (the class of each probe)
 *   char                            strings[string_bytes]   (NUL-terminated; offset 0 is "")
 *
 * The rule that gives every number: value of counter c, times term.amount, is added to
 * term.quantity of region counter[c].region, for every term of c. Nothing else is counted.
 *
 * The amounts are those of the optimised IR. What the back end makes of it is read from the machine
 * code: the blocks of the IR carry pseudo probes (`llvm.pseudoprobe`), which the linked program
 * keeps in its section .pseudo_probe, and the tables of probes say which counters count a block.
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
  /* String offset, or 0: names that other units may call code of this one by and that no region
   * has, one a line. Aliases (a constructor has several names) and functions without countable
   * work. */
  uint32_t compiled_names;
  uint32_t probed_function_count;
  uint32_t probe_count;
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
  uint32_t inlined_at;     /* string: "f:12:3<g:40:7" innermost call first, or 0 */
  uint32_t versions;       /* loops after optimisation that were summed into this one: vector body,
                              remainder, peeled ... (1 = just one) */
  uint32_t not_vectorised; /* why the loop vectoriser left the loop as it is, in the compiler's own
                              words, several joined by "; ", or 0 */
};

struct ridge_counter_descriptor {
  uint32_t region;
  uint32_t first_term;
  uint32_t term_count;
  /* The counter is written when its loop is left: after a kill inside the loop it is behind. */
  uint32_t deferred;
  /* Which stretches of code the counter belongs to: those whose probes have this class. 0: none.
   * Classes are numbered within the module, and every stretch of a class runs equally often. */
  uint32_t execution_class;
  uint32_t counts; /* enum ridge_counted */
};

enum ridge_counted {
  RIDGE_COUNTS_EXECUTIONS = 0, /* of the stretches of its class */
  RIDGE_COUNTS_AMOUNTS = 1     /* lanes, bytes or iterations, known only when the code runs */
};

/* Probe number i + 1 (they begin with 1) of the function is of class classes[first_probe + i].
 * Class 0: code that does no work of the program in the mode that counts. With
 * RIDGE_PROBE_BEHIND_CALL the probe does not begin a block, but stands behind a call in it that may
 * not come back; the back end may move it. */
#define RIDGE_PROBE_BEHIND_CALL UINT32_C(0x80000000)
struct ridge_probed_function {
  uint64_t id; /* in .pseudo_probe; tells compilations apart that have a function of one name */
  uint32_t first_probe;
  uint32_t probe_count;
};

enum ridge_quantity {
  RIDGE_FLOPS = 1,     /* precision, kind, width_bits; amount = flop per count (fma: 2 per lane) */
  RIDGE_OTHER_OPS = 2, /* min, max, compare, convert ...: amount = lanes per count */
  RIDGE_INT_OPS = 3,   /* amount = lanes per count */
  RIDGE_BYTES_LOADED = 4,
  RIDGE_BYTES_STORED = 5,
  RIDGE_ENTRIES = 6,             /* times the region was entered */
  RIDGE_ITERATIONS = 7,          /* of the source loop, from the early pass */
  RIDGE_HEADER_EXECUTIONS = 8,   /* of the optimised loop; used when no term has ITERATIONS */
  RIDGE_CALLS = 9,               /* libm, memcpy, atomics: name; amount = lanes per count */
  RIDGE_OPAQUE = 10,             /* uninstrumented callee or inline assembly: name */
  RIDGE_BYTES_NON_TEMPORAL = 11, /* part of BYTES_STORED */
  /* The rest says how known work is done. It stands on counters that exist anyway. */
  RIDGE_BYTES_BY_PATTERN = 12, /* part of BYTES_LOADED (operation 0) or BYTES_STORED (1); precision
                                  = enum ridge_access_pattern, width_bits = bytes from one access to
                                  the next (CONSTANT only; 0 = known at run time only) */
  RIDGE_BYTES_GATHERED = 13, /* part of BYTES_LOADED (0) or BYTES_STORED (1) that gather and scatter
                                instructions move */
  RIDGE_MASKED_BYTES = 14,   /* bytes of all lanes of operations with a mask; precision = bytes of a
                                lane, width_bits = lanes */
  RIDGE_ACTIVE_BYTES = 15,   /* of these, bytes of active lanes; keys as MASKED_BYTES */
  /* Operations of the longest chain in which each waits for the one before, from iteration to
   * iteration: operation = enum ridge_chain_operation, precision as in FLOPS, width_bits = 1 for
   * a reduction (the order may be changed), 0 for a recurrence; amount = operations. */
  RIDGE_CHAIN_OPS = 16,
  RIDGE_BYTES_OVERWRITTEN = 17, /* part of BYTES_STORED: without gaps, to objects that the loop
                                  loads nothing from, with ordinary stores */
  RIDGE_FUSIBLE_FLOPS = 18,  /* part of FLOPS: a multiplication that feeds one addition, done apart
                                (no FMA in the target, or contraction not allowed) */
  RIDGE_BYTES_ON_FRAME = 19, /* part of BYTES_LOADED (operation 0) or BYTES_STORED (1): locals at a
                                fixed place of the function's own frame. Bytes of the frame that the
                                machine code moves beyond these are spilled registers */
  RIDGE_SELECTED_FLOPS = 20  /* on counters of lanes alone: an operation whose result a select takes
                                lane by lane (it stands in FLOPS with all lanes). They are the flops
                                of the machine code where that masks the operation. Keys as FLOPS */
};

/* In the section of this name, one for each machine function that has probes. */
#define RIDGE_PROBED_CODE_SECTION "ridge_probed_code"
struct ridge_probed_code {
  uint64_t id;      /* of ridge_probed_function */
  int64_t distance; /* from this record to the function's first instruction */
};

/* How the address of an access moves from one iteration of its innermost loop to the next. */
enum ridge_access_pattern {
  RIDGE_PATTERN_UNKNOWN = 0,   /* no closed form */
  RIDGE_PATTERN_UNIT = 1,      /* accesses of neighbouring iterations leave no gap */
  RIDGE_PATTERN_CONSTANT = 2,  /* equal steps with gaps */
  RIDGE_PATTERN_INVARIANT = 3, /* the same address each time */
  RIDGE_PATTERN_INDIRECT = 4   /* computed from something loaded in the loop */
};

/* The first five as enum ridge_operation. */
enum ridge_chain_operation {
  RIDGE_CHAIN_OTHER = 5, /* min, max, compare, convert ... */
  RIDGE_CHAIN_CALL = 6,  /* a counted call (libm) */
  RIDGE_CHAIN_LOAD = 7   /* a load whose address comes from the chain */
};

enum ridge_precision { RIDGE_FP64 = 0, RIDGE_FP32 = 1, RIDGE_FP16 = 2, RIDGE_BF16 = 3 };
enum ridge_operation { RIDGE_ADD = 0, RIDGE_MUL = 1, RIDGE_FMA = 2, RIDGE_DIV = 3, RIDGE_SQRT = 4 };

struct ridge_term_descriptor {
  uint32_t quantity;
  uint16_t precision;  /* FLOPS, and as the quantity says, else 0 */
  uint16_t operation;  /* FLOPS, and as the quantity says, else 0 */
  uint32_t width_bits; /* FLOPS: 64 = scalar fp64, 128, 256, 512 ...; and as the quantity says */
  uint32_t name;       /* CALLS and OPAQUE only: string offset */
  uint64_t amount;
};

#endif
