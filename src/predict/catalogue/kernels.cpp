#include "predict/catalogue/kernels.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "predict/catalogue/kernel_tables.hpp"

namespace ridge::predict {
namespace {

constexpr Amount kMost = 9007199254740992.0L;  // 2^53

struct Suffix {
  std::string_view text;
  Amount factor;
};
constexpr std::array kSuffixes{Suffix{"", 1},      Suffix{"k", 1e3L},     Suffix{"K", 1e3L},
                               Suffix{"M", 1e6L},  Suffix{"G", 1e9L},     Suffix{"T", 1e12L},
                               Suffix{"Ki", 1024}, Suffix{"Mi", 1048576}, Suffix{"Gi", 1073741824}};

std::string_view expectation(Domain domain) {
  switch (domain) {
    case Domain::size:
      return "a whole number from 1 to 2^53";
    case Domain::offset:
      return "a whole number from 0 to 2^53";
    case Domain::positive:
      return "a positive number";
    case Domain::fraction:
      return "above 0 and at most 1";
    case Domain::real:
      return "a number from 0";
    case Domain::flag:
      break;
  }
  return "0 or 1";
}

bool within(Domain domain, Amount value) {
  const bool whole = value == std::floor(value);
  switch (domain) {
    case Domain::size:
      return whole && value >= 1 && value <= kMost;
    case Domain::offset:
      return whole && value >= 0 && value <= kMost;
    case Domain::positive:
      return value > 0 && value <= kMost;
    case Domain::fraction:
      return value > 0 && value <= 1;
    case Domain::real:
      return value >= 0 && value <= kMost;
    case Domain::flag:
      break;
  }
  return value == 0 || value == 1;
}

Amount fallback_value(std::string_view text, const Parameters& earlier) {
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    return earlier[text.substr(0, slash)] / earlier[text.substr(slash + 1)];
  }
  if (const auto number = parse_amount(text)) {
    return *number;
  }
  return text == "e" ? earlier.element() : earlier[text];
}

Result<void> check_names(const Kernel& kernel, const std::vector<Assignment>& given) {
  for (auto one = given.begin(); one != given.end(); ++one) {
    const auto same = [&](const auto& other) { return other.name == one->name; };
    if (std::none_of(kernel.parameters.begin(), kernel.parameters.end(), same)) {
      return fail(ErrorCode::bad_input,
                  fmt::format("kernel {} has no parameter `{}`", kernel.name, one->name));
    }
    if (std::any_of(given.begin(), one, same)) {
      return fail(ErrorCode::bad_input, fmt::format("parameter {} is given twice", one->name));
    }
  }
  return {};
}

Result<Amount> given_value(const KernelParameter& parameter, const std::string& text) {
  const auto value = parse_amount(text);
  if (!value || !within(parameter.domain, *value)) {
    return fail(ErrorCode::bad_input,
                fmt::format("parameter {} ({}) must be {}, is `{}`", parameter.name,
                            parameter.meaning, expectation(parameter.domain), text.substr(0, 60)));
  }
  return *value;
}

Result<Parameters> values_of(const Kernel& kernel, const std::vector<Assignment>& given,
                             unsigned element, const Trial& trial = {}) {
  std::vector<std::pair<std::string_view, Amount>> values;
  for (const KernelParameter& parameter : kernel.parameters) {
    if (parameter.name == trial.name) {
      values.emplace_back(parameter.name, trial.value);
      continue;
    }
    const auto own = std::find_if(given.begin(), given.end(), [&](const Assignment& assignment) {
      return assignment.name == parameter.name;
    });
    if (own != given.end()) {
      auto value = given_value(parameter, own->value);
      if (!value) {
        return tl::make_unexpected(std::move(value.error()));
      }
      values.emplace_back(parameter.name, *value);
    } else if (!parameter.fallback.empty()) {
      values.emplace_back(parameter.name,
                          fallback_value(parameter.fallback, Parameters(values, element)));
    } else {
      return fail(
          ErrorCode::bad_input,
          fmt::format("kernel {} needs {} ({})", kernel.name, parameter.name, parameter.meaning),
          fmt::format("give it as -D {}=1000", parameter.name));
    }
  }
  return Parameters(std::move(values), element);
}

/// Whole counts up to 2^53; remembers whether one was more.
class Counter {
 public:
  std::uint64_t operator()(Amount amount) {
    if (!(amount >= 0 && amount <= kMost)) {  // NaN too
      overflow_ = true;
      return 0;
    }
    return static_cast<std::uint64_t>(std::llround(amount));
  }
  [[nodiscard]] bool overflow() const { return overflow_; }

