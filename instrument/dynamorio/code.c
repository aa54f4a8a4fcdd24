#include "instrument/dynamorio/code.h"

#include <string.h>

struct block {
  uint64_t address;
  uint64_t code; /* offset in `codes` */
  uint32_t bytes;
  uint32_t mapping;
  uint32_t counter;
  uint32_t next; /* of the same hash; CLIENT_NONE: none */
};

static struct client_list mappings; /* struct client_mapping */
static struct client_list paths;    /* char */
static struct client_list blocks;   /* struct block */
static struct client_list codes;    /* unsigned char */
static struct client_list buckets;  /* uint32_t: the first block of this hash + 1 */
static uint32_t latest;             /* the mapping that was asked for last */

const struct client_mapping* client_mapping_at(uint32_t number) {
  return (const struct client_mapping*)mappings.items + number;
}

static int holds(uint32_t number, uint64_t address) {
  const struct client_mapping* mapping = client_mapping_at(number);
  return !mapping->gone && mapping->begin <= address && address < mapping->end;
}

void client_mappings_gone(uint64_t begin, uint64_t end) {
  struct client_mapping* all = mappings.items;
  for (uint64_t i = 0; i < mappings.count; ++i) {
    if (all[i].begin < end && begin < all[i].end) {
      all[i].gone = 1;
    }
  }
}

/* The segment of the module that holds the address. */
static int describe_segment(struct client_mapping* mapping, const module_data_t* module,
                            uint64_t address) {
  for (uint32_t i = 0; i < module->num_segments; ++i) {
    const module_segment_data_t* segment = &module->segments[i];
    if ((uint64_t)segment->start <= address && address < (uint64_t)segment->end) {
      mapping->begin = (uint64_t)segment->start;
      mapping->end = (uint64_t)segment->end;
      mapping->file_offset = segment->offset;
      return 1;
    }
  }
  return 0;
}

/* Names like [vdso] are no files. */
static void take_path(struct client_mapping* mapping, const char* path) {
  mapping->plan_module = ENGINE_NO_MODULE;
  if (!path || path[0] != '/') {
    return;
  }
  const uint32_t bytes = (uint32_t)strlen(path);
  char* kept = client_list_add(&paths, 1, bytes + 1ul);
  if (!kept) {
    return;
  }
  memcpy(kept, path, bytes + 1ul);
  mapping->path = paths.count - bytes - 1;
  mapping->path_bytes = bytes;
  if (client.has_plan) {
    mapping->plan_module = engine_plan_module(&client.plan, path);
  }
}

static void describe_memory(struct client_mapping* mapping, uint64_t address) {
  enum { PAGE = 4096 };
  dr_mem_info_t info;
  mapping->plan_module = ENGINE_NO_MODULE;
  if (dr_query_memory_ex((const byte*)address, &info) &&
      info.size > 0) {  // NOLINT(performance-no-int-to-ptr)
    mapping->begin = (uint64_t)info.base_pc;
    mapping->end = mapping->begin + info.size;
  }
  if (address < mapping->begin || address >= mapping->end) {
    mapping->begin = address / PAGE * PAGE;
    mapping->end = mapping->begin + PAGE;
  }
}

uint32_t client_mapping_of(uint64_t address) {
  if (latest < mappings.count && holds(latest, address)) {
    return latest;
  }
  for (uint64_t i = mappings.count; i > 0; --i) {
    if (holds((uint32_t)(i - 1), address)) {
      return latest = (uint32_t)(i - 1);
    }
  }
  struct client_mapping* mapping = client_list_add(&mappings, sizeof *mapping, 1);
  if (!mapping) {
    return CLIENT_NONE;
  }
  module_data_t* module = dr_lookup_module((byte*)address);  // NOLINT(performance-no-int-to-ptr)
  if (module && describe_segment(mapping, module, address)) {
    take_path(mapping, module->full_path);
  } else {
    describe_memory(mapping, address);
  }
  if (module) {
    dr_free_module_data(module);
  }
  return latest = (uint32_t)(mappings.count - 1);
}

