#include "instrument/calls/libraries_layer.h"

#include <sched.h>
#include <stddef.h>
#include <string.h>

#include "instrument/calls/call_table.h"

const uint32_t ridge_call_layer = RIDGE_LAYER_LIBRARIES;

/* The same function, by what it returns. */
typedef struct both (*any_function)(word, word, word, word, word, word, word, word, word, word,
                                    word, word, word, word, word, word, double, double);
typedef struct pair (*pair_function)(word, word, word, word, word, word, word, word, word, word,
                                     word, word, word, word, word, word, double, double);

static void* real_function(unsigned function) {
  void* found = __atomic_load_n(&library_real[function], __ATOMIC_ACQUIRE);
  if (found == NULL) {
    found = ridge_call_real(library_functions[function].symbol);
    __atomic_store_n(&library_real[function], found, __ATOMIC_RELEASE);
  }
  return found;
}

static struct both call_real(void* found, const word* w, double x, double y) {
  any_function real;
  memcpy(&real, &found, sizeof(real)); /* ISO C has no cast for it */
  return real(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12],
              w[13], w[14], w[15], x, y);
}

static struct pair call_real_pair(void* found, const word* w, double x, double y) {
  pair_function real;
  memcpy(&real, &found, sizeof(real));
  return real(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12],
              w[13], w[14], w[15], x, y);
}

/* ---- sizes ---- */

enum { CBLAS_LEFT = 141, LEFT = 1, RIGHT = 2 };

static uint64_t size_at(const struct library_function* f, const word* words, unsigned char place) {
  const word argument = words[place - 1];
  const int32_t value = f->by_value ? (int32_t)argument : *(const int32_t*)argument;
  return value > 0 ? (uint64_t)value : 0;
}

static uint64_t side_at(const struct library_function* f, const word* words, unsigned char place) {
  const word argument = words[place - 1];
  if (f->by_value) {
    return (int32_t)argument == CBLAS_LEFT ? LEFT : RIGHT;
  }
  const char letter = *(const char*)argument;
  return letter == 'L' || letter == 'l' ? LEFT : RIGHT;
}

static void set_sizes(const struct library_function* f, const word* words, uint64_t* sizes) {
  for (int i = 0; i < RIDGE_CALL_SIZES; ++i) {
    if (f->sizes[i] != 0) {
      sizes[i] = f->side == i + 1 ? side_at(f, words, f->sizes[i]) : size_at(f, words, f->sizes[i]);
    }
  }
}

/* ---- plans of FFTW ---- */

enum { PLANS = 4096, PROBES = 32 };

/* Sizes of the transform, outermost first (of more than three dimensions their product), then how
 * many, and RIDGE_CALL_REAL for transforms of real numbers. */
struct plan {
  word plan;   /* 0: free */
  char letter; /* of the library that made it */
  uint64_t sizes[RIDGE_CALL_SIZES];
};
static struct plan plans[PLANS];
static char plan_lock;

static struct plan* place_of(word plan, word wanted) {
  const uint64_t hash = plan * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  for (int i = 0; i < PROBES; ++i) {
    struct plan* place = &plans[(hash + (uint64_t)i) % PLANS];
    if (__atomic_load_n(&place->plan, __ATOMIC_ACQUIRE) == wanted) {
      return place;
    }
  }
  return NULL;
}

static void lock_plans(void) {
  while (__atomic_test_and_set(&plan_lock, __ATOMIC_ACQUIRE)) {
    sched_yield();
  }
}

static void unlock_plans(void) {
  __atomic_clear(&plan_lock, __ATOMIC_RELEASE);
}

/* Fortran's form takes its address. */
static word plan_of(const struct library_function* f, const word* words) {
  return f->by_value ? words[0] : *(const word*)words[0];
}

/* "fftw_" and "fftwf_" differ in it. */
static char letter_of(const struct library_function* f) {
  return f->name[4];
}

static void keep_plan(word plan, const struct library_function* f, const uint64_t* sizes) {
  lock_plans();
  struct plan* place = place_of(plan, plan);
  place = place != NULL ? place : place_of(plan, 0);
  if (place != NULL) {
    memcpy(place->sizes, sizes, sizeof(place->sizes));
    place->letter = letter_of(f);
    __atomic_store_n(&place->plan, plan, __ATOMIC_RELEASE);
  }
  unlock_plans();
}

