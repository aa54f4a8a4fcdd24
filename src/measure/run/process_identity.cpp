#include "measure/run/process_identity.hpp"

#include "measure/run/rank_variables.hpp"
#include "platform/process_files.hpp"

namespace ridge::measure {
namespace {

/// Calls `visit` with each part that NUL ends.
template <class Visit>
void for_each_part(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const auto end = text.find('\0');
    visit(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

}  // namespace

std::optional<ProcessIdentity> read_process_identity(pid_t pid) {
  const auto arguments = platform::read_process_file(pid, "cmdline");
  const auto environment = platform::read_process_file(pid, "environ");
  if (!arguments || arguments->empty()) {
    return std::nullopt;  // a zombie has none
  }
  ProcessIdentity identity;
  for_each_part(*arguments, [&](std::string_view word) { identity.argv.emplace_back(word); });
  identity.rank = rank_in(environment.value_or(std::string()));
  return identity;
}

}  // namespace ridge::measure
