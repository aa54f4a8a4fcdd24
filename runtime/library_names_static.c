/* A statically linked program has no libraries to name. */
#include <stddef.h>

#include "runtime/state.h"

extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));

const char* ridge_file_at(const void* address) {
  (void)address;
  return "";
}

const void* ridge_image_at(const void* address) {
  (void)address;
  return __ehdr_start;
}

uint64_t ridge_library_names(const struct ridge_module* module,
                             const struct ridge_descriptor_header* header, uint64_t* bytes) {
  (void)module;
  (void)header;
  *bytes = 0;
  return 0;
}
