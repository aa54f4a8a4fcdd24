#include "instrument/calls/mpi_layer.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "instrument/calls/call_table.h"

const uint32_t ridge_call_layer = RIDGE_LAYER_MPI;

typedef word (*any_function)(word, word, word, word, word, word, word, word, word, word, word, word,
                             word, word, word, word);

enum { THREAD_MULTIPLE = 3, STATUS_BYTES = 256 };

/* Larger than any implementation's. */
struct status {
  _Alignas(16) char bytes[STATUS_BYTES];
};

static any_function function_at(void** place, const char* symbol) {
  void* found = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (found == NULL) {
    found = ridge_call_real(symbol);
    __atomic_store_n(place, found, __ATOMIC_RELEASE);
  }
  any_function function;
  memcpy(&function, &found, sizeof(function)); /* ISO C has no cast for it */
  return function;
}

static word call_words(any_function function, const word* w) {
  return function(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12],
                  w[13], w[14], w[15]);
}

/* ---- functions of MPI that we call ourselves ---- */

enum helper {
  COMM_SIZE,
  REMOTE_SIZE,
  TEST_INTER,
  COMM_RANK,
  WIN_GROUP,
  GROUP_RANK,
  GROUP_FREE,
  TYPE_SIZE,
  BARRIER,
  PROBE,
  GET_COUNT,
  QUERY_THREAD,
  HELPERS
};

static word ask(enum helper helper, word a, word b, word c, word d) {
  static const char* const names[HELPERS] = {
      "PMPI_Comm_size",  "PMPI_Comm_remote_size", "PMPI_Comm_test_inter",
      "PMPI_Comm_rank",  "PMPI_Win_get_group",    "PMPI_Group_rank",
      "PMPI_Group_free", "PMPI_Type_size",        "PMPI_Barrier",
      "PMPI_Probe",      "PMPI_Get_count",        "PMPI_Query_thread"};
  static void* found[HELPERS];
  const word words[WORDS] = {a, b, c, d};
  return call_words(function_at(&found[helper], names[helper]), words);
}

/* A size or a sum of sizes that nobody knows. */
static const uint64_t UNKNOWN = UINT64_MAX;

static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product;
  return a == UNKNOWN || b == UNKNOWN || __builtin_mul_overflow(a, b, &product) ? UNKNOWN : product;
}

static uint64_t plus(uint64_t a, uint64_t b) {
  uint64_t sum;
  return a == UNKNOWN || b == UNKNOWN || __builtin_add_overflow(a, b, &sum) ? UNKNOWN : sum;
}

/* Sizes of 2 GiB and more need the form with an MPI_Count, which libraries before MPI-3 lack. */
static void* large_type_size(void) {
  static void* function;
  static int is_known;
  if (!__atomic_load_n(&is_known, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&function, ridge_call_find("PMPI_Type_size_x"), __ATOMIC_RELAXED);
    __atomic_store_n(&is_known, 1, __ATOMIC_RELEASE);
  }
  return __atomic_load_n(&function, __ATOMIC_RELAXED);
}

static uint64_t size_of(word type) {
  void* large = large_type_size();
  int64_t size = -1;
  int small = -1;
  int result;
  if (large != NULL) {
    const word words[WORDS] = {type, (word)&size};
    result = (int)call_words(function_at(&large, NULL), words);
  } else {
    result = (int)ask(TYPE_SIZE, type, (word)&small, 0, 0);
    size = small;
  }
  return result == 0 && size >= 0 ? (uint64_t)size : UNKNOWN;
}

/* How many a collective of the communicator sends to. */
static uint64_t peers_of(word comm) {
  int is_inter = 0;
  int size = 0;
  ask(TEST_INTER, comm, (word)&is_inter, 0, 0);
  ask(is_inter ? REMOTE_SIZE : COMM_SIZE, comm, (word)&size, 0, 0);
  return size > 0 ? (uint64_t)size : 0;
}

static int has_many_threads(void) {
  static int known = -1;
  int found = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (found < 0) {
    ask(QUERY_THREAD, (word)&found, 0, 0, 0);
    __atomic_store_n(&known, found, __ATOMIC_RELAXED);
  }
  return found >= THREAD_MULTIPLE;
}

/* Of Open MPI, whose handles are pointers; null for MPICH and its relatives, whose handles are
 * numbers. The program may hold the object itself (a copy relocation): all use that one then. */
