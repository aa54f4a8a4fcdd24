// Which file lay where in the memory of several processes, as time goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "platform/address_sample.hpp"

namespace ridge::platform {

/// The executable mappings in a text as that of /proc/PID/maps, in its order. Lines that are none
/// are left out.
[[nodiscard]] std::vector<CodeMapping> parse_memory_maps(std::string_view text, pid_t pid);

/// Those of a process; nullopt when it is gone or not ours to look at.
[[nodiscard]] std::optional<std::vector<CodeMapping>> read_memory_maps(pid_t pid);

/// The path of a mapping as CodeMapping has it, from what the kernel calls it.
[[nodiscard]] std::string_view path_of_mapping(std::string_view name);

/// What is told to it has to come in the order of time.
class AddressSpaces {
 public:
  /// From now on this lies there, whatever lay there before.
  void map(const CodeMapping& mapping);
  /// All that `pid` has.
  void replace(pid_t pid, const std::vector<CodeMapping>& all);
  /// `child` has from now on what `parent` has.
  void fork(pid_t parent, pid_t child);
  void forget(pid_t pid);

  /// Index into mappings(), or kNoMapping.
  [[nodiscard]] std::uint32_t find(pid_t pid, std::uint64_t address);
  /// Those that something was found in. Only ever grows.
  [[nodiscard]] const std::vector<CodeMapping>& mappings() const { return found_; }

 private:
  struct Region {
    std::uint64_t end = 0;
    std::uint64_t file_offset = 0;
    std::shared_ptr<const std::string> path;
    std::uint32_t index = kNoMapping;
  };
  using Space = std::map<std::uint64_t, Region>;  ///< by the first address; they do not overlap

  static void make_room(Space& space, std::uint64_t begin, std::uint64_t end);

  std::map<pid_t, Space> spaces_;
  std::vector<CodeMapping> found_;
};

}  // namespace ridge::platform
