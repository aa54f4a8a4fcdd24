// The Empirical Roofline Toolkit's roofline.json: highest rates over its sweeps. Its kernel updates
// one array in place; its flops come as a multiplication and an addition for each step.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "import/lines.hpp"
#include "import/roofs.hpp"
#include "import/tool/json_file.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

using serialize::Reader;

constexpr double kGiga = 1e9;

/// What the labels of the peaks say: "FP64 GFLOPs"; "GFLOPs" of older versions is fp64.
struct PeakLabel {
  std::string_view label;
  std::string_view precision;
};
constexpr std::array kPeakLabels{PeakLabel{"GFLOPs", "fp64"}, PeakLabel{"FP64 GFLOPs", "fp64"},
                                 PeakLabel{"FP32 GFLOPs", "fp32"},
                                 PeakLabel{"FP16 GFLOPs", "fp16"}};

unsigned positive_or_one(const Reader& value) {
  return value.absent() ? 1U : value.positive();
}

/// Processes times threads of the run that gave the highest rate.
unsigned threads_of(const Reader& metadata) {
  constexpr unsigned kMost = 1U << 16U;
  const unsigned processes = positive_or_one(metadata.find("MPI_PROCS"));
  const unsigned threads = positive_or_one(metadata.find("OPENMP_THREADS"));
  if (processes > kMost || threads > kMost) {
    metadata.fail("has more processes or threads than a machine");
    return 1;
  }
  return processes * threads;
}

/// ["L1", 499.81]
struct Rate {
  std::string label;
  double value = 0.0;
};

std::optional<Rate> rate_of(const Reader& item) {
  const auto parts = item.items();
  if (parts.size() != 2) {
    item.fail("must be a label and a number");
    return std::nullopt;
  }
  Rate rate{parts[0].non_empty_text(), parts[1].positive_real() * kGiga};
  if (!std::isfinite(rate.value)) {
    parts[1].fail("is more than any machine can do");
  }
  return item.ok() ? std::optional(std::move(rate)) : std::nullopt;
}

void read_bandwidths(const Reader& gbytes, const std::optional<std::string>& device,
                     Machine& machine) {
  const unsigned threads = threads_of(gbytes.find("metadata"));
  for (const Reader& item : gbytes.at("data").items()) {
    const auto rate = rate_of(item);
    const auto level = rate ? parse_level(rate->label) : std::nullopt;
    if (rate && !level) {
      item.fail("names no level of the memory hierarchy");
    } else if (rate) {
      add_roof(machine, {BandwidthKey{*level, Pattern::update, {}, threads}, device}, rate->value);
    }
  }
}

void read_peaks(const Reader& gflops, const std::optional<std::string>& device, Machine& machine) {
  const unsigned threads = threads_of(gflops.find("metadata"));
  for (const Reader& item : gflops.at("data").items()) {
    const auto rate = rate_of(item);
    if (!rate) {
      return;
    }
    const auto known =
        std::find_if(kPeakLabels.begin(), kPeakLabels.end(),
                     [&](const PeakLabel& label) { return label.label == rate->label; });
    if (known == kPeakLabels.end()) {
      item.fail(fmt::format("is a peak of {}, which is not known", quoted(rate->label)));
      return;
    }
    const ComputeKey key{std::string(known->precision), {}, Operation::fma, threads};
    add_roof(machine, {key, device}, rate->value);
  }
}

bool is_gpu(const Reader& config) {
  const Reader gpu = config.find("ERT_GPU");
  if (gpu.absent()) {
    return false;
  }
  const auto items = gpu.items();
  return !items.empty() && items[0].flag();
}

}  // namespace

bool sniff_ert(std::string_view beginning) {
  return trimmed(beginning).starts_with('{') &&
         beginning.find("\"empirical\"") != std::string_view::npos;
}

Result<Imported> read_ert(const Source& source) {
  auto file = JsonFile::parse(source);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  const Reader empirical = (*file)->root().at("empirical");
  Imported imported;
  const Reader metadata = empirical.find("metadata");
  if (!metadata.absent()) {
    imported.version = optional_from(metadata.find("ERT_VERSION"), &Reader::text);
    const auto host = metadata.find("HOSTNAME").absent() ? std::vector<Reader>{}
                                                         : metadata.find("HOSTNAME").items();
    if (!host.empty()) {
      imported.machine.host = host[0].text();
    }
  }
  const std::optional<std::string> device =
      !metadata.absent() && !metadata.find("CONFIG").absent() && is_gpu(metadata.at("CONFIG"))
          ? std::optional<std::string>("gpu")
          : std::nullopt;
  read_bandwidths(empirical.at("gbytes"), device, imported.machine);
  read_peaks(empirical.at("gflops"), device, imported.machine);
  name_memories(imported.machine);
  return (*file)->finish(std::move(imported));
}

}  // namespace ridge::imports
