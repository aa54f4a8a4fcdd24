/* Traffic mode, on a machine with several memory nodes: on which of them lies what a region gets
 * from memory, and where the threads run that ask for it. The simulator notes some of the lines
 * that it reads from memory, and the kernel is asked for the pages of many at once. */
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/state.h"

/* Lines from memory for one that is looked at. */
enum { LINES_FOR_A_SAMPLE = 64 };

void ridge_start_page_nodes(void) {
  if (ridge_runtime.arena->memory_nodes < 2) {
    return;
  }
  struct ridge_region_nodes* table =
      ridge_make_table(sizeof(*table), RIDGE_LINES_CAPACITY, &ridge_runtime.process->nodes);
  if (table == NULL) {
    return;
  }
  ridge_runtime.page_nodes.regions = table;
  cachesim_sample_memory(ridge_runtime.simulator, ridge_runtime.page_nodes.samples,
                         RIDGE_NODE_SAMPLES, LINES_FOR_A_SAMPLE);
  ridge_weigh_page_nodes();
}

void ridge_weigh_page_nodes(void) {
  const struct ridge_sampling* sampling = &ridge_runtime.sampling;
  const uint64_t every = LINES_FOR_A_SAMPLE / (sampling->begun ? sampling->weight : 1);
  ridge_runtime.simulator->memory_sample_every = every != 0 ? (uint32_t)every : 1;
}

void ridge_drop_page_nodes(void) {
  ridge_runtime.page_nodes.regions = NULL;
  ridge_runtime.page_nodes.known = 0;
}

void ridge_grow_page_nodes(uint32_t region_count) {
  const struct ridge_region_nodes* table = ridge_runtime.page_nodes.regions;
  if (table != NULL) {
    ridge_grow_table(table, sizeof(*table), RIDGE_LINES_CAPACITY, region_count);
  }
}

/* The line's address in the program. */
static uint64_t address_of(uint64_t line) {
  const struct ridge_sampling* sampling = &ridge_runtime.sampling;
  if (!sampling->packed) {
    return line * RIDGE_TRACE_LINE_BYTES;
  }
  uint64_t class = 0;
  while ((sampling->mask >> class & 1) == 0 ||
         sampling->rank[class] != line % sampling->class_count) {
    ++class;
  }
  return (line / sampling->class_count * RIDGE_LINE_CLASSES + class) * RIDGE_TRACE_LINE_BYTES;
}

static void count_sample(uint32_t index, int of_page) {
  const struct ridge_page_nodes* nodes = &ridge_runtime.page_nodes;
  const uint32_t region = nodes->samples[index].region;
  const uint32_t of_thread = nodes->of_thread[index];
  if (of_page < 0 || region >= ridge_runtime.process->region_count ||
      region >= RIDGE_LINES_CAPACITY) {
    return; /* a page that nobody has written lies nowhere */
  }
  if (of_page < RIDGE_NODES_MAX && of_thread < RIDGE_NODES_MAX) {
    ++nodes->regions[region].lines[of_thread][of_page];
  } else {
    ++nodes->regions[region].others;
  }
}

void ridge_ask_for_page_nodes(void) {
  struct ridge_page_nodes* nodes = &ridge_runtime.page_nodes;
  enum { AT_ONCE = 64 };
  void* pages[AT_ONCE];
  int of_page[AT_ONCE];
  for (uint32_t first = 0; nodes->regions != NULL && first < nodes->known; first += AT_ONCE) {
    const uint32_t left = nodes->known - first;
    const uint32_t count = left < AT_ONCE ? left : (uint32_t)AT_ONCE;
    for (uint32_t i = 0; i < count; ++i) {
      pages[i] = (void*)address_of(nodes->samples[first + i].line);
    }
    /* Without target nodes nothing moves. Where a container forbids it, nothing is known. */
    if (syscall(SYS_move_pages, 0, (unsigned long)count, pages, NULL, of_page, 0) != 0) {
      nodes->regions = NULL;
      break;
    }
    for (uint32_t i = 0; i < count; ++i) {
      count_sample(first + i, of_page[i]);
    }
  }
  nodes->known = 0;
  if (ridge_runtime.simulator != NULL) {
    ridge_runtime.simulator->memory_sample_count = 0;
  }
}

void ridge_note_page_nodes(uint32_t node) {
  struct ridge_page_nodes* nodes = &ridge_runtime.page_nodes;
  enum { WORTH_ASKING = 64 };
  if (nodes->regions == NULL || ridge_runtime.simulator->memory_sample_count == nodes->known) {
    return;
  }
  while (nodes->known < ridge_runtime.simulator->memory_sample_count) {
    nodes->of_thread[nodes->known++] = node;
  }
  if (nodes->known >= WORTH_ASKING) {
    ridge_ask_for_page_nodes();
  }
}
