// Prints errors of the sub-command, and holds the catch of what
// nobody expected.
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/common/build_facts.hpp"
#include "cli/common/dispatch.hpp"
#include "cli/common/initial_affinity.hpp"
#include "cli/common/streams.hpp"

namespace ridge::cli {
namespace {

constexpr int kInternalError = 70;  // EX_SOFTWARE: a bug of ours, not in the contract's table

}  // namespace
}  // namespace ridge::cli

int main(int argc, char** argv) {
  ridge::cli::guard_standard_streams();
  ridge::cli::restore_initial_affinity();
  try {
    const auto code = ridge::cli::dispatch({argv + 1, argv + argc},
                                           ridge::cli::version_text(ridge::cli::build_facts));
    return code ? *code : ridge::cli::say_error(code.error());
  } catch (const std::bad_alloc&) {
    std::fputs("ridge: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ridge: internal error: %s\n       Please report it with this line.\n",
                 error.what());
  }
  return ridge::cli::kInternalError;
}