static void* open_mpi_world(void) {
  static const char symbol[] = "ompi_mpi_comm_world";
  static void* object;
  static int is_known; /* where it is not, looking for it takes long */
  if (!__atomic_load_n(&is_known, __ATOMIC_ACQUIRE)) {
    void* found = dlsym(RTLD_DEFAULT, symbol);
    __atomic_store_n(&object, found != NULL ? found : ridge_call_find(symbol), __ATOMIC_RELAXED);
    __atomic_store_n(&is_known, 1, __ATOMIC_RELEASE);
  }
  return __atomic_load_n(&object, __ATOMIC_RELAXED);
}

static word world(void) {
  enum { MPICH_WORLD = 0x44000000 };
  void* object = open_mpi_world();
  return object != NULL ? (word)object : MPICH_WORLD;
}

static void find_rank(void) {
  int rank = -1;
  int size = 0;
  const word comm = world();
  if ((int)ask(COMM_RANK, comm, (word)&rank, 0, 0) == 0 &&
      (int)ask(COMM_SIZE, comm, (word)&size, 0, 0) == 0 && rank >= 0 && size > rank) {
    ridge_call_set_rank((uint32_t)rank, (uint32_t)size);
  }
}

/* ---- bytes ---- */

static word argument(const word* words, unsigned char place) {
  return place == 0 ? 0 : words[place - 1];
}

static uint64_t count_of(const struct mpi_function* function, word value) {
  const int64_t count = function->is_large ? (int64_t)value : (int64_t)(int32_t)value;
  return count > 0 ? (uint64_t)count : 0;
}

static uint64_t count_in(const struct mpi_function* function, word array, uint64_t i) {
  return count_of(function, function->is_large ? (word)((const int64_t*)array)[i]
                                               : (word)((const int32_t*)array)[i]);
}

/* MPI_IN_PLACE of Open MPI and of MPICH and its relatives. */
static int is_in_place(word buffer) {
  return buffer == 1 || buffer == ~(word)0;
}

static uint64_t elements(const struct mpi_function* f, const word* words, unsigned char count,
                         unsigned char type) {
  const uint64_t found = count_of(f, argument(words, count));
  return found == 0 ? 0 : times(found, size_of(argument(words, type)));
}

static uint64_t own_bytes(const struct mpi_function* f, const word* words, int in_place) {
  return in_place ? elements(f, words, f->other_count, f->other_type)
                  : elements(f, words, f->count, f->type);
}

static uint64_t sum_of(const struct mpi_function* f, const word* words) {
  const word counts = argument(words, f->count);
  const word type = argument(words, f->type);
  const uint64_t peers = peers_of(argument(words, f->comm));
  uint64_t sum = 0;
  for (uint64_t i = 0; i < peers; ++i) {
    sum = plus(sum, count_in(f, counts, i));
  }
  return sum == 0 ? 0 : times(sum, size_of(type));
}

/* What goes to one of the peers of a list. Handles are as wide as the library makes them. */
static uint64_t block_of(const struct mpi_function* f, const word* words, uint64_t peer) {
  const word types = argument(words, f->type);
  const uint64_t count = count_in(f, argument(words, f->count), peer);
  word type = types;
  if (f->bytes == BYTES_SUM_OF_TYPES) {
    type = open_mpi_world() != NULL ? ((const word*)types)[peer]
                                    : (word)((const uint32_t*)types)[peer];
  }
  return count == 0 ? 0 : times(count, size_of(type));
}

static uint64_t sum_of_types(const struct mpi_function* f, const word* words) {
  const uint64_t peers = peers_of(argument(words, f->comm));
  uint64_t sum = 0;
  for (uint64_t i = 0; i < peers; ++i) {
    sum = plus(sum, block_of(f, words, i));
  }
  return sum;
}

static void set_bytes(struct ridge_call_figures* figures, uint64_t bytes) {
  if (bytes == UNKNOWN) {
    figures->flags |= RIDGE_CALL_LACKS_BYTES;
  } else {
    figures->bytes = bytes;
    figures->flags |= RIDGE_CALL_HAS_BYTES;
  }
}

