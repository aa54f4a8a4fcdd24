/* A statically linked program has no libraries to name. */
#include "runtime/state.h"

uint64_t ridge_library_names(const struct ridge_module* module,
                             const struct ridge_descriptor_header* header, uint64_t* bytes) {
  (void)module;
  (void)header;
  *bytes = 0;
  return 0;
}
