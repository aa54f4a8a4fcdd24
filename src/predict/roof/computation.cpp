#include "predict/roof/computation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridge::predict {
namespace {

constexpr double kMost = 9007199254740992.0;  // 2^53

struct Kind {
  std::string_view name;
  std::uint64_t OperationCounts::* count;
};
constexpr std::array kKinds{Kind{"add", &OperationCounts::add}, Kind{"mul", &OperationCounts::mul},
                            Kind{"fma", &OperationCounts::fma}, Kind{"div", &OperationCounts::div},
                            Kind{"sqrt", &OperationCounts::sqrt}};

tl::unexpected<Error> twice(const ComputationFigures& figures, std::string_view what) {
  return fail(ErrorCode::usage, fmt::format("{}: {}", figures.name, what), "leave one of them out");
}

Result<void> check(const ComputationFigures& figures) {
  if (figures.work && !figures.work_by_kind.empty()) {
    return twice(figures, "the work is given as a sum and by kind");
  }
  if (figures.balance && figures.intensity) {
    return twice(figures, "balance and intensity are inverse to each other");
  }
  const bool has_work = figures.work || !figures.work_by_kind.empty();
  const bool has_bytes = figures.bytes || !figures.bytes_at.empty();
  if (has_work && has_bytes && (figures.balance || figures.intensity)) {
    return twice(figures, "work and bytes say the balance already");
  }
  if (has_work && figures.seconds && figures.performance) {
    return twice(figures, "work and time say the performance already");
  }
  if (figures.bytes && !figures.bytes_at.empty()) {
    return twice(figures, "the bytes are given once and by level");
  }
  if (!has_work && !has_bytes && !figures.balance && !figures.intensity &&
      !(figures.seconds && figures.performance)) {
    return fail(ErrorCode::usage, fmt::format("{}: neither work nor bytes are known", figures.name),
                "give work and bytes, or one of them and the balance or intensity");
  }
  for (const auto& value :
       {figures.seconds, figures.performance, figures.balance, figures.intensity}) {
    if (value && (*value < 1e-30 || *value > 1e30)) {
      return fail(
          ErrorCode::usage,
          fmt::format("{}: time, performance, balance and intensity are above 0 and at most 1e30",
                      figures.name));
    }
  }
  return {};
}

/// byte/flop, where it is given.
std::optional<double> given_balance(const ComputationFigures& figures) {
  return figures.intensity ? std::optional(1.0 / *figures.intensity) : figures.balance;
}

/// Bytes of the main memory, or those of the outermost level that is given.
std::optional<double> outermost_bytes(const ComputationFigures& figures) {
  if (figures.bytes_at.empty()) {
    return figures.bytes;
  }
  const auto outermost = std::max_element(
      figures.bytes_at.begin(), figures.bytes_at.end(),
      [](const auto& a, const auto& b) { return InnermostFirst()(a.first, b.first); });
  return outermost->second;
}

Result<OperationCounts> counts_of(const ComputationFigures& figures) {
  OperationCounts counts;
  for (const auto& [name, flops] : figures.work_by_kind) {
    const Kind* known = nullptr;
    for (const Kind& kind : kKinds) {
      known = kind.name == name ? &kind : known;
    }
    if (known == nullptr) {
      return fail(ErrorCode::usage,
                  fmt::format("{}: there is no kind of operation `{}`", figures.name, name),
                  "add, mul, fma (2 flop each), div, sqrt");
    }
    counts.*(known->count) = static_cast<std::uint64_t>(std::llround(flops));
  }
  return counts;
}

StreamTraffic read_of(double bytes) {
  return {static_cast<std::uint64_t>(std::llround(bytes)), 0, 0};
}

Result<void> check_size(const ComputationFigures& figures, double amount, std::string_view what) {
  if (amount <= kMost) {
    return {};
  }
  return fail(ErrorCode::usage,
              fmt::format("{}: the {} ({:g}) exceeds 2^53", figures.name, what, amount),
              "predict a part of it");
}

/// Work that is given or follows; 0 when there is none.
double work_from(const ComputationFigures& figures, Computation& computation) {
  if (figures.work) {
    return *figures.work;
  }
  const auto balance = given_balance(figures);
  const auto bytes = outermost_bytes(figures);
  if (figures.performance && figures.seconds) {
    return *figures.performance * *figures.seconds;
  }
  if (balance && bytes) {
    return *bytes / *balance;
  }
  computation.of_unit_work = balance.has_value();
  return balance ? kUnitWork : 0.0;
}

/// What crosses a boundary crosses those further in.
void fill_inner(LevelTraffic& traffic) {
  const LevelTraffic given = traffic;
  for (const Level level : kCacheLevels) {
    if (given.contains(level)) {
      continue;
    }
    for (const auto& [outer, streams] : given) {
      const auto known = traffic.find(level);
      if (InnermostFirst()(level, outer) &&
          (known == traffic.end() || known->second.total(true) < streams.total(true))) {
        traffic[level] = streams;
      }
    }
  }
}

}  // namespace

