// What the layers of `ridge run --mpi` saw of calls, as values. A pure function over bytes that the
// measured program wrote: every offset, count and chain is checked, damaged parts are left out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abi/call_record.h"

namespace ridge::measure {

/// Calls of one function from one place with the same sizes, summed over the threads of a process.
struct RecordedCall {
  std::string name;  ///< "MPI_Send"
  std::array<std::uint64_t, RIDGE_CALL_SIZES> sizes{};
  std::uint32_t region = 0;  ///< of the runtime in that process; 0: none
  std::string file;          ///< that holds the return address; empty: unknown
  std::uint64_t offset = 0;  ///< of the return address in it
  std::uint64_t calls = 0;
  std::optional<std::uint64_t> bytes;  ///< nullopt: it moves none, or nobody knows of some
  std::uint64_t messages = 0;          ///< that these calls must send or receive, at least
  std::uint64_t moved_bytes = 0;       ///< that must travel between ranks for them, at least
  double seconds = 0.0;
  std::optional<double> waiting_seconds;  ///< nullopt: not told apart

  friend bool operator==(const RecordedCall&, const RecordedCall&) = default;
};

struct RecordedProcess {
  std::uint32_t pid = 0;
  std::uint32_t parent_pid = 0;
  ridge_call_layer layer = RIDGE_LAYER_MPI;
  std::optional<int> rank;  ///< in MPI_COMM_WORLD
  std::uint32_t lost = 0;   ///< calls for which there was no memory
  std::vector<RecordedCall> calls;

  friend bool operator==(const RecordedProcess&, const RecordedProcess&) = default;
};

/// Oldest first. Empty where the bytes are none of abi/call_record.h.
[[nodiscard]] std::vector<RecordedProcess> decode_calls(std::span<const std::byte> memory);

}  // namespace ridge::measure
