#include "measure/binary/engine.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "measure/binary/engines/valgrind.hpp"

namespace ridge::measure::binary {
namespace {

constexpr std::array kEngines{
    Engine{.name = "valgrind",
           .summary = "runs any program without AVX-512, all libraries included, one thread at a "
                      "time; counts and simulates",
           .simulates = true,
           .counts_libraries = true,
           .sees_masks = false,
           .by_thread = true,
           .needs = "valgrind (Debian: apt install valgrind)",
           .available = valgrind_available,
           .suits = valgrind_suits,
           .prepare = prepare_valgrind,
           .collect = nullptr},
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

Result<const Engine*> choose_engine(const std::optional<std::string>& name,
                                    const std::string& program, bool simulate) {
  if (name && *name != "auto") {
    const Engine* engine = find_engine(*name);
    if (engine == nullptr) {
      return fail(
          ErrorCode::usage, fmt::format("run: there is no engine `{}`", *name),
          fmt::format("Known are: auto, {}. `ridge run --engine list` explains them.", names()));
    }
    return can_run(*engine, program).map([&] { return engine; });
  }
  std::optional<Error> first;
  std::string hints;
  for (const Engine* engine : in_order(simulate)) {
    const auto fine = can_run(*engine, program);
    if (fine) {
      return engine;
    }
    if (!first || first->code == ErrorCode::unavailable) {
      first = first && fine.error().code == ErrorCode::unavailable ? first : fine.error();
    }
    hints += fmt::format("{}{}: {}. {}", hints.empty() ? "" : " ", engine->name,
                         fine.error().message, fine.error().hint);
  }
  return fail(first->code, "no engine can count what this program does", hints);
}

}  // namespace ridge::measure::binary