Result<Computation> computation_from(const ComputationFigures& figures) {
  if (auto fine = check(figures); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  if (!element_bytes(figures.precision)) {
    return fail(ErrorCode::usage,
                fmt::format("{}: there is no precision `{}`", figures.name, figures.precision),
                fmt::format("one of {}", fmt::join(known_precisions(), ", ")));
  }
  Computation computation;
  Demand& demand = computation.demand;
  demand.name = figures.name;
  demand.precision = figures.precision;
  double work = 0.0;
  for (const auto& [kind, flops] : figures.work_by_kind) {
    work += flops;
  }
  const bool by_kind = !figures.work_by_kind.empty();
  work = by_kind ? work : work_from(figures, computation);
  const auto balance = given_balance(figures);
  const double bytes = outermost_bytes(figures).value_or(balance ? work * *balance : 0.0);
  for (const auto& [amount, what] : {std::pair{work, "work"}, std::pair{bytes, "traffic"}}) {
    if (auto fine = check_size(figures, amount, what); !fine) {
      return tl::make_unexpected(std::move(fine.error()));
    }
  }
  auto counts = counts_of(figures);
  if (!counts) {
    return tl::make_unexpected(std::move(counts.error()));
  }
  demand.work = *counts;
  if (!by_kind) {
    demand.work.any = static_cast<std::uint64_t>(std::llround(work));
  }
  demand.least = read_of(bytes);
  for (const auto& [level, amount] : figures.bytes_at) {
    if (auto fine = check_size(figures, amount, "traffic"); !fine) {
      return tl::make_unexpected(std::move(fine.error()));
    }
    computation.traffic[level] = read_of(amount);
  }
  computation.seconds = figures.seconds;
  if (!figures.seconds && figures.performance && work > 0.0) {
    computation.seconds = work / *figures.performance;
  }
  return computation;
}

std::optional<Level> outermost_known(const Computation& computation) {
  std::optional<Level> outermost;
  for (const auto& [level, streams] : computation.traffic) {
    if (!outermost || InnermostFirst()(*outermost, level)) {
      outermost = level;
    }
  }
  return outermost && !is_memory_level(*outermost) ? outermost : std::nullopt;
}

LevelTraffic traffic_on(const Computation& computation, const TargetMachine& target,
                        bool one_memory) {
  LevelTraffic traffic;
  const auto main = main_memory(target.figures);
  const std::vector<Level> nodes = memory_nodes(target);
  const auto memories =
      std::count_if(computation.traffic.begin(), computation.traffic.end(),
                    [](const auto& entry) { return is_memory_level(entry.first); });
  for (const auto& [level, streams] : computation.traffic) {
    const bool own =
        memories > 1 && !one_memory && std::find(nodes.begin(), nodes.end(), level) != nodes.end();
    const bool folded = is_memory_level(level) && !own;
    StreamTraffic& sum = traffic[folded ? main.value_or(level) : level];
    sum.read += streams.read;
    sum.written += streams.written;
    sum.allocate += streams.allocate;
  }
  fill_inner(traffic);
  return traffic;
}

}  // namespace ridge::predict
