// Single samples of single kernels of `ridge bench`, on request, for programs that let other
// programs measure in between.
//
//   bench_single_kernel CPU
//
// Prints {"tsc_hertz":...} first. Then, for each line of standard input
//
//   compute|bandwidth NAME ISA PRECISION LEVEL SET_BYTES SECONDS
//
// one line: {"work","ticks","seconds","set_bytes"} or {"error"}. `work` is in flop or in bytes that
// the kernel asks for, `ticks` are those of the time stamp counter. LEVEL and SET_BYTES of a
// compute kernel are - and 0. The kernel is built and its arrays are filled when it is asked for
// first; before each sample it runs for as long again, at most 10 ms, since the core was idle.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <string>

#include <fmt/core.h>

#include "bench/jit.hpp"
#include "bench/runner.hpp"
#include "platform/clock.hpp"
#include "platform/timing_loop.hpp"

namespace {

using namespace ridge::bench;

struct Request {
  std::string kind;
  std::string name;
  std::string isa;
  std::string precision;
  std::string level;
  std::uint64_t set_bytes = 0;
  double seconds = 0.0;
};

struct Prepared {
  JitKernel kernel;
  ThreadBuffers buffers;
  Walk once;  ///< through the whole set
  Walk walk;  ///< of one sample
  std::uint64_t set_bytes = 0;
  std::uint64_t next_piece = 0;

  /// Flops or bytes asked for of one sample.
  [[nodiscard]] double work() const {
    const LoopWork& loop = kernel.loop();
    const bool compute = kernel.bytes_per_turn() == 0;
    const auto per_turn =
        static_cast<double>(compute ? loop.flops : loop.loaded_bytes + loop.stored_bytes);
    return per_turn * static_cast<double>(walk.turns) * static_cast<double>(walk.repetitions);
  }

  /// Ticks of one sample. On the thread that calls.
  std::uint64_t sample() { return ticks_of(walk, next_piece++ % walk.pieces); }

  std::uint64_t ticks_of(const Walk& way, std::uint64_t piece) const {
    KernelArguments arguments;
    std::uint64_t offset = way.array_bytes / way.pieces * piece;
    for (std::byte*& array : arguments.arrays) {
      array = buffers.of(0) + offset;
      offset += way.stride;
    }
    arguments.iterations = way.turns;
    arguments.repetitions = way.repetitions;
    const std::uint64_t begin = ridge::platform::ticks_before();
    kernel.run(arguments);
    return ridge::platform::ticks_after() - begin;
  }
};

ridge::Error bad(std::string_view what, std::string_view value) {
  return {ridge::ErrorCode::bad_input, fmt::format("no such {}: {}", what, value), ""};
}

const Kernel* kernel_for(const Request& request) {
  for (const Kernel& kernel : kKernels) {
    const bool compute = request.kind == "compute";
    const bool reaches =
        compute || (request.level == "DRAM" ? kernel.reaches(Place::memory)
                                            : kernel.reaches(request.level == "L1"));
    if (kernel.name() == request.name && kernel.order == Order::straight && reaches &&
        kernel.numbers == Numbers::floating &&
        kernel.kind == (compute ? ridge::CeilingKind::compute : ridge::CeilingKind::bandwidth)) {
      return &kernel;
    }
  }
  return nullptr;
}

ridge::Result<Prepared> prepare(const Request& request, unsigned cpu, double tsc_hertz) {
  const Kernel* kernel = kernel_for(request);
  const auto isa = ridge::parse_isa(request.isa);
  if (kernel == nullptr || !isa) {
    return tl::make_unexpected(bad(kernel == nullptr ? "kernel" : "instruction set", request.name));
  }
  const auto precision =
      request.precision == "fp32" ? ridge::Precision::fp32 : ridge::Precision::fp64;
  auto built = JitKernel::build(*kernel, *isa, precision);
  if (!built) {
    return tl::make_unexpected(built.error());
  }
  const unsigned arrays = kernel->arrays();
  const Walk walk = lay_out(*built, arrays, request.set_bytes);
  auto buffers =
      ThreadBuffers::make({cpu}, std::max<std::uint64_t>(extent(walk, arrays), 1U << 21U));
  if (!buffers) {
    return tl::make_unexpected(buffers.error());
  }
  Prepared made{std::move(*built), std::move(*buffers), walk, walk, walk.array_bytes * arrays, 0};
  constexpr std::uint64_t kComputeTurns = 100000;  // long enough to be timed
  made.once.turns = arrays == 0 ? kComputeTurns : walk.turns;
  double pass = std::numeric_limits<double>::max();
  const auto ran = ridge::platform::run_pinned({cpu}, [&](unsigned) {
    for (int i = 0; i < 5; ++i) {
      pass = std::min(pass, static_cast<double>(made.ticks_of(made.once, 0)) / tsc_hertz);
    }
  });
  if (!ran) {
    return tl::make_unexpected(ran.error());
  }
  made.walk = fit(walk, ridge::Seconds{arrays == 0 ? pass / kComputeTurns : pass},
                  ridge::Seconds{request.seconds});
  return made;
}

ridge::Result<std::string> answer(std::map<std::string, Prepared>& known, const std::string& line,
                                  unsigned cpu, double tsc_hertz) {
  Request request;
  std::istringstream words(line);
  words >> request.kind >> request.name >> request.isa >> request.precision >> request.level >>
      request.set_bytes >> request.seconds;
  if (!words || request.seconds <= 0.0) {
    return tl::make_unexpected(bad("request", line));
  }
  auto found = known.find(line);
  if (found == known.end()) {
    known.clear();  // one set at a time: they may be large
    auto made = prepare(request, cpu, tsc_hertz);
    if (!made) {
      return tl::make_unexpected(made.error());
    }
    found = known.emplace(line, std::move(*made)).first;
  }
  Prepared& prepared = found->second;
  std::uint64_t ticks = 0;
  const auto ran = ridge::platform::run_pinned({cpu}, [&](unsigned) {
    (void)prepared.ticks_of(prepared.once, 0);
    ticks = prepared.sample();
  });
  if (!ran) {
    return tl::make_unexpected(ran.error());
  }
  return fmt::format(R"({{"work":{:.0f},"ticks":{},"seconds":{:.6g},"set_bytes":{}}})",
                     prepared.work(), ticks, static_cast<double>(ticks) / tsc_hertz,
                     prepared.set_bytes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_single_kernel CPU\n");
    return 2;
  }
  const auto cpu = static_cast<unsigned>(std::stoul(argv[1]));
  const double tsc_hertz = ridge::platform::calibrate_tsc();
  fmt::print("{{\"tsc_hertz\":{:.9g}}}\n", tsc_hertz);
  std::fflush(stdout);
  std::map<std::string, Prepared> known;
  for (std::string line; std::getline(std::cin, line);) {
    const auto answered = answer(known, line, cpu, tsc_hertz);
    fmt::print("{}\n", answered ? *answered
                                : fmt::format("{{\"error\":\"{}\"}}", answered.error().message));
    std::fflush(stdout);
  }
  return 0;
}