/* Before the call: afterwards handles and buffers may be gone. */
static void find_bytes(const struct mpi_function* f, const word* words,
                       struct ridge_call_figures* figures) {
  const int in_place = f->buffer != 0 && is_in_place(argument(words, f->buffer));
  /* What is wrong with null arguments the library says. */
  const int has_lists = argument(words, f->count) != 0 && argument(words, f->type) != 0;
  const int is_list = f->bytes == BYTES_SUM || f->bytes == BYTES_SUM_OF_TYPES;
  const int is_told = (!in_place || f->other_count != 0) && (!is_list || has_lists);
  switch (f->bytes) {
    case BYTES_NONE:
    case BYTES_RECEIVED: /* known after the call */
      return;
    case BYTES_ELEMENTS:
      set_bytes(figures, own_bytes(f, words, 0));
      return;
    case BYTES_ROOTED:
      set_bytes(figures,
                in_place || (int)argument(words, f->root) < 0 ? 0 : own_bytes(f, words, 0));
      return;
    case BYTES_EACH:
    case BYTES_PEERS:
      set_bytes(figures, times(own_bytes(f, words, in_place), peers_of(argument(words, f->comm))));
      return;
    default:
      break;
  }
  if (f->bytes == BYTES_UNKNOWN || !is_told) {
    figures->flags |= RIDGE_CALL_LACKS_BYTES;
  } else {
    set_bytes(figures, f->bytes == BYTES_OWN   ? own_bytes(f, words, in_place)
                       : f->bytes == BYTES_SUM ? sum_of(f, words)
                                               : sum_of_types(f, words));
  }
}

/* ---- what must travel ---- */

static void set_travel(struct ridge_call_figures* figures, uint64_t bytes) {
  figures->messages = 1;
  figures->moved_bytes = bytes;
}

static int rank_in(word comm) {
  int rank = -1;
  return (int)ask(COMM_RANK, comm, (word)&rank, 0, 0) == 0 ? rank : -1;
}

static int is_inter(word comm) {
  int found = 0;
  ask(TEST_INTER, comm, (word)&found, 0, 0);
  return found;
}

static int rank_of_window(word window) {
  word group = 0;
  int rank = -1;
  if ((int)ask(WIN_GROUP, window, (word)&group, 0, 0) == 0) {
    ask(GROUP_RANK, group, (word)&rank, 0, 0);
    ask(GROUP_FREE, (word)&group, 0, 0, 0);
  }
  return rank;
}

/* Whether a send goes to the rank itself. */
static int is_self(const struct mpi_function* f, const word* words, int rank) {
  const word comm = argument(words, f->comm);
  return f->window != 0 ? rank_of_window(argument(words, f->window)) == rank
                        : rank_in(comm) == rank && !is_inter(comm);
}

/* The block that a rank sends to itself; all bytes where that is not known. */
static uint64_t own_block(const struct mpi_function* f, const word* words, uint64_t bytes,
                          uint64_t peers) {
  if (f->bytes == BYTES_EACH || f->bytes == BYTES_PEERS) {
    return bytes / peers;
  }
  const int rank = rank_in(argument(words, f->comm));
  return rank < 0 ? bytes : block_of(f, words, (uint64_t)rank);
}

/* Beside the root of an inter-communicator, whose group only looks on, root is negative, as is the
 * other rank where there is none (MPI_PROC_NULL). Bytes that nobody knows are at least none. */
static void find_travel(const struct mpi_function* f, const word* words,
                        struct ridge_call_figures* figures) {
  if (f->travel == TRAVEL_NONE) {
    return;
  }
  const int root = (int)argument(words, f->root);
  if (f->travel == TRAVEL_SEND) {
    if (root >= 0 && !is_self(f, words, root)) {
      set_travel(figures, figures->bytes);
    }
    return;
  }
  const word comm = argument(words, f->comm);
  const int has_two_groups = is_inter(comm);
  const uint64_t peers = peers_of(comm);
  if (!has_two_groups && peers < 2) {
    return;
  }
  const int is_child = has_two_groups ? root >= 0 : rank_in(comm) != root;
  if (f->travel == TRAVEL_ALL || (f->travel == TRAVEL_CHILD && is_child)) {
    set_travel(figures, figures->bytes);
  } else if (f->travel == TRAVEL_PEERS) {
    const int has_own = !has_two_groups && (figures->flags & RIDGE_CALL_HAS_BYTES) != 0;
    const uint64_t own = has_own ? own_block(f, words, figures->bytes, peers) : 0;
    set_travel(figures, figures->bytes - own);
  }
}

