#include "instrument/dynamorio/site.h"

#include <string.h>

enum { BYTES_MASK = (1 << RIDGE_TRACE_FLAGS_SHIFT) - 1 };

struct output {
  void (*emit)(void* context, uint64_t address, uint64_t meta);
  void* context;
  uint64_t meta; /* without bytes */
};

static void emit(const struct output* output, uint64_t address, uint64_t bytes) {
  while (bytes > 0) {
    const uint64_t piece = bytes > BYTES_MASK ? BYTES_MASK / 64 * 64 : bytes;
    output->emit(output->context, address, output->meta | piece);
    address += piece;
    bytes -= piece;
  }
}

uint32_t client_site_entries(const struct client_site* site) {
  return 2u + (site->kind == CLIENT_SITE_INDEXED ? CLIENT_INDEX_ENTRIES : 0) +
         (site->mask_bytes ? CLIENT_MASK_ENTRIES : 0);
}

/* The highest bit of each element. */
static uint64_t mask_of_vector(const unsigned char* vector, const struct client_site* site) {
  enum { BITS = 8 };
  uint64_t mask = 0;
  for (uint32_t lane = 0; lane < site->lanes; ++lane) {
    const uint32_t last = lane * site->mask_bytes + site->mask_bytes - 1;
    mask |= (uint64_t)(vector[last] >> (BITS - 1)) << lane;
  }
  return mask;
}

static uint64_t lanes_of(const struct ridge_trace_entry* first,
                         const struct client_site_entry* described) {
  enum { MOST_LANES = 64 };
  const struct client_site* site = &described->site;
  if (site->mask_bytes) {
    const uint32_t before = client_site_entries(site) - CLIENT_MASK_ENTRIES;
    return mask_of_vector((const unsigned char*)(first + before), site);
  }
  return site->lanes < MOST_LANES ? described->value & ((1ul << site->lanes) - 1)
                                  : described->value;
}

/* Runs of active lanes. */
static void expand_masked(const struct output* output, uint64_t address, uint64_t mask,
                          uint64_t lane_bytes) {
  while (mask) {
    const uint32_t from = (uint32_t)__builtin_ctzl(mask);
    const uint64_t inverted = ~(mask >> from);
    const uint32_t count = inverted ? (uint32_t)__builtin_ctzl(inverted) : 64;
    emit(output, address + from * lane_bytes, count * lane_bytes);
    mask = from + count < 64 ? mask >> (from + count) << (from + count) : 0;
  }
}

static void expand_indexed(const struct output* output, const struct ridge_trace_entry* first,
                           const struct client_site* site, uint64_t mask, uint64_t lane_bytes) {
  const unsigned char* indices = (const unsigned char*)(first + 2);
  for (; mask; mask &= mask - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctzl(mask);
    int64_t index = 0;
    if (site->index_bytes == sizeof(int32_t)) {
      int32_t narrow = 0;
      memcpy(&narrow, indices + lane * sizeof narrow, sizeof narrow);
      index = narrow;
    } else {
      memcpy(&index, indices + lane * sizeof index, sizeof index);
    }
    emit(output, first->address + (uint64_t)index * site->scale, lane_bytes);
  }
}

/* Forwards from the first address on, or with the direction flag set backwards. */
static void expand_repeated(const struct output* output, uint64_t begin, uint64_t end,
                            uint64_t bytes) {
  if (end >= begin) {
    emit(output, begin, end - begin);
  } else {
    emit(output, end + bytes, begin - end);
  }
}

void client_expand(const struct ridge_trace_entry* first,
                   void (*emit_piece)(void* context, uint64_t address, uint64_t meta),
                   void* context) {
  struct client_site_entry described;
  memcpy(&described, first + 1, sizeof described);
  const uint64_t bytes = first->meta & BYTES_MASK;
  const uint64_t own = (uint64_t)CLIENT_TRACE_SITE << RIDGE_TRACE_FLAGS_SHIFT;
  const struct output output = {emit_piece, context, (first->meta & ~own) - bytes};
  if (described.site.kind == CLIENT_SITE_REPEATED) {
    expand_repeated(&output, first->address, described.value, bytes);
    return;
  }
  const uint64_t mask = lanes_of(first, &described);
  switch (described.site.kind) {
    case CLIENT_SITE_MASKED:
      expand_masked(&output, first->address, mask, bytes);
      break;
    case CLIENT_SITE_PACKED:
      emit(&output, first->address, bytes * (uint64_t)__builtin_popcountl(mask));
      break;
    case CLIENT_SITE_SHARED:
      emit(&output, first->address, mask ? bytes : 0);
      break;
    default:
      expand_indexed(&output, first, &described.site, mask, bytes);
      break;
  }
}
