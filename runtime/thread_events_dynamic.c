/* The program's calls that create threads and wait for them come by here: threads are numbered in
 * the order in which they are created, not in that in which they get going. OpenMP's threads come
 * by, too. And the parts of a dynamic schedule and single sections are given, in traffic mode, to
 * the thread that has done least. */
#include <dlfcn.h>
#include <stddef.h>

#include "runtime/state.h"

typedef void* thread_function(void* argument);
typedef int create_function(pthread_t* thread, const pthread_attr_t* attributes,
                            thread_function* begin, void* argument);
typedef int join_function(pthread_t thread, void** result);
typedef int barrier_function(pthread_barrier_t* barrier);
typedef int dispatch_function(void* place, int32_t thread, void* last, void* low, void* high,
                              void* stride);

struct beginning {
  thread_function* begin;
  void* argument;
};
static struct beginning beginnings[RIDGE_TURNS_MAX]; /* by number */

/* The function of the library behind this one. */
static void* next_of(void** known, const char* name) {
  void* found = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (found == NULL) {
    found = dlsym(RTLD_NEXT, name);
    __atomic_store_n(known, found, __ATOMIC_RELAXED);
  }
  return found;
}

static void* begin_thread(void* data) {
  struct ridge_turn* turn = data;
  const struct beginning beginning = beginnings[turn->number];
  ridge_thread_begins(turn);
  return beginning.begin(beginning.argument);
}

__attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                          const pthread_attr_t* attributes,
                                                          thread_function* begin, void* argument) {
  static void* known;
  create_function* real = (create_function*)next_of(&known, "pthread_create");
  struct ridge_turn* turn = ridge_thread_is_created();
  if (turn == NULL) {
    return real(thread, attributes, begin, argument);
  }
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != NULL) {
    pthread_attr_getdetachstate(attributes, &detached);
  }
  beginnings[turn->number] = (struct beginning){begin, argument};
  const int error = real(thread, attributes, begin_thread, turn);
  if (error != 0) {
    ridge_thread_was_not_created(turn);
  } else if (detached != PTHREAD_CREATE_DETACHED) {
    ridge_thread_has_handle(turn, *thread);
  }
  return error;
}

__attribute__((visibility("default"))) int pthread_join(pthread_t thread, void** result) {
  static void* known;
  join_function* real = (join_function*)next_of(&known, "pthread_join");
  struct ridge_turn* joined = ridge_begin_join(thread);
  const int error = real(thread, result);
  ridge_end_join(joined, error == 0);
  return error;
}

__attribute__((visibility("default"))) int pthread_barrier_wait(pthread_barrier_t* barrier) {
  static void* known;
  barrier_function* real = (barrier_function*)next_of(&known, "pthread_barrier_wait");
  ridge_begin_barrier(barrier);
  const int serial = real(barrier);
  ridge_end_barrier(barrier);
  return serial;
}

/* Who comes first does it. */
int __kmpc_single(void* place, int32_t thread);
__attribute__((visibility("default"))) int __kmpc_single(void* place, int32_t thread) {
  static void* known;
  int (*real)(void*, int32_t) = (int (*)(void*, int32_t))next_of(&known, "__kmpc_single");
  ridge_take_turn();
  return real(place, thread);
}

static int dispatch(void** known, const char* name, void* place, int32_t thread, void* last,
                    void* low, void* high, void* stride) {
  dispatch_function* real = (dispatch_function*)next_of(known, name);
  ridge_take_turn();
  return real(place, thread, last, low, high, stride);
}

/* The entry points of dynamic schedules in LLVM's OpenMP runtime, by type of the loop's counter. */
int __kmpc_dispatch_next_4(void*, int32_t, void*, void*, void*, void*);
int __kmpc_dispatch_next_4u(void*, int32_t, void*, void*, void*, void*);
int __kmpc_dispatch_next_8(void*, int32_t, void*, void*, void*, void*);
int __kmpc_dispatch_next_8u(void*, int32_t, void*, void*, void*, void*);

__attribute__((visibility("default"))) int __kmpc_dispatch_next_4(void* place, int32_t thread,
                                                                  void* last, void* low, void* high,
                                                                  void* stride) {
  static void* known;
  return dispatch(&known, "__kmpc_dispatch_next_4", place, thread, last, low, high, stride);
}
__attribute__((visibility("default"))) int __kmpc_dispatch_next_4u(void* place, int32_t thread,
                                                                   void* last, void* low,
                                                                   void* high, void* stride) {
  static void* known;
  return dispatch(&known, "__kmpc_dispatch_next_4u", place, thread, last, low, high, stride);
}
__attribute__((visibility("default"))) int __kmpc_dispatch_next_8(void* place, int32_t thread,
                                                                  void* last, void* low, void* high,
                                                                  void* stride) {
  static void* known;
  return dispatch(&known, "__kmpc_dispatch_next_8", place, thread, last, low, high, stride);
}
__attribute__((visibility("default"))) int __kmpc_dispatch_next_8u(void* place, int32_t thread,
                                                                   void* last, void* low,
                                                                   void* high, void* stride) {
  static void* known;
  return dispatch(&known, "__kmpc_dispatch_next_8u", place, thread, last, low, high, stride);
}
