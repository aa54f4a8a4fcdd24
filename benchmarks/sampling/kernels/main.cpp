// sampling_kernels NAME [SIZE REPEATS]: runs one kernel. Without a name: lists them with the sizes
// that they have by default.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "kernels.hpp"

int main(int argc, char** argv) {
  std::vector<sampling::Kernel> all;
  for (const auto& group : {sampling::nests(), sampling::solvers(), sampling::irregular()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  if (argc < 2) {
    for (const auto& kernel : all) {
      std::printf("%.*s %ld %ld\n", static_cast<int>(kernel.name.size()), kernel.name.data(),
                  kernel.size, kernel.repeats);
    }
    return 0;
  }
  const std::string_view name = argv[1];
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& kernel) { return kernel.name == name; });
  if (found == all.end()) {
    std::fprintf(stderr, "sampling_kernels: no kernel of this name: %s\n", argv[1]);
    return 2;
  }
  const long size = argc > 2 ? std::atol(argv[2]) : found->size;
  const long repeats = argc > 3 ? std::atol(argv[3]) : found->repeats;
  std::printf("%s %ld %ld: %.12e\n", argv[1], size, repeats, found->run(size, repeats));
  return 0;
}