 private:
  bool overflow_ = false;
};

StreamTraffic rounded(const ByteAmounts& bytes, Counter& count) {
  StreamTraffic traffic{count(bytes.read), count(bytes.written), count(bytes.allocate)};
  (void)count(bytes.read + bytes.written + bytes.allocate);  // the sum must fit as well
  return traffic;
}

OperationCounts rounded(const WorkAmounts& work, Counter& count) {
  (void)count(work.add + work.mul + work.fma + work.div + work.sqrt + work.any);
  return {count(work.add),  count(work.mul), count(work.fma),   count(work.div),
          count(work.sqrt), count(work.any), count(work.other), count(work.intops)};
}

std::vector<Kernel> joined() {
  std::vector<Kernel> all;
  for (const std::span<const Kernel> part :
       {std::span<const Kernel>(dense_kernels), std::span<const Kernel>(grid_kernels),
        std::span<const Kernel>(sparse_kernels), std::span<const Kernel>(network_kernels)}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

Amount Parameters::operator[](std::string_view name) const {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const auto& value) { return value.first == name; });
  assert(found != values_.end());
  return found != values_.end() ? found->second : 0;
}

std::span<const Kernel> kernels() {
  static const std::vector<Kernel> all = joined();
  return all;
}

const Kernel* find_kernel(std::string_view name) {
  for (const Kernel& kernel : kernels()) {
    if (kernel.name == name) {
      return &kernel;
    }
  }
  return nullptr;
}

Result<Assignment> parse_assignment(std::string_view text) {
  const auto sign = text.find('=');
  if (sign == std::string_view::npos || sign == 0 || sign + 1 == text.size()) {
    return fail(ErrorCode::usage,
                fmt::format("`{}` is not of the form NAME=VALUE", text.substr(0, 60)));
  }
  return Assignment{std::string(text.substr(0, sign)), std::string(text.substr(sign + 1))};
}

std::optional<Amount> parse_amount(std::string_view text) {
  double value = 0.0;
  const char* first = text.data();
  const char* last = first + text.size();
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || !std::isfinite(value)) {
    return std::nullopt;
  }
  Amount number = value;
  // Digits alone are read as a whole number, so that 2^53 + 1 is not taken for 2^53.
  std::uint64_t whole = 0;
  const auto [whole_end, whole_error] = std::from_chars(first, end, whole);
  if (whole_error == std::errc() && whole_end == end) {
    number = static_cast<Amount>(whole);
  }
  const std::string_view rest(end, static_cast<std::size_t>(last - end));
  for (const Suffix& suffix : kSuffixes) {
    if (rest == suffix.text) {
      const Amount product = number * suffix.factor;
      // "14.6M" is a whole number, though no double is 14.6.
      const Amount nearest = std::round(product);
      return std::abs(product - nearest) <= std::abs(product) * 0x1p-52L ? nearest : product;
    }
  }
  return std::nullopt;
}

std::vector<std::string> parameter_names(const Kernel& kernel) {
  std::vector<std::string> names;
  for (const KernelParameter& parameter : kernel.parameters) {
    names.emplace_back(parameter.name);
  }
  return names;
}

Result<Parameters> parameters_with(const Kernel& kernel, const std::vector<Assignment>& given,
                                   std::string_view precision, const Trial& trial) {
  const auto element = element_bytes(precision);
  if (!element) {
    return fail(ErrorCode::bad_input,
                fmt::format("there is no precision `{}`", precision.substr(0, 60)));
  }
  if (auto names = check_names(kernel, given); !names) {
    return tl::make_unexpected(std::move(names.error()));
  }
  return values_of(kernel, given, *element, trial);
}

std::optional<StreamTraffic> SizedKernel::below(double cache_bytes) const {
  if (kernel->below == nullptr) {
    return std::nullopt;
  }
  Counter count;
  const StreamTraffic traffic = rounded(kernel->below(parameters, cache_bytes), count);
  return count.overflow() ? std::nullopt : std::optional(traffic);
}

std::optional<StreamTraffic> SizedKernel::below_on_gpu(GpuBoundary boundary,
                                                       double cache_bytes) const {
  if (kernel->below_on_gpu == nullptr) {
    return below(cache_bytes);
  }
  Counter count;
  const StreamTraffic traffic =
      rounded(kernel->below_on_gpu(parameters, boundary, cache_bytes), count);
  return count.overflow() ? std::nullopt : std::optional(traffic);
}

double SizedKernel::working_set() const {
  // What is written is either read as well, or allocated where stores do that.
  return kernel->working_set != nullptr
             ? static_cast<double>(kernel->working_set(parameters))
             : static_cast<double>(demand.least.read) + static_cast<double>(demand.least.allocate);
}

Result<SizedKernel> size_kernel(const Kernel& kernel, const std::vector<Assignment>& given,
                                std::string_view precision) {
  const auto element = element_bytes(precision);
  if (!element) {
    return fail(ErrorCode::bad_input,
                fmt::format("there is no precision `{}`", precision.substr(0, 60)));
  }
  if (auto names = check_names(kernel, given); !names) {
    return tl::make_unexpected(std::move(names.error()));
  }
  auto parameters = values_of(kernel, given, *element);
  if (!parameters) {
    return tl::make_unexpected(std::move(parameters.error()));
  }
  if (kernel.complaint != nullptr) {
    if (const std::string_view wrong = kernel.complaint(*parameters); !wrong.empty()) {
      return fail(ErrorCode::bad_input, fmt::format("kernel {}: {}", kernel.name, wrong));
    }
  }
  Counter count;
  Demand demand;
  demand.name = kernel.name;
  demand.precision = precision;
  demand.work = rounded(kernel.work(*parameters), count);
  demand.least = rounded(kernel.least(*parameters), count);
  demand.matrix = kernel.matrix;
  if (count.overflow()) {
    return fail(
        ErrorCode::bad_input,
        fmt::format("kernel {}: work or traffic exceeds 2^53 with these sizes", kernel.name),
        "counts above 2^53 are not exact; predict a part of it");
  }
  return SizedKernel{&kernel, std::move(*parameters), std::move(demand)};
}

}  // namespace ridge::predict
