#include "instrument/engine/plan.h"

#include <stddef.h>

#include "cachesim/cachesim.h"

static int same_text(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

static const char* check_header(const struct ridge_plan* header, uint64_t size) {
  const uint64_t room = size - sizeof(*header);
  const uint64_t modules = (uint64_t)header->module_count * sizeof(struct ridge_plan_module);
  if (header->magic != RIDGE_PLAN_MAGIC) {
    return "the file is no plan";
  }
  if (header->version != RIDGE_RECORD_VERSION) {
    return "the plan is of another version";
  }
  if (header->region_count == 0 || header->region_count > RIDGE_REGION_CAPACITY) {
    return "the plan has no regions or too many";
  }
  if (modules > room || header->range_count > (room - modules) / sizeof(struct ridge_plan_range) ||
      header->text_bytes !=
          room - modules - header->range_count * sizeof(struct ridge_plan_range)) {
    return "the plan is not as long as it says";
  }
  if (header->elsewhere_count > RIDGE_ELSEWHERE_MAX || header->traffic_mode > RIDGE_TRAFFIC_AUTO) {
    return "the plan asks for what this version does not know";
  }
  return cachesim_check(&header->caches);
}

static const char* check_ranges(const struct engine_plan* plan,
                                const struct ridge_plan_module* module) {
  const struct ridge_plan_range* ranges = plan->ranges + module->first_range;
  uint64_t end = 0;
  for (uint64_t i = 0; i < module->range_count; ++i) {
    if (ranges[i].begin < end || ranges[i].end <= ranges[i].begin) {
      return "ranges of the plan are empty or out of order";
    }
    if (ranges[i].region >= plan->header->region_count) {
      return "a range of the plan names a region that there is not";
    }
    end = ranges[i].end;
  }
  return NULL;
}

static const char* check_module(const struct engine_plan* plan,
                                const struct ridge_plan_module* module) {
  const struct ridge_plan* header = plan->header;
  if (module->path >= header->text_bytes) {
    return "a path of the plan lies outside of it";
  }
  if (module->first_range > header->range_count ||
      module->range_count > header->range_count - module->first_range) {
    return "ranges of the plan lie outside of it";
  }
  return check_ranges(plan, module);
}

const char* engine_plan_open(struct engine_plan* plan, const void* bytes, uint64_t size) {
  const struct ridge_plan* header = bytes;
  if (size < sizeof(*header) || (uintptr_t)bytes % 8 != 0) {
    return "the plan is too short";
  }
  const char* problem = check_header(header, size);
  if (problem != NULL) {
    return problem;
  }
  plan->header = header;
  plan->modules = (const struct ridge_plan_module*)(header + 1);
  plan->ranges = (const struct ridge_plan_range*)(plan->modules + header->module_count);
  plan->text = (const char*)(plan->ranges + header->range_count);
  if (header->module_count != 0 &&
      (header->text_bytes == 0 || plan->text[header->text_bytes - 1] != '\0')) {
    return "the text of the plan does not end";
  }
  for (uint32_t i = 0; i < header->module_count && problem == NULL; ++i) {
    problem = check_module(plan, &plan->modules[i]);
  }
  return problem;
}

uint32_t engine_plan_module(const struct engine_plan* plan, const char* path) {
  for (uint32_t i = 0; i < plan->header->module_count; ++i) {
    if (same_text(plan->text + plan->modules[i].path, path)) {
      return i;
    }
  }
  return ENGINE_NO_MODULE;
}

uint32_t engine_plan_region(const struct engine_plan* plan, uint32_t module, uint64_t file_offset) {
  if (module >= plan->header->module_count) {
    return 0;
  }
  const struct ridge_plan_range* ranges = plan->ranges + plan->modules[module].first_range;
  uint64_t low = 0;
  uint64_t high = plan->modules[module].range_count;
  while (low < high) { /* the first range that ends behind the offset */
    const uint64_t middle = low + (high - low) / 2;
    if (ranges[middle].end <= file_offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const int inside = low < plan->modules[module].range_count && ranges[low].begin <= file_offset;
  return inside ? ranges[low].region : 0;
}
