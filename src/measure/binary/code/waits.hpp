// Functions of runtimes in which threads wait: of OpenMP, MPI and the C library.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/value/region.hpp"
#include "machine_code/function.hpp"

namespace ridge::measure::binary {

struct RuntimeWait {
  WaitKind kind = WaitKind::other;
  std::string name;  ///< "waits in libgomp: barrier"

  friend bool operator==(const RuntimeWait&, const RuntimeWait&) = default;
};

/// By linkage name and the path of the file that defines it. nullopt: it does not wait.
[[nodiscard]] std::optional<RuntimeWait> runtime_wait(std::string_view function,
                                                      std::string_view path);

/// Of a function without a name: stripped runtimes keep no names of those that spin, ask the kernel
/// to wait (OpenMP) or poll for messages (Open MPI). nullopt where the file is none of them, or the
/// function does nothing of that.
[[nodiscard]] std::optional<RuntimeWait> nameless_wait(const machine_code::Function& function,
                                                       std::string_view path);

}  // namespace ridge::measure::binary
