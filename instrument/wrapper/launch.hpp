// ridge-launch: what build systems put in front of a compiler (CMAKE_CXX_COMPILER_LAUNCHER). It
// finds the compiler in the command line and says what to start in its place. A pure function.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridge::wrapper {

/// The wrapper that stands for a compiler, by the name of that compiler: "ridge-cc" for
/// "/usr/bin/x86_64-linux-gnu-gcc-12". nullopt for what is no compiler, or one for another
/// processor.
[[nodiscard]] std::optional<std::string_view> wrapper_in_place_of(std::string_view compiler);

struct Launch {
  std::vector<std::string> command;  ///< what to start, with its arguments
  std::vector<std::pair<std::string, std::string>> environment;  ///< variables to set
  bool is_cached = false;  ///< ccache starts the wrapper: it must know the plugin
};

/// `arguments` (without argv[0]) are a command line that begins with a compiler, or with a cache
/// for compilers and a compiler. The wrappers lie in `folder`. nullopt where no compiler is found.
///
/// A compiler of an MPI (mpicc) stays, because it knows the MPI's folders; it is told which
/// compiler to start.
[[nodiscard]] std::optional<Launch> launch(const std::vector<std::string>& arguments,
                                           const std::string& folder);

}  // namespace ridge::wrapper
