// Calls of one function on several ranks, added. Pure.
#pragma once

#include "core/value/parallel_run.hpp"

namespace ridge::measure {

/// Calls, bytes, seconds and waiting; how the sum spreads over ranks is the caller's to say. What
/// one of the two does not know (bytes, waiting, work) the sum does not know either.
void add_call(MpiCall& to, const MpiCall& from);
void add_call(LibraryCall& to, const LibraryCall& from);

/// To the `call` of that key. The first is taken as it is: of none, nothing would be unknown.
template <class Calls, class Call>
auto& add_call_to(Calls& calls, const typename Calls::key_type& key, const Call& call) {
  const auto [found, is_new] = calls.try_emplace(key);
  if (is_new) {
    found->second.call = call;
  } else {
    add_call(found->second.call, call);
  }
  return found->second;
}

}  // namespace ridge::measure