static void find_received(const struct mpi_function* f, const word* words, word status,
                          struct ridge_call_figures* figures) {
  int count = -1;
  const word type = argument(words, f->type);
  if ((int)ask(GET_COUNT, status, type, (word)&count, 0) == 0 && count >= 0) {
    set_bytes(figures, count == 0 ? 0 : times((uint64_t)count, size_of(type)));
  } else {
    figures->flags |= RIDGE_CALL_LACKS_BYTES;
  }
}

/* ---- waiting ---- */

static void set_waiting(struct ridge_call_figures* figures, uint64_t begin) {
  figures->waiting_nanoseconds = ridge_call_now() - begin;
  figures->flags |= RIDGE_CALL_HAS_WAITING;
}

/* Where a thread may receive what another one has probed, nothing can be told apart. A probe takes
 * no message away: the receive behind it gets what it would have got. */
static void wait_before(const struct mpi_function* f, const word* words,
                        struct ridge_call_figures* figures) {
  const uint64_t begin = ridge_call_now();
  struct status status;
  if (f->waiting == WAITING_BEFORE && ridge_call_has_some_ranks()) {
    figures->flags |= RIDGE_CALL_LACKS_WAITING; /* nobody would answer */
  } else if (f->waiting == WAITING_BEFORE) {
    ask(BARRIER, argument(words, f->comm), 0, 0, 0);
    set_waiting(figures, begin);
  } else if (f->waiting == WAITING_MESSAGE && !has_many_threads()) {
    ask(PROBE, argument(words, f->source), argument(words, f->tag), argument(words, f->comm),
        (word)&status);
    set_waiting(figures, begin);
  } else if (f->waiting == WAITING_MESSAGE) {
    figures->flags |= RIDGE_CALL_LACKS_WAITING;
  }
}

/* ---- a call ---- */

__attribute__((noinline)) static word observed(const struct mpi_function* f, any_function real,
                                               const word* words, struct ridge_call* call) {
  ridge_call_watch_exceptions();
  struct ridge_call_figures figures = {.function = (uint16_t)(f - mpi_functions), .name = f->name};
  struct status own;
  word changed[WORDS];
  memcpy(changed, words, sizeof(changed));
  /* MPI_STATUS_IGNORE is null in Open MPI and 1 in MPICH and its relatives. */
  if (f->bytes == BYTES_RECEIVED && argument(words, f->status) <= 1) {
    changed[f->status - 1] = (word)&own;
  }
  find_bytes(f, words, &figures);
  find_travel(f, words, &figures);
  wait_before(f, words, &figures);
  const word result = call_words(real, changed);
  if (f->waiting == WAITING_ALL) {
    set_waiting(&figures, call->begin);
  }
  if (f->bytes == BYTES_RECEIVED && (int)result == 0) {
    find_received(f, words, argument(changed, f->status), &figures);
  }
  ridge_call_end(call, &figures);
  return result;
}

static any_function real_function(unsigned function, enum mpi_form form) {
  void** place = &mpi_reals[form][function];
  char symbol[RIDGE_CALL_NAME_BYTES + 1] = "P";
  if (__atomic_load_n(place, __ATOMIC_ACQUIRE) == NULL) {
    strncat(symbol, mpi_functions[function].name, RIDGE_CALL_NAME_BYTES - 1);
  }
  return function_at(place, form == PMPI_FORM ? symbol : symbol + 1);
}

word mpi_call(unsigned function, enum mpi_form form, const word* words, const void* caller) {
  const struct mpi_function* f = &mpi_functions[function];
  const any_function real = real_function(function, form);
  struct ridge_call call;
  if (!ridge_call_begin(&call, caller)) {
    return call_words(real, words);
  }
  const word result = observed(f, real, words, &call);
  if (f->begins_mpi && (int)result == 0) {
    find_rank();
  }
  return result;
}

word mpi_fortran_call(unsigned function, const word* words, const void* caller) {
  const any_function real = function_at(&mpi_fortran_real[function], mpi_fortran_names[function]);
  const int is_outermost = ridge_call_enter(caller);
  const word result = call_words(real, words);
  ridge_call_leave(is_outermost);
  return result;
}
