// Memory of calls (abi/call_record.h) that a measured program has damaged: what is read of it, and
// the calls that a profile has of that. The input is a list of writes into intact memory, so
// that damage lies where structures are; its first byte chooses the bytes themselves as input.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "measure/calls/call_records.hpp"
#include "measure/calls/call_records_for_tests.hpp"
#include "measure/calls/library_calls.hpp"
#include "measure/calls/mpi_calls.hpp"

using namespace ridge;
using namespace ridge::measure;

namespace {

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

CallMemoryBuilder intact() {
  CallMemoryBuilder memory;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    const auto process = memory.process(42 + rank, rank, 2);
    const auto program = memory.module(process, "/bin/program");
    ridge_call_entry call = CallMemoryBuilder::entry("MPI_Recv", 3, 1000, program, 0x1234);
    call.flags = RIDGE_CALL_HAS_BYTES | RIDGE_CALL_HAS_WAITING;
    call.bytes = 800;
    call.waiting_nanoseconds = 10;
    memory.table(process, {call, CallMemoryBuilder::entry("MPI_Send", 1, 5)});
    memory.table(process, {call});
  }
  ridge_call_entry product = CallMemoryBuilder::entry("dgemm", 3, 1000);
  product.sizes[0] = product.sizes[1] = product.sizes[2] = 100;
  ridge_call_entry transform = CallMemoryBuilder::entry("fftw_execute", 3, 1000);
  transform.sizes[0] = 1024;
  transform.sizes[3] = RIDGE_CALL_REAL | 1;
  memory.table(memory.process(42, 0, 0, RIDGE_LAYER_LIBRARIES), {product, transform});
  return memory;
}

void check(const std::vector<RecordedProcess>& processes) {
  for (const RecordedProcess& process : processes) {
    require(!process.rank || *process.rank >= 0);
    for (const RecordedCall& call : process.calls) {
      require(call.calls > 0 && !call.name.empty() && call.seconds >= 0.0);
      require(!call.waiting_seconds || *call.waiting_seconds <= call.seconds);
    }
  }
  Profile profile;
  profile.processes.emplace_back().pid = 42;
  profile.regions.emplace_back();
  add_mpi_calls(profile, processes, [](const RecordedProcess&, const RecordedCall& call) {
    return call.region == 0 ? std::optional<std::uint32_t>(0) : std::nullopt;
  });
  add_library_calls(profile, processes, [](const RecordedProcess&, const RecordedCall&) {
    return std::optional<std::uint32_t>(0);
  });
  for (const MpiCall& call : profile.mpi_calls) {
    require(call.seconds >= Seconds(0.0) &&
            (!call.waiting_seconds || *call.waiting_seconds <= call.seconds));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  if (data[0] % 4 == 0) {
    check(decode_calls(std::as_bytes(std::span(data + 1, size - 1))));
    return 0;
  }
  CallMemoryBuilder memory = intact();
  for (std::size_t at = 1; at + 3 < size;) {
    const std::size_t place = data[at] | static_cast<std::size_t>(data[at + 1]) << 8U;
    const std::size_t length = std::min<std::size_t>(1 + data[at + 2] % 8, size - at - 3);
    for (std::size_t i = 0; i < length; ++i) {
      memory.storage()[(place + i) % memory.storage().size()] = std::byte(data[at + 3 + i]);
    }
    at += 3 + length;
  }
  check(decode_calls(memory.bytes()));
  return 0;
}
