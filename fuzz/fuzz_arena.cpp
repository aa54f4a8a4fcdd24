// Shared memory that a measured program has damaged: decoding, joining with the second run, the
// profile and its prediction. The input is a list of writes into an intact arena, so that damage
// lies where structures are; descriptors (the compiler's plugin wrote them, the program may not
// have left them alone) are a part of it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "cli/common/result_file.hpp"
#include "fuzz/json_mutation.hpp"
#include "measure/instrumented/arena_builder.hpp"
#include "measure/instrumented/build_profile.hpp"
#include "serialize/profile.hpp"
#include "serialize/random_values.hpp"

namespace ridge::fuzz {
namespace {

using measure::ArenaBuilder;
using measure::DescriptorBuilder;

void require(bool promise) {
  if (!promise) {
    std::abort();
  }
}

DescriptorBuilder unit() {
  DescriptorBuilder built;
  const auto function = built.region(RIDGE_REGION_FUNCTION, "_Z5triadv", RIDGE_NO_PARENT, 3);
  const auto loop = built.region(RIDGE_REGION_LOOP, "_Z5triadv", function, 5);
  const auto call = built.region(RIDGE_REGION_CALL, "erf", loop);
  built.counter(function);
  built.term(RIDGE_ENTRIES, 1);
  built.counter(loop, true);
  built.flops(RIDGE_FP64, RIDGE_FMA, 512, 2);
  built.term(RIDGE_BYTES_LOADED, 16);
  built.term(RIDGE_BYTES_STORED, 8);
  built.term(RIDGE_ITERATIONS, 1);
  built.counter(call);
  built.term(RIDGE_CALLS, 1, "erf");
  built.term(RIDGE_OPAQUE, 1, "dgemm_");
  return built;
}

/// An arena as a program leaves it, and the bytes of it that mean something.
struct Intact {
  ArenaBuilder arena{RIDGE_MODE_TRAFFIC};
  std::vector<std::size_t> places;

  Intact() {
    const auto process = arena.process(42, {"./program", "x"});
    arena.module(process, unit(), 1, 0, {"/lib/libm.so.6"});
    std::vector<ridge_region_traffic> traffic(4);
    traffic[2].crossed[0].read = 640;
    arena.traffic(process, traffic);
    arena.lines(process, std::vector<ridge_region_lines>(4));
    arena.trips(process, std::vector<ridge_region_trips>(4));
    arena.sampled(process, traffic, std::vector<ridge_region_pilot>(4));
    const std::size_t before_thread = arena.storage().size();
    const auto thread = arena.thread(process, 42);
    arena.count(thread, 1, 1000);
    arena.stack(thread, {1, 2});
    for (std::size_t at = 0; at < before_thread; ++at) {
      places.push_back(at);
    }
    const std::size_t frames = thread + offsetof(ridge_thread, frames) + 64;
    for (std::size_t at = thread; at < frames; ++at) {
      places.push_back(at);
    }
    const std::size_t counters = thread + offsetof(ridge_thread, counters);
    for (std::size_t at = counters; at < counters + 64; ++at) {
      places.push_back(at);
    }
  }
};

/// Two bytes of place, one of them a length, then as many bytes: until the input ends.
std::vector<std::size_t> damage(Intact& intact, const std::uint8_t* data, std::size_t size) {
  std::vector<std::size_t> touched;
  std::size_t at = 0;
  while (at + 4 < size) {
    std::size_t place = data[at] | static_cast<std::size_t>(data[at + 1]) << 8U |
                        static_cast<std::size_t>(data[at + 2]) << 16U;
    const std::size_t length = std::min<std::size_t>(1 + data[at + 3] % 8, size - at - 4);
    for (std::size_t i = 0; i < length; ++i, ++place) {
      const std::size_t offset = intact.places[place % intact.places.size()];
      intact.arena.storage()[offset] = static_cast<std::byte>(data[at + 4 + i]);
      touched.push_back(offset);
    }
    at += 4 + length;
  }
  return touched;
}

void use(const measure::DecodedArena& decoded) {
  static const Machine machine = [] {
    std::mt19937_64 random(1);
    return serialize::random_machine(random);
  }();
  measure::TimedRun timed;
  timed.arena = decoded;
  timed.pid = 42;
  timed.wall_seconds = 1.0;
  Profile profile = measure::build_profile(
      {{"./program", "x"}, "2026-01-01T00:00:00Z", &machine, &timed, &decoded, {}, {}});
  const cli::StoredResult result = cli::evaluate("fuzzed", std::move(profile));
  const std::string text = serialize::write_profile(result.profile, result.prediction);
  const auto again = serialize::parse_profile(text, "written.json");
  if (!again) {
    std::fprintf(stderr, "not read again: %s\n", again.error().message.c_str());
  }
  require(again.has_value());
}

}  // namespace
}  // namespace ridge::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge;
  static fuzz::Acceptance acceptance;
  static fuzz::Intact intact;
  static const std::vector<std::byte> original = intact.arena.storage();
  const std::vector<std::size_t> touched = fuzz::damage(intact, data, size);
  const auto decoded = measure::decode(intact.arena.bytes());
  acceptance.count(decoded.has_value());
  if (decoded) {
    fuzz::use(*decoded);
  }
  for (const std::size_t at : touched) {
    intact.arena.storage()[at] = original[at];
  }
  return 0;
}
