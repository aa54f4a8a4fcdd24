#include "cli/common/point_figures.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "core/quantity/quantity_text.hpp"

namespace ridge::cli {
namespace {

using predict::ComputationFigures;

std::optional<double> parse_flops(std::string_view text) {
  return parse_quantity(text, {"flop", "Flop", "FLOP", "flops", "op"});
}
std::optional<double> parse_flop_rate(std::string_view text) {
  return parse_quantity(text, {"flop/s", "Flop/s", "FLOP/s", "op/s"});
}
std::optional<double> parse_balance(std::string_view text) {
  return parse_quantity(text, {"B/flop", "byte/flop", "B/F"});
}
std::optional<double> parse_intensity(std::string_view text) {
  return parse_quantity(text, {"flop/B", "flop/byte", "F/B"});
}

struct Quantity {
  std::string_view key;
  std::optional<double> ComputationFigures::* member;
  std::optional<double> (*parse)(std::string_view);
  std::string_view example;
};
constexpr std::array kQuantities{
    Quantity{"work", &ComputationFigures::work, parse_flops, "20M or 2e7 (flop)"},
    Quantity{"bytes", &ComputationFigures::bytes, parse_bytes, "240MB"},
    Quantity{"balance", &ComputationFigures::balance, parse_balance, "8.5 (byte/flop)"},
    Quantity{"intensity", &ComputationFigures::intensity, parse_intensity, "0.25 (flop/byte)"},
    Quantity{"time", &ComputationFigures::seconds, parse_seconds, "1.2ms"},
    Quantity{"performance", &ComputationFigures::performance, parse_flop_rate, "17.5G (flop/s)"}};

tl::unexpected<Error> no_quantity(const PointFigure& figure, std::string_view example) {
  return fail(ErrorCode::bad_input,
              fmt::format("{}: `{}` is no such quantity", figure.key, figure.value.substr(0, 60)),
              fmt::format("such as {}", example));
}

tl::unexpected<Error> twice(const PointFigure& figure) {
  return fail(ErrorCode::bad_input, fmt::format("{} is given twice", figure.key));
}

/// "work.fma".
Result<void> set_kind(ComputationFigures& figures, const PointFigure& figure) {
  const auto value = parse_flops(figure.value);
  if (!value) {
    return no_quantity(figure, "2e7 (flop)");
  }
  if (!figures.work_by_kind.emplace(figure.key.substr(figure.key.find('.') + 1), *value).second) {
    return twice(figure);
  }
  return {};
}

/// "bytes.L2".
Result<void> set_level(ComputationFigures& figures, const PointFigure& figure) {
  const auto level = parse_level(std::string_view(figure.key).substr(figure.key.find('.') + 1));
  const auto value = parse_bytes(figure.value);
  if (!level) {
    std::string known;
    for (const Level each : kLevels) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", to_string(each));
    }
    return fail(ErrorCode::bad_input, fmt::format("{}: there is no such level", figure.key),
                fmt::format("one of {}", known));
  }
  if (!value) {
    return no_quantity(figure, "240MB");
  }
  if (!figures.bytes_at.emplace(*level, *value).second) {
    return twice(figure);
  }
  return {};
}

}  // namespace

Result<void> set_figure(ComputationFigures& figures, const PointFigure& figure) {
  if (figure.key == "name" || figure.key == "precision") {
    (figure.key == "name" ? figures.name : figures.precision) = figure.value;
    return {};
  }
  for (const Quantity& quantity : kQuantities) {
    if (figure.key != quantity.key) {
      continue;
    }
    if (figures.*(quantity.member)) {
      return twice(figure);
    }
    const auto value = quantity.parse(figure.value);
    if (!value) {
      return no_quantity(figure, quantity.example);
    }
    figures.*(quantity.member) = value;
    return {};
  }
  if (figure.key.starts_with("work.")) {
    return set_kind(figures, figure);
  }
  if (figure.key.starts_with("bytes.")) {
    return set_level(figures, figure);
  }
  return fail(ErrorCode::bad_input,
              fmt::format("there is no figure `{}`", figure.key.substr(0, 60)),
              "name, precision, work, work.KIND (fma, add ...), bytes, bytes.LEVEL (L2, DRAM ...), "
              "balance, intensity, time, performance");
}

Result<ComputationFigures> figures_from(const FigureOptions& options) {
  ComputationFigures figures;
  figures.name = "computation";
  std::vector<PointFigure> given;
  const auto add = [&](std::string_view key, const std::optional<std::string>& value) {
    if (value) {
      given.push_back({std::string(key), *value});
    }
  };
  const auto add_all = [&](std::string_view key, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      const auto sign = word.find('=');
      sign == std::string::npos ? given.push_back({std::string(key), word})
                                : given.push_back({fmt::format("{}.{}", key, word.substr(0, sign)),
                                                   word.substr(sign + 1)});
    }
  };
  add_all("work", options.work);
  add_all("bytes", options.bytes);
  add("balance", options.balance);
  add("intensity", options.intensity);
  add("performance", options.performance);
  add("time", options.time);
  add("precision", options.precision);
  for (const PointFigure& figure : given) {
    if (auto set = set_figure(figures, figure); !set) {
      Error error = std::move(set.error());
      error.code = ErrorCode::usage;
      error.message = "--" + error.message;
      return tl::make_unexpected(std::move(error));
    }
  }
  return figures;
}

bool is_measured_on(std::string_view key) {
  return key.starts_with("time.") || key.starts_with("performance.");
}

Result<void> set_measured_on(MeasuredOn& measured, const PointFigure& figure) {
  const auto dot = figure.key.find('.');
  const std::string machine = figure.key.substr(dot + 1);
  const bool is_time = figure.key.starts_with("time.");
  const auto value = is_time ? parse_seconds(figure.value) : parse_flop_rate(figure.value);
  if (machine.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{} names no machine", figure.key),
                "such as time.v100=41ms");
  }
  if (!value || *value < 1e-30 || *value > 1e30) {
    return no_quantity(figure, is_time ? "1.2ms" : "17.5G (flop/s)");
  }
  if (measured.contains(machine)) {
    return fail(ErrorCode::bad_input,
                fmt::format("two figures were measured on {}", machine.substr(0, 60)),
                "give its time or its performance");
  }
  MeasuredFigure& own = measured[machine];
  (is_time ? own.seconds : own.performance) = value;
  return {};
}

}  // namespace ridge::cli
