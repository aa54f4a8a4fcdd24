#include "measure/ranks/add_call.hpp"

#include <optional>

#include "core/quantity/saturating.hpp"

namespace ridge::measure {
namespace {

void add_known(std::optional<std::uint64_t>& to, const std::optional<std::uint64_t>& from) {
  to = to && from ? std::optional(saturating_add(*to, *from)) : std::nullopt;
}

}  // namespace

void add_call(MpiCall& to, const MpiCall& from) {
  to.calls = saturating_add(to.calls, from.calls);
  to.messages = saturating_add(to.messages, from.messages);
  to.moved_bytes = saturating_add(to.moved_bytes, from.moved_bytes);
  add_known(to.bytes, from.bytes);
  to.seconds += from.seconds;
  to.waiting_seconds = to.waiting_seconds && from.waiting_seconds
                           ? std::optional(*to.waiting_seconds + *from.waiting_seconds)
                           : std::nullopt;
  to.seconds_by_rank.reset();
}

void add_call(LibraryCall& to, const LibraryCall& from) {
  to.calls = saturating_add(to.calls, from.calls);
  add_known(to.flops, from.flops);
  add_known(to.bytes, from.bytes);
  to.seconds += from.seconds;
}

}  // namespace ridge::measure
