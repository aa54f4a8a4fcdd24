/* What the made wrappers (libraries_functions.py) and the code behind them (libraries_layer.c)
 * share. */
#ifndef RIDGE_INSTRUMENT_CALLS_LIBRARIES_LAYER_H
#define RIDGE_INSTRUMENT_CALLS_LIBRARIES_LAYER_H

#include <stdint.h>

#include "abi/call_record.h"

typedef uintptr_t word;

/* Most integer and pointer arguments; more than a function has do no harm. */
enum { WORDS = 16 };

/* All that a function returns, whichever of them it is: x86-64 returns integers and floating-point
 * numbers in different registers. */
struct both {
  word integer;
  double number;
};
/* A complex number of two doubles. */
struct pair {
  double real;
  double imaginary;
};

enum library_kind {
  KIND_WORK,    /* sizes are arguments */
  KIND_PLAN,    /* returns a plan of FFTW */
  KIND_EXECUTE, /* argument 0 is a plan */
  KIND_DESTROY, /* of a plan, argument 0; it is in no table, like the next */
  KIND_CLEANUP  /* destroys all plans */
};

struct library_function {
  const char* symbol;
  const char* name;
  unsigned char kind;                    /* enum library_kind */
  unsigned char sizes[RIDGE_CALL_SIZES]; /* places of arguments: 0 is none, 1 the first */
  unsigned char side;      /* 1 + index of the size that is the side: 1 left, 2 right */
  unsigned char by_value;  /* integers are passed by value (C), not by reference (Fortran) */
  unsigned char workspace; /* place of an argument; -1 there asks for its size: no work */
  unsigned char rank;      /* of a planner: 0: argument 0 is it, argument 1 the sizes */
  unsigned char is_real;
  unsigned char has_many; /* argument 2 is the number of transforms */
};

extern const struct library_function library_functions[];
extern void* library_real[];

struct both library_call(unsigned function, const word* words, double x, double y,
                         const void* caller);
struct pair library_call_pair(unsigned function, const word* words, double x, double y,
                              const void* caller);

#endif
