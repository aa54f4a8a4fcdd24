#include "predict/projection/derived_machine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/quantity/quantity_text.hpp"
#include "predict/catalogue/kernels.hpp"
#include "predict/projection/machine_words.hpp"
#include "predict/projection/target_machine.hpp"

namespace ridge::predict {
namespace {

constexpr double kBytesPerTransfer = 8.0;  // of one memory channel, 64 bit wide
constexpr std::string_view kSource = kDerivedSource;

/// Rates of anything that could be built, and of whatever is computed from them.
bool conceivable(double rate) {
  return rate >= 1e-12 && rate <= 1e27;
}

/// GT/s of a lane, and the share of it that is data.
struct LinkGeneration {
  unsigned generation;
  double transfers;
  double data;
  std::string_view coding;
};
constexpr std::array kPciExpress{LinkGeneration{1, 2.5e9, 8.0 / 10.0, "8/10"},
                                 LinkGeneration{2, 5e9, 8.0 / 10.0, "8/10"},
                                 LinkGeneration{3, 8e9, 128.0 / 130.0, "128/130"},
                                 LinkGeneration{4, 16e9, 128.0 / 130.0, "128/130"},
                                 LinkGeneration{5, 32e9, 128.0 / 130.0, "128/130"},
                                 LinkGeneration{6, 64e9, 242.0 / 256.0, "242/256"}};

/// A factor of a product, as it is written down.
struct Factor {
  double value = 1.0;
  std::string text;
};

Factor count_of(double value, std::string_view one, std::string_view many) {
  return {value, fmt::format("{:g} {}", value, value == 1.0 ? one : many)};
}
Factor hertz(double value) {
  return {value, value >= 1e9 ? fmt::format("{:g} GHz", value / 1e9)
                              : fmt::format("{:g} MHz", value / 1e6)};
}

tl::unexpected<Error> wrong(std::string_view key, std::string_view value, std::string_view needed) {
  return fail(ErrorCode::usage,
              fmt::format("machine: `{}={}` is not {}", key, value.substr(0, 60), needed),
              "such as cores=64 clock=2.45G simd=512 fma=2 channels=12 mem=ddr5-4800");
}

/// Collects figures and the arithmetic behind them; remembers the first error.
class Derivation {
 public:
  explicit Derivation(MachineWords words) : words_(std::move(words)) {
    machine_.name = "derived from clocks and widths";
    machine_.key = "derived";
    machine_.sources[std::string(kSource)] = "clocks, widths and rates that the user gave";
  }

  Result<DerivedMachine> finish() &&;

 private:
  void fail_with(tl::unexpected<Error> error) {
    if (!error_) {
      error_ = std::move(error.value());
    }
  }
  /// Absent when the key is not there.
  std::optional<double> number(std::string_view key, std::initializer_list<std::string_view> units,
                               std::string_view needed);
  double count(std::string_view key, double fallback);
  double needed_clock(std::string_view why);
  double product(std::string quantity, std::string unit, const std::vector<Factor>& factors);

  void names();
  void cpu_peaks();
  void gpu_peaks();
  void given_peaks();
  void memory_channels();
  void memory_clock();
  void levels();
  void level(Level name, std::string_view value);
  void bytes_per_cycle(Level name, std::string_view value, std::string_view number);
  void pci_express(std::string_view text);
  void links();
  void add_peak(std::string precision, Pipes pipes, double value, Origin origin);
  void add_bandwidth(Level level, double value, Origin origin);
  [[nodiscard]] static Figure figure(double value, Origin origin) {
    return {value, origin, std::string(kSource), true};
  }