static uint32_t bucket_of(uint64_t address) {
  return (uint32_t)(address * 0x9e3779b97f4a7c15u >> 32) & (uint32_t)(buckets.count - 1);
}

static void link_block(uint32_t number) {
  struct block* block = (struct block*)blocks.items + number;
  uint32_t* bucket = (uint32_t*)buckets.items + bucket_of(block->address);
  block->next = *bucket - 1;
  *bucket = number + 1;
}

/* As many buckets as blocks, at least. */
static int make_buckets(void) {
  if (blocks.count < buckets.count) {
    return 1;
  }
  struct client_list grown = {0};
  if (!client_list_add(&grown, sizeof(uint32_t), buckets.count ? 2 * buckets.count : 4096)) {
    return buckets.count > 0;
  }
  client_list_clear(&buckets, sizeof(uint32_t));
  buckets = grown;
  for (uint64_t i = 0; i < blocks.count; ++i) {
    link_block((uint32_t)i);
  }
  return 1;
}

static int is_same(const struct block* block, const struct client_stretch* stretch) {
  return block->address == stretch->address && block->bytes == stretch->bytes &&
         block->mapping == stretch->mapping &&
         memcmp((const unsigned char*)codes.items + block->code, stretch->code, stretch->bytes) ==
             0;
}

static int add_counters(const struct client_stretch* stretch, uint32_t number) {
  const uint64_t more = 1ul + stretch->details;
  if (client.counters.count + more > CLIENT_COUNTERS) {
    return 0;
  }
  struct client_counter* added = client_list_add(&client.counters, sizeof *added, more);
  if (!added) {
    return 0;
  }
  added[0] = (struct client_counter){number, CLIENT_EXECUTIONS};
  for (uint32_t i = 0; i < stretch->details; ++i) {
    added[i + 1] = (struct client_counter){number, stretch->offsets[i]};
  }
  return 1;
}

static uint32_t add_block(const struct client_stretch* stretch) {
  unsigned char* code = client_list_add(&codes, 1, stretch->bytes);
  struct block* block = code ? client_list_add(&blocks, sizeof *block, 1) : NULL;
  if (!block) {
    return CLIENT_NONE;
  }
  memcpy(code, stretch->code, stretch->bytes);
  const uint32_t number = (uint32_t)(blocks.count - 1);
  const uint32_t counter = (uint32_t)client.counters.count;
  if (!add_counters(stretch, number)) {
    --blocks.count;
    return CLIENT_NONE;
  }
  *block = (struct block){stretch->address, codes.count - stretch->bytes,
                          stretch->bytes,   stretch->mapping,
                          counter,          CLIENT_NONE};
  link_block(number);
  return counter;
}

uint32_t client_block_counter(const struct client_stretch* stretch) {
  if (!make_buckets()) {
    return CLIENT_NONE;
  }
  const struct block* all = blocks.items;
  uint32_t number = ((const uint32_t*)buckets.items)[bucket_of(stretch->address)] - 1;
  while (number != CLIENT_NONE && !is_same(&all[number], stretch)) {
    number = all[number].next;
  }
  return number != CLIENT_NONE ? all[number].counter : add_block(stretch);
}

static void write_mapping(struct engine_writer* writer, uint32_t number) {
  const struct client_mapping* mapping = client_mapping_at(number);
  const struct ridge_record_mapping written = {mapping->begin, mapping->end, mapping->file_offset,
                                               number, mapping->path_bytes > 0};
  engine_record_chunk(writer, RIDGE_RECORD_MAPPING, &written, sizeof written,
                      (const char*)paths.items + mapping->path, mapping->path_bytes);
}

void client_write_code(struct engine_writer* writer) {
  for (uint64_t i = 0; i < mappings.count; ++i) {
    write_mapping(writer, (uint32_t)i);
  }
  const struct block* all = blocks.items;
  for (uint64_t i = 0; i < blocks.count; ++i) {
    const struct ridge_record_block written = {all[i].address, (uint32_t)i, all[i].mapping,
                                               all[i].bytes, 0};
    engine_record_chunk(writer, RIDGE_RECORD_BLOCK, &written, sizeof written,
                        (const unsigned char*)codes.items + all[i].code, all[i].bytes);
  }
}
