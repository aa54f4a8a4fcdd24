/* See launched.h. */
#include "instrument/engine/launched.h"

static const char* const kept[] = {"OMPI_COMM_WORLD_RANK=", "PMIX_RANK=",    "PMI_RANK=",
                                   "MV2_COMM_WORLD_RANK=",  "SLURM_PROCID=", "SLURM_NTASKS="};

/* Of a text that `bytes` bound and need not end. */
static int begins_with(const char* text, uint64_t bytes, const char* beginning) {
  uint64_t at = 0;
  while (beginning[at] != '\0') {
    if (at == bytes || text[at] != beginning[at]) {
      return 0;
    }
    ++at;
  }
  return 1;
}

static int belongs(const char* variable, uint64_t bytes) {
  for (uint32_t i = 0; i < sizeof(kept) / sizeof(kept[0]); ++i) {
    if (begins_with(variable, bytes, kept[i])) {
      return 1;
    }
  }
  return 0;
}

uint64_t engine_keep_launched(char* environment, uint64_t bytes) {
  uint64_t used = 0;
  uint64_t begin = 0;
  while (begin < bytes) {
    uint64_t end = begin;
    while (end < bytes && environment[end] != '\0') {
      ++end;
    }
    if (end < bytes && belongs(environment + begin, end - begin)) {
      for (uint64_t at = begin; at <= end; ++at) {
        environment[used++] = environment[at];
      }
    }
    begin = end + 1;
  }
  return used;
}
