#include "cachesim/hierarchy.h"
#include "cachesim/observer.h"

/* Of a watched line: `writers` = the cores that wrote it (one bit per slot mod 56) and, above, how
 * many writes were seen since it changed hands: after MANY_WRITES its writer is known and the
 * filter may have the line. `words` = a nibble for each word: 0 = nobody seen, 1 + slot mod 13, or
 * one of those below. `taken` = 1 + the observer's clock when a core took it from another one last;
 * above how often in a row that was soon after the time before, and whether cores ever wrote the
 * line at the same time. */
enum {
  WRITERS = 56,
  MANY_WRITES = 255,
  WORDS = 16,
  WORD_NAMES = 13,
  WORD_AMBIGUOUS = 14, /* cores with the same name may or may not be one */
  WORD_SHARED = 15
};

enum sharing_kind { NOT_SHARED, SHARED_UNKNOWN, SHARED_FALSELY, SHARED_TRULY };

/* Cores that write a line at the same time take it from each other once in each of their turns,
 * again and again. Later, or a few times only, and it was handed on: one part of the program
 * follows another, whose last accesses may be simulated late. */
enum { TURNS_APART = 2, IN_A_ROW = 3, IN_A_ROW_SHIFT = 56 };
static const uint64_t contended = (uint64_t)1 << 63;
static const uint64_t clock_mask = ((uint64_t)1 << IN_A_ROW_SHIFT) - 1;

static const uint64_t writers_mask = ((uint64_t)1 << WRITERS) - 1;
static const uint64_t nibble_ones = UINT64_C(0x1111111111111111);

/* Null if the line is not watched for this region. */
static struct cachesim_watched_line* watched(const struct cachesim* sim, uint64_t line,
                                             uint32_t region) {
  const struct cachesim_observer* observer = sim->observer;
  if (observer == 0 || !cachesim_may_be_watched(observer, line)) {
    return 0;
  }
  return cachesim_watched_find(&observer->watched, line, region);
}

static uint64_t writer_bit(const struct cachesim_core* core) {
  return (uint64_t)1 << core->slot % WRITERS;
}

/* Two different writers among the words that were seen. */
static int has_two_names(uint64_t words) {
  uint64_t first = 0;
  for (; words != 0; words >>= 4) {
    const uint64_t name = words & 15;
    if (name != 0 && first != 0 && name != first) {
      return 1;
    }
    first = name != 0 ? name : first;
  }
  return 0;
}

static int has_name(uint64_t words, uint64_t name) {
  const uint64_t differs = words ^ name * nibble_ones;
  return ((differs - nibble_ones) & ~differs & nibble_ones << 3) != 0;
}

static enum sharing_kind kind_of(const struct cachesim_watched_line* line) {
  const uint64_t writers = line->writers & writers_mask;
  if ((writers & (writers - 1)) == 0 || (line->taken & contended) == 0) {
    return NOT_SHARED;
  }
  if (has_name(line->words, WORD_SHARED)) {
    return SHARED_TRULY;
  }
  if (has_name(line->words, WORD_AMBIGUOUS) || !has_two_names(line->words)) {
    return SHARED_UNKNOWN;
  }
  return SHARED_FALSELY;
}

static void count(struct ridge_region_lines* region, enum sharing_kind before,
                  enum sharing_kind after) {
  region->shared += before == NOT_SHARED && after != NOT_SHARED;
  region->shared_falsely += (uint64_t)(after == SHARED_FALSELY) - (before == SHARED_FALSELY);
  region->shared_truly += (uint64_t)(after == SHARED_TRULY) - (before == SHARED_TRULY);
}

/* A core takes the line from another one: of how many times it is now known that they write it at
 * the same time. */
