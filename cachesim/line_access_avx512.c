#include "cachesim/private_access.h"

cachesim_line_access* cachesim_line_access_avx512(uint32_t kind) {
  return access_of(kind);
}