  MachineWords words_;
  Specification machine_;
  std::vector<DerivationStep> steps_;
  std::optional<double> clock_;
  double cores_ = 0.0;  ///< of one socket
  double sockets_ = 1.0;
  std::optional<Error> error_;
};

std::optional<double> Derivation::number(std::string_view key,
                                         std::initializer_list<std::string_view> units,
                                         std::string_view needed) {
  const auto text = words_.take(key);
  if (!text) {
    return std::nullopt;
  }
  const auto value = parse_quantity(*text, units);
  if (!value || !conceivable(*value)) {
    fail_with(wrong(key, *text, needed));
    return std::nullopt;
  }
  return value;
}

double Derivation::count(std::string_view key, double fallback) {
  const auto text = words_.take(key);
  if (!text) {
    return fallback;
  }
  const auto value = parse_quantity(*text, {});
  if (!value || *value < 1.0 || *value != std::floor(*value) || *value > 1e9) {
    fail_with(wrong(key, *text, "a whole number from 1"));
    return fallback;
  }
  return *value;
}

double Derivation::needed_clock(std::string_view why) {
  if (!clock_) {
    fail_with(
        fail(ErrorCode::usage, fmt::format("machine: {} needs the clock", why), "add clock=2.45G"));
  }
  return clock_.value_or(1.0);
}

double Derivation::product(std::string quantity, std::string unit,
                           const std::vector<Factor>& factors) {
  double value = 1.0;
  std::string text;
  for (const Factor& factor : factors) {
    value *= factor.value;
    text += fmt::format("{}{}", text.empty() ? "" : " x ", factor.text);
  }
  steps_.push_back({std::move(quantity), std::move(text), value, std::move(unit)});
  return value;
}

void Derivation::add_peak(std::string precision, Pipes pipes, double value, Origin origin) {
  machine_.peaks.push_back(
      {std::move(precision), pipes, Basis::theoretical, std::nullopt, figure(value, origin)});
}

void Derivation::add_bandwidth(Level level, double value, Origin origin) {
  machine_.bandwidths.push_back({level, Basis::theoretical, std::nullopt, figure(value, origin)});
}

void Derivation::names() {
  if (const auto name = words_.take("name")) {
    machine_.name = *name;
    machine_.key = *name;
  }
  machine_.kind = words_.has("sms") ? MachineKind::gpu : MachineKind::cpu;
  if (const auto kind = words_.take("kind")) {
    if (*kind != "cpu" && *kind != "gpu") {
      fail_with(wrong("kind", *kind, "cpu or gpu"));
    }
    machine_.kind = *kind == "gpu" ? MachineKind::gpu : MachineKind::cpu;
  }
  clock_ = number("clock", {"Hz"}, "a frequency, such as 2.45G");
  if (clock_) {
    machine_.clock = figure(*clock_, Origin::assumed);
  }
}

void Derivation::cpu_peaks() {
  const bool known = words_.has("sockets") || words_.has("cores");
  sockets_ = count("sockets", 1.0);
  cores_ = count("cores", 1.0);
  if (known) {
    machine_.cores = figure(cores_ * sockets_, Origin::assumed);
  }
  const bool has_simd = words_.has("simd");
  const bool has_fma = words_.has("fma");
  const double bits = count("simd", 64.0);
  if (std::fmod(bits, 64.0) != 0.0 && bits != 32.0) {
    fail_with(wrong("simd", fmt::format("{:g}", bits), "32 bit or a multiple of 64"));
  }
  const double pipes = count("fma", 1.0);
  if (!has_simd && !has_fma) {
    return;
  }
  const double clock = needed_clock("simd");
  for (const double width : {64.0, 32.0}) {
    if (bits < width) {
      continue;
    }
    std::vector<Factor> factors;
    if (sockets_ > 1.0) {
      factors.push_back(count_of(sockets_, "socket", "sockets"));
    }
    factors.insert(factors.end(), {count_of(cores_, "core", "cores"), hertz(clock),
                                   count_of(pipes, "FMA pipe", "FMA pipes"),
                                   count_of(bits / width, "lane", "lanes"), Factor{2.0, "2 flop"}});
    const std::string precision = width == 64.0 ? "fp64" : "fp32";
    add_peak(precision, Pipes::vector, product(precision + " peak", "flop/s", factors),
             Origin::modelled);
    machine_.peaks.back().operation = to_string(Operation::fma);
  }
}

void Derivation::gpu_peaks() {
  const bool known = words_.has("sms");
  cores_ = count("sms", 1.0);
  if (known) {
    machine_.cores = figure(cores_, Origin::assumed);
  }
  for (const auto& [key, precision] :
       {std::pair{"fp64_lanes", "fp64"}, std::pair{"lanes", "fp32"}}) {
    if (!words_.has(key)) {
      continue;
    }
    const double lanes = count(key, 1.0);
    const double clock = needed_clock(key);
    const double value = product(fmt::format("{} peak", precision), "flop/s",
                                 {count_of(cores_, "SM", "SMs"), count_of(lanes, "lane", "lanes"),
                                  hertz(clock), Factor{2.0, "2 flop"}});
    add_peak(precision, Pipes::vector, value, Origin::modelled);
  }
}

void Derivation::given_peaks() {
  for (const std::string& precision : known_precisions()) {
    for (const Pipes pipes : {Pipes::vector, Pipes::matrix}) {
      const std::string key = pipes == Pipes::vector ? precision : precision + ".matrix";
      if (const auto value =
              number(key, {"flop/s", "Flop/s", "FLOP/s", "op/s"}, "a rate, such as 768G")) {
        add_peak(precision, pipes, *value, Origin::assumed);
      }
    }
  }
}

/// "ddr5-4800", "ddr4-2666", "lpddr5x-8533": million transfers a second.
void Derivation::memory_channels() {
  const bool has_channels = words_.has("channels");
  const double channels = count("channels", 1.0);
  const auto memory = words_.take("mem");
  if (!memory) {
    if (has_channels) {
      fail_with(fail(ErrorCode::usage, "machine: channels needs the kind of memory",
                     "add mem=ddr5-4800"));
    }
    return;
  }
  const auto dash = memory->rfind('-');
  const auto transfers =
      dash == std::string_view::npos ? std::nullopt : parse_quantity(memory->substr(dash + 1), {});
  if (!transfers || !conceivable(*transfers)) {
    fail_with(wrong("mem", *memory, "KIND-MEGATRANSFERS"));
    return;
  }
  std::vector<Factor> factors;
  if (sockets_ > 1.0) {
    factors.push_back(count_of(sockets_, "socket", "sockets"));
  }
  factors.insert(factors.end(), {count_of(channels, "channel", "channels"),
                                 Factor{*transfers * 1e6, fmt::format("{:g} MT/s", *transfers)},
                                 Factor{kBytesPerTransfer, "8 byte"}});
  add_bandwidth(Level::DRAM, product("DRAM bandwidth", "byte/s", factors), Origin::modelled);
}

void Derivation::memory_clock() {
  const auto clock = number("memory_clock", {"Hz"}, "a frequency, such as 2.6G");
  const bool has_bits = words_.has("memory_bits");
  const double bits = count("memory_bits", 1.0);
  if (clock.has_value() != has_bits) {
    fail_with(fail(ErrorCode::usage, "machine: memory_clock and memory_bits belong together",
                   "such as memory_clock=2.6G memory_bits=5120"));
  }
  if (!clock) {
    return;
  }
  const Level level = machine_.kind == MachineKind::gpu ? Level::HBM : Level::DRAM;
  add_bandwidth(
      level,
      product(fmt::format("{} bandwidth", to_string(level)), "byte/s",
              {hertz(*clock), Factor{2.0, "2 transfers"},
               Factor{bits / 8.0, fmt::format("{:g} byte ({:g} bit)", bits / 8.0, bits)}}),
      Origin::modelled);
}

/// Of a cache: bytes a cycle of each core.
void Derivation::bytes_per_cycle(Level name, std::string_view value, std::string_view number) {
  const auto bytes = parse_quantity(number, {});
  if (!bytes || !conceivable(*bytes) || is_memory_level(name)) {
    fail_with(wrong(to_string(name), value, "bytes a cycle of each core, such as L2=64B/cycle"));
    return;
  }
  const double clock = needed_clock(fmt::format("{}={}", to_string(name), value));
  const bool gpu = machine_.kind == MachineKind::gpu;
  add_bandwidth(name,
                product(fmt::format("{} bandwidth", to_string(name)), "byte/s",
                        {count_of(cores_ * sockets_, gpu ? "SM" : "core", gpu ? "SMs" : "cores"),
                         hertz(clock), Factor{*bytes, fmt::format("{:g} byte", *bytes)}}),
                Origin::modelled);
}

void Derivation::level(Level name, std::string_view value) {
  constexpr std::string_view kPerCycle = "B/cycle";
  if (value.ends_with(kPerCycle)) {
    bytes_per_cycle(name, value, value.substr(0, value.size() - kPerCycle.size()));
    return;
  }
  const auto number = is_rate(value) ? parse_byte_rate(value) : parse_bytes(value);
  if (!number || !conceivable(*number)) {
    fail_with(wrong(to_string(name), value, "a bandwidth (210GB/s) or a size (2MiB)"));
  } else if (is_rate(value)) {
    add_bandwidth(name, *number, Origin::assumed);
  } else if (is_memory_level(name)) {
    machine_.memories.push_back({name, figure(*number, Origin::assumed)});
  } else {
    const bool cpu = machine_.kind == MachineKind::cpu;
    const bool of_a_core = name == Level::L1 || (cpu && name == Level::L2);
    machine_.caches.push_back({name, of_a_core, figure(*number, Origin::assumed)});
  }
}

void Derivation::levels() {
  for (const Level name : kLevels) {
    // A level may have both: "L2=64B/cycle L2.size=1M".
    for (const std::string& key :
         {std::string(to_string(name)), fmt::format("{}.size", to_string(name))}) {
      if (const auto value = words_.take(key)) {
        level(name, *value);
      }
    }
    if (const auto rate = number(fmt::format("{}.one_core", to_string(name)), {"B/s", "byte/s"},
                                 "what one core draws alone, such as 20GB/s")) {
      machine_.bandwidths.push_back(
          {name, Basis::sustained, std::nullopt, figure(*rate, Origin::assumed), 1U});
    }
  }
}

/// "3x16": generation and lanes.
void Derivation::pci_express(std::string_view text) {
  if (is_rate(text) && conceivable(parse_byte_rate(text).value_or(0.0))) {
    const Figure rate = figure(*parse_byte_rate(text), Origin::assumed);
    machine_.links.push_back({"PCIe", false, std::nullopt, rate});
    return;
  }
  const auto cross = std::min(text.find('x'), text.size());
  const double generation = parse_quantity(text.substr(0, cross), {}).value_or(0.0);
  const double lanes =
      parse_quantity(text.substr(std::min(cross + 1, text.size())), {}).value_or(0.0);
  const auto known =
      std::find_if(kPciExpress.begin(), kPciExpress.end(),
                   [&](const LinkGeneration& row) { return row.generation == generation; });
  if (known == kPciExpress.end() || lanes < 1.0 || lanes > 32.0) {
    fail_with(wrong("PCIe", text, "GENERATIONxLANES (4x16) or a rate in one direction (25GB/s)"));
    return;
  }
  const double rate = product(
      "PCIe, one direction", "byte/s",
      {count_of(lanes, "lane", "lanes"),
       Factor{known->transfers, fmt::format("{:g} GT/s", known->transfers / 1e9)},
       Factor{known->data, fmt::format("{} data", known->coding)}, Factor{1.0 / 8.0, "1/8 byte"}});
  machine_.links.push_back({"PCIe", false, known->generation, figure(rate, Origin::modelled)});
}

void Derivation::links() {
  if (const auto text = words_.take("PCIe")) {
    pci_express(*text);
  }
  if (const auto rate = number("NVLink", {"B/s", "byte/s"}, "a rate in one direction")) {
    machine_.links.push_back({"NVLink", false, std::nullopt, figure(*rate, Origin::assumed)});
  }
}

Result<DerivedMachine> Derivation::finish() && {
  names();
  machine_.kind == MachineKind::gpu ? gpu_peaks() : cpu_peaks();
  given_peaks();
  memory_channels();
  memory_clock();
  levels();
  links();
  if (error_) {
    return tl::make_unexpected(*std::move(error_));
  }
  if (!words_.left().empty()) {
    return fail(
        ErrorCode::usage,
        fmt::format("machine: there is no key `{}`", words_.left().front().key.substr(0, 60)),
        fmt::format(
            "name, kind, sockets, cores, clock, simd, fma, sms, lanes, fp64_lanes, channels, "
            "mem, memory_clock, memory_bits, {} (peaks; of tensor cores fp16.matrix), L1 to "
            "L4, DRAM, HBM, CXL, NVRAM (210GB/s, 64B/cycle or a size; L2.size, DRAM.one_core), "
            "PCIe, NVLink",
            fmt::join(known_precisions(), ", ")));
  }
  DerivedMachine derived;
  const bool free = machine_.peaks.empty();
  derived.target = target_from(std::move(machine_));
  derived.target.arithmetic_is_free = free;
  derived.steps = std::move(steps_);
  return derived;
}

}  // namespace

Result<DerivedMachine> derive_machine(std::string_view text) {
  auto words = parse_machine_words(text);
  if (!words) {
    return tl::make_unexpected(std::move(words.error()));
  }
  return Derivation(std::move(*words)).finish();
}

}  // namespace ridge::predict