static uint64_t note_taken(const struct cachesim* sim, struct cachesim_watched_line* line) {
  const uint64_t now = (sim->observer->clock + 1) & clock_mask;
  const uint64_t last = line->taken & clock_mask;
  const uint64_t before = line->taken >> IN_A_ROW_SHIFT & IN_A_ROW;
  const uint64_t apart = (uint64_t)TURNS_APART * RIDGE_TURN_ACCESSES * sim->active_count;
  const int soon = last != 0 && now - last <= apart;
  const uint64_t in_a_row = !soon ? 0 : before < IN_A_ROW ? before + 1 : before;
  line->taken = now | in_a_row << IN_A_ROW_SHIFT | (line->taken & contended);
  if (in_a_row < IN_A_ROW) {
    return 0;
  }
  line->taken |= contended;
  return before < IN_A_ROW ? 1 + IN_A_ROW : 1;
}

void cachesim_watch_line(struct cachesim* sim, const struct cachesim_core* writer, uint64_t line,
                         uint32_t region) {
  struct cachesim_observer* observer = sim->observer;
  if (!cachesim_observes(sim) || region >= observer->region_limit) {
    return;
  }
  struct cachesim_watched_line* found =
      cachesim_watched_get(&observer->watched, &sim->memory, line, region);
  if (found == 0) {
    sim->incomplete |= CACHESIM_LEAST_INCOMPLETE;
    return;
  }
  const uint64_t hash = cachesim_hash(line);
  observer->may_be_watched[hash >> 58] |= (uint64_t)1 << (hash >> 52 & 63);
  const enum sharing_kind before = kind_of(found);
  found->writers |= writer_bit(writer);
  count(&observer->regions[region], before, kind_of(found));
}

void cachesim_note_invalidation(struct cachesim* sim, const struct cachesim_core* core,
                                const struct cachesim_piece* piece, uint32_t copies) {
  struct cachesim_watched_line* found =
      copies != 0 && cachesim_observes(sim) ? watched(sim, piece->line, piece->region) : 0;
  if (found == 0) {
    return;
  }
  struct ridge_region_lines* region = &sim->observer->regions[piece->region];
  const enum sharing_kind before = kind_of(found);
  found->writers = (found->writers & writers_mask) | writer_bit(core); /* who is seen anew */
  const uint64_t taken = note_taken(sim, found);
  count(region, before, kind_of(found));
  region->invalidations += kind_of(found) != NOT_SHARED ? taken : 0;
}

/* The words that the piece touches get the name of their writer. */
static uint64_t with_words(uint64_t words, const struct cachesim* sim,
                           const struct cachesim_core* core, const struct cachesim_piece* piece,
                           uint32_t offset) {
  const uint32_t word_bytes = sim->line_bytes / WORDS;
  const uint32_t last = (offset + piece->bytes - 1) / word_bytes;
  const uint64_t own = 1 + core->slot % WORD_NAMES;
  for (uint32_t word = offset / word_bytes; word <= last; ++word) {
    const uint64_t name = words >> 4 * word & 15;
    uint64_t now = name == 0 || name == own ? own : WORD_SHARED;
    if (name == own && sim->active_count > WORD_NAMES) {
      now = WORD_AMBIGUOUS;
    }
    now = name >= WORD_AMBIGUOUS ? name : now;
    words = (words & ~((uint64_t)15 << 4 * word)) | now << 4 * word;
  }
  return words;
}

void cachesim_note_shared_write(struct cachesim* sim, const struct cachesim_core* core,
                                const struct cachesim_piece* piece, uint32_t offset) {
  struct cachesim_watched_line* line = watched(sim, piece->line, piece->region);
  if (line == 0 || piece->bytes == 0 || line->writers >> WRITERS >= MANY_WRITES) {
    return;
  }
  const enum sharing_kind before = kind_of(line);
  line->writers = (line->writers | writer_bit(core)) + ((uint64_t)1 << WRITERS);
  line->words = with_words(line->words, sim, core, piece, offset);
  count(&sim->observer->regions[piece->region], before, kind_of(line));
}

int cachesim_is_watched(const struct cachesim* sim, uint64_t line, uint32_t region) {
  const struct cachesim_watched_line* found = watched(sim, line, region);
  return found != 0 && found->writers >> WRITERS < MANY_WRITES &&
         !has_name(found->words, WORD_SHARED); /* which it stays, whoever writes what */
}