/* Before the call: afterwards another thread may make a plan at that address. */
static void forget_plans(const struct library_function* f, const word* words) {
  if (f->kind == KIND_DESTROY) {
    lock_plans();
    const word plan = plan_of(f, words);
    struct plan* place = plan != 0 ? place_of(plan, plan) : NULL;
    if (place != NULL) {
      __atomic_store_n(&place->plan, 0, __ATOMIC_RELEASE);
    }
    unlock_plans();
  } else if (f->kind == KIND_CLEANUP) {
    lock_plans();
    for (int i = 0; i < PLANS; ++i) {
      if (plans[i].letter == letter_of(f)) {
        __atomic_store_n(&plans[i].plan, 0, __ATOMIC_RELEASE);
      }
    }
    unlock_plans();
  }
}

static void set_plan_sizes(const struct library_function* f, const word* words, uint64_t* sizes) {
  const int rank = f->rank != 0 ? f->rank : (int)words[0];
  uint64_t product = 1;
  for (int i = 0; i < rank; ++i) {
    const int size = f->rank != 0 ? (int)words[i] : ((const int*)words[1])[i];
    product *= size > 0 ? (uint64_t)size : 0;
    if (i < RIDGE_CALL_SIZES - 1) {
      sizes[i] = size > 0 ? (uint64_t)size : 0;
    }
  }
  if (rank > RIDGE_CALL_SIZES - 1) {
    sizes[0] = product;
    sizes[1] = sizes[2] = 0;
  }
  const int many = f->has_many ? (int)words[2] : 1;
  sizes[3] = (uint64_t)(many > 0 ? many : 0) | (f->is_real ? RIDGE_CALL_REAL : 0);
}

/* ---- a call ---- */

static void find_sizes(const struct library_function* f, const word* words, uint64_t* sizes) {
  if (f->kind == KIND_WORK) {
    set_sizes(f, words, sizes);
  } else if (f->kind == KIND_PLAN) {
    set_plan_sizes(f, words, sizes);
  } else {
    const word plan = plan_of(f, words);
    const struct plan* known = place_of(plan, plan);
    if (known != NULL) {
      memcpy(sizes, known->sizes, sizeof(known->sizes));
    }
  }
}

static int only_asks(const struct library_function* f, const word* words) {
  return f->workspace != 0 && *(const int32_t*)words[f->workspace - 1] == -1;
}

__attribute__((noinline)) static struct both observed(unsigned function, void* real,
                                                      const word* words, double x, double y,
                                                      const struct ridge_call* call) {
  ridge_call_watch_exceptions();
  const struct library_function* f = &library_functions[function];
  struct ridge_call_figures figures = {.function = (uint16_t)function, .name = f->name};
  find_sizes(f, words, figures.sizes);
  const struct both result = call_real(real, words, x, y);
  if (f->kind == KIND_PLAN && result.integer != 0) {
    keep_plan(result.integer, f, figures.sizes);
  }
  ridge_call_end(call, &figures);
  return result;
}

__attribute__((noinline)) static struct pair observed_pair(unsigned function, void* real,
                                                           const word* words, double x, double y,
                                                           const struct ridge_call* call) {
  ridge_call_watch_exceptions();
  const struct library_function* f = &library_functions[function];
  struct ridge_call_figures figures = {.function = (uint16_t)function, .name = f->name};
  find_sizes(f, words, figures.sizes);
  const struct pair result = call_real_pair(real, words, x, y);
  ridge_call_end(call, &figures);
  return result;
}

struct both library_call(unsigned function, const word* words, double x, double y,
                         const void* caller) {
  const struct library_function* f = &library_functions[function];
  void* real = real_function(function);
  struct ridge_call call;
  forget_plans(f, words);
  if (f->kind == KIND_DESTROY || f->kind == KIND_CLEANUP || only_asks(f, words) ||
      !ridge_call_begin(&call, caller)) {
    return call_real(real, words, x, y);
  }
  return observed(function, real, words, x, y, &call);
}

struct pair library_call_pair(unsigned function, const word* words, double x, double y,
                              const void* caller) {
  void* real = real_function(function);
  struct ridge_call call;
  return ridge_call_begin(&call, caller) ? observed_pair(function, real, words, x, y, &call)
                                         : call_real_pair(real, words, x, y);
}
