#include "cli/run/given_caches.hpp"

#include <fmt/format.h>

#include "core/value/cache_geometry.hpp"

namespace ridge::cli {

Result<Machine> with_given_caches(Machine machine, const RunOptions& options) {
  if (!options.cache) {
    return machine;
  }
  auto caches = parse_cache_geometry(*options.cache, machine);
  if (!caches) {
    return tl::make_unexpected(caches.error());
  }
  machine.caches = std::move(*caches);
  machine.notes.push_back(
      {"caches-given", fmt::format("the caches are those of --cache {}, not the machine's: traffic "
                                   "is that of the given ones, bandwidths are the machine's",
                                   *options.cache)});
  return machine;
}

void copy_note_of_caches(Profile& profile) {
  for (const Note& note : profile.machine.notes) {
    if (note.code == "caches-given") {
      profile.notes.push_back(note);
    }
  }
}

}  // namespace ridge::cli
