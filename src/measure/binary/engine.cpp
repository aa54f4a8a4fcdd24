#include "measure/binary/engine.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "measure/binary/engines/bolt_engine.hpp"
#include "measure/binary/engines/dynamorio.hpp"
#include "measure/binary/engines/valgrind.hpp"

namespace ridge::measure::binary {
namespace {

constexpr std::array kEngines{
    Engine{.name = "dynamorio",
           .summary = "runs any program, AVX-512 with its masks and all libraries included; counts "
                      "and simulates",
           .simulates = true,
           .counts_libraries = true,
           .needs = "DynamoRIO (dynamorio.org) in DYNAMORIO_HOME, and a Ridge built with it",
           .available = dynamorio_available,
           .suits = dynamorio_suits,
           .prepare = start_dynamorio},
    Engine{.name = "bolt",
           .summary = "runs programs linked with -Wl,--emit-relocs, AVX-512 included; counts the "
                      "program's own file, not its libraries, and neither threads nor masked lanes "
                      "apart",
           .simulates = false,
           .counts_libraries = false,
           .needs = "bolt-19 (Debian: apt install bolt-19)",
           .available = bolt_available,
           .suits = bolt_suits,
           .prepare = start_bolt},
    Engine{.name = "valgrind",
           .summary = "runs any program without AVX-512, all libraries included, one thread at a "
                      "time; counts and simulates",
           .simulates = true,
           .counts_libraries = true,
           .needs = "valgrind (Debian: apt install valgrind)",
           .available = valgrind_available,
           .suits = valgrind_suits,
           .prepare = prepare_valgrind},
};

Result<void> can_run(const Engine& engine, const std::string& program) {
  if (auto here = engine.available(); !here) {
    return here;
  }
  return engine.suits(program);
}

/// Preferred ones first.
std::vector<const Engine*> in_order(bool simulate) {
  std::vector<const Engine*> order;
  for (const Engine& engine : engines()) {
    order.push_back(&engine);
  }
  std::stable_partition(order.begin(), order.end(),
                        [&](const Engine* engine) { return !simulate || engine->simulates; });
  return order;
}

std::string names() {
  std::string text;
  for (const Engine& engine : engines()) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", engine.name);
  }
  return text;
}

}  // namespace

std::span<const Engine> engines() {
  return kEngines;
}

const Engine* find_engine(std::string_view name) {
  const auto found =
      std::ranges::find_if(kEngines, [&](const Engine& engine) { return engine.name == name; });
  return found == kEngines.end() ? nullptr : &*found;
}

Result<std::vector<const Engine*>> usable_engines(const std::optional<std::string>& name,
                                                  const std::string& program, bool simulate) {
  if (name && *name != "auto") {
    const Engine* engine = find_engine(*name);
    if (engine == nullptr) {
      return fail(
          ErrorCode::usage, fmt::format("run: there is no engine `{}`", *name),
          fmt::format("Known are: auto, {}. `ridge run --engine list` explains them.", names()));
    }
    return can_run(*engine, program).map([&] { return std::vector{engine}; });
  }
  std::vector<const Engine*> usable;
  ErrorCode code = ErrorCode::unavailable;
  std::string reasons;
  for (const Engine* engine : in_order(simulate)) {
    if (const auto fine = can_run(*engine, program)) {
      usable.push_back(engine);
    } else {
      code = fine.error().code;
      reasons += fmt::format("{}{}: {}. {}", reasons.empty() ? "" : " ", engine->name,
                             fine.error().message, fine.error().hint);
    }
  }
  if (usable.empty()) {
    return fail(code, "no engine can count what this program does", reasons);
  }
  return usable;
}

}  // namespace ridge::measure::binary
