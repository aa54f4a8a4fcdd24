#include "measure/ranks/add_call.hpp"

#include <optional>

#include "core/quantity/saturating.hpp"

namespace ridge::measure {
namespace {

void add_known(std::optional<std::uint64_t>& to, const std::optional<std::uint64_t>& from) {
  if (from) {
    to = saturating_add(to.value_or(0), *from);
  }
}

}  // namespace

void add_call(MpiCall& to, const MpiCall& from) {
  to.calls = saturating_add(to.calls, from.calls);
  to.messages = saturating_add(to.messages, from.messages);
  to.moved_bytes = saturating_add(to.moved_bytes, from.moved_bytes);
  add_known(to.bytes, from.bytes);
  to.seconds += from.seconds;
  if (from.waiting_seconds) {
    to.waiting_seconds = to.waiting_seconds.value_or(Seconds(0.0)) + *from.waiting_seconds;
  }
  to.seconds_by_rank.reset();
}

void add_call(LibraryCall& to, const LibraryCall& from) {
  to.calls = saturating_add(to.calls, from.calls);
  add_known(to.flops, from.flops);
  add_known(to.bytes, from.bytes);
  to.seconds += from.seconds;
}

}  // namespace ridge::measure
