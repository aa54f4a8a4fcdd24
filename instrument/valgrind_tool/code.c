/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See code.h. */
#include "instrument/valgrind_tool/code.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_vki.h>

#include "instrument/valgrind_tool/memory.h"
#include "instrument/valgrind_tool/threads.h"
#include "instrument/valgrind_tool/trace.h"

struct ridge_code ridge_code = {.ran_into = RIDGE_NONE};

enum { BUCKETS = 1 << 16 };
static UInt* buckets; /* first block of each hash, RIDGE_NONE if none */
static UInt mapping_capacity;
static UInt block_capacity;
static UInt unknown_capacity;

/* The same entry again, more often than not the last one. */
static UInt find_mapping(const NSegment* segment, const HChar* path) {
  for (UInt i = ridge_code.mapping_count; i-- != 0;) {
    const struct ridge_mapping* known = &ridge_code.mappings[i];
    if (known->begin == segment->start && known->end == segment->end + 1 &&
        (path == NULL) == (known->path == NULL) &&
        (path == NULL ||
         (known->file_offset == (ULong)segment->offset && VG_(strcmp)(known->path, path) == 0))) {
      return i;
    }
  }
  return RIDGE_NONE;
}

UInt ridge_mapping_of(Addr address) {
  const NSegment* segment = VG_(am_find_nsegment)(address);
  NSegment nowhere = {.start = VG_PGROUNDDN(address),
                      .end = VG_PGROUNDDN(address) + VKI_PAGE_SIZE - 1};
  if (segment == NULL) {
    segment = &nowhere;
  }
  const HChar* path = segment->kind == SkFileC ? VG_(am_get_filename)(segment) : NULL;
  UInt number = find_mapping(segment, path);
  if (number != RIDGE_NONE) {
    return number;
  }
  ridge_code.mappings = ridge_grown(ridge_code.mappings, &mapping_capacity,
                                    ridge_code.mapping_count, sizeof(*ridge_code.mappings));
  number = ridge_code.mapping_count++;
  ridge_code.mappings[number] =
      (struct ridge_mapping){.begin = segment->start,
                             .end = segment->end + 1,
                             .file_offset = path != NULL ? (ULong)segment->offset : 0,
                             .path = path != NULL ? VG_(strdup)("ridge.path", path) : NULL,
                             .module = ridge_module_of(path)};
  return number;
}

static UInt hash_of(Addr address, UInt bytes) {
  const ULong mixed = (address * 31 + bytes) * 0x9e3779b97f4a7c15ULL;
  return (UInt)(mixed >> 48) % BUCKETS;
}

static UInt* bucket_of(UInt hash) {
  if (buckets == NULL) {
    buckets = VG_(malloc)("ridge.buckets", BUCKETS * sizeof(*buckets));
    VG_(memset)(buckets, 0xff, BUCKETS * sizeof(*buckets));
  }
  return &buckets[hash];
}

static UInt find_block(const struct ridge_block* wanted, UInt number) {
  for (; number != RIDGE_NONE; number = ridge_code.blocks[number].next) {
    const struct ridge_block* known = &ridge_code.blocks[number];
    const UInt leader = known->leader == number ? RIDGE_NONE : known->leader;
    if (known->address == wanted->address && known->bytes == wanted->bytes &&
        known->mapping == wanted->mapping && leader == wanted->leader &&
        VG_(memcmp)(known->code, wanted->code, wanted->bytes) == 0) {
      return number;
    }
  }
  return RIDGE_NONE;
}

UInt ridge_block_of(Addr address, UInt bytes, UInt leader, Bool repeats) {
  struct ridge_block block = {.address = address,
                              .mapping = ridge_mapping_of(address),
                              .bytes = bytes,
                              .leader = leader,
                              .turns = RIDGE_NONE,
                              .code = ridge_bytes_at(address)};
  UInt* bucket = bucket_of(hash_of(address, bytes));
  UInt number = find_block(&block, *bucket);
  if (number != RIDGE_NONE) {
    return number;
  }
  ridge_code.blocks = ridge_grown(ridge_code.blocks, &block_capacity, ridge_code.block_count,
                                  sizeof(*ridge_code.blocks));
  number = ridge_code.block_count++;
  block.leader = leader == RIDGE_NONE ? number : leader;
  block.slot = leader == RIDGE_NONE ? ridge_code.slot_count++ : ridge_code.blocks[leader].slot;
  block.turns = repeats ? ridge_code.slot_count++ : RIDGE_NONE;
  block.next = *bucket;
  UChar* code = VG_(malloc)("ridge.code", bytes);
  VG_(memcpy)(code, block.code, bytes);
  block.code = code;
  *bucket = number;
  ridge_code.blocks[number] = block;
  ridge_make_counters();
  return number;
}

UInt ridge_unknown_at(Addr address) {
  for (UInt i = 0; i < ridge_code.unknown_count; ++i) {
    if (ridge_code.unknown[i].address == address) {
      return i;
    }
  }
  ridge_code.unknown = ridge_grown(ridge_code.unknown, &unknown_capacity, ridge_code.unknown_count,
                                   sizeof(*ridge_code.unknown));
  const UInt number = ridge_code.unknown_count++;
  struct ridge_unknown* unknown = &ridge_code.unknown[number];
  *unknown = (struct ridge_unknown){.address = address, .mapping = ridge_mapping_of(address)};
  while (unknown->bytes < 15 &&
         VG_(am_is_valid_for_client)(address + unknown->bytes, 1, VKI_PROT_READ)) {
    unknown->code[unknown->bytes] = *ridge_bytes_at(address + unknown->bytes);
    ++unknown->bytes;
  }
  return number;
}
