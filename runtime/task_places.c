/* See task_places.h. */
#include "runtime/task_places.h"

enum {
  OWNER_BITS = 10,
  CHILD_BITS = 21,
  PATH_BITS = 32, /* a hash of the way from the root, the execution of the region included */
  OWNER_AT = 0,
  CHILDREN_AT = OWNER_AT + OWNER_BITS,
  PATH_AT = CHILDREN_AT + CHILD_BITS,
  IS_TASK_AT = PATH_AT + PATH_BITS
};

static uint64_t field(uint64_t place, int at, int bits) {
  return place >> at & (((uint64_t)1 << bits) - 1);
}

/* The upper bits of a product depend on all bits of its factors. */
static uint64_t mixed(uint64_t a, uint64_t b) {
  const uint64_t product =
      (a + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (b + 1) * UINT64_C(0xbf58476d1ce4e5b9);
  return product * UINT64_C(0x94d049bb133111eb) >> (64 - PATH_BITS);
}

uint64_t ridge_place_of_thread(uint32_t index, uint32_t threads, uint64_t execution) {
  if (index >= threads || index >> OWNER_BITS != 0) {
    return 0;
  }
  return (mixed(execution, index) | 1) << PATH_AT | (uint64_t)index << OWNER_AT;
}

uint64_t ridge_place_of_child(uint64_t* parent) {
  const uint64_t most = ((uint64_t)1 << CHILD_BITS) - 1; /* further ones share a path */
  if (*parent == 0) {
    return 0;
  }
  const uint64_t number = field(*parent, CHILDREN_AT, CHILD_BITS);
  *parent += (uint64_t)(number < most) << CHILDREN_AT;
  return (uint64_t)1 << IS_TASK_AT | mixed(field(*parent, PATH_AT, PATH_BITS), number) << PATH_AT |
         field(*parent, OWNER_AT, OWNER_BITS) << OWNER_AT;
}

int ridge_is_task_place(uint64_t place) {
  return place >> IS_TASK_AT != 0;
}

uint32_t ridge_scattered_index(uint64_t place, uint32_t threads) {
  return threads == 0 ? 0 : (uint32_t)(field(place, PATH_AT, PATH_BITS) % threads);
}

uint32_t ridge_own_index(uint64_t place) {
  return (uint32_t)field(place, OWNER_AT, OWNER_BITS);
}

uint32_t ridge_home_index(uint64_t address, uint64_t piece_bytes, uint32_t threads) {
  return threads == 0 ? 0 : (uint32_t)(address / piece_bytes % threads);
}
