// PAPI's high-level API (version 7): one file for each rank; threads, and in each of them regions
// with the sums of their events. Values are texts. Regions contain those that they call.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/lines.hpp"
#include "import/tool/json_file.hpp"
#include "import/tool/papi_formulas.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

using serialize::Reader;

constexpr std::string_view kTime = "real_time_nsec";

const FormulaTable& table() {
  static const FormulaTable kTable{kPapiFormulas};
  return kTable;
}

/// One region of all threads: counts add up, the time is that of the slowest thread.
struct Measured {
  std::string name;
  bool has_inner = false;
  unsigned threads = 0;
  double entries = 0.0;  ///< most of any thread
  MetricValues values = MetricValues(table().metric_count());
  std::vector<unsigned> seen = std::vector<unsigned>(table().metric_count(), 0);
};

double amount_of(const Reader& value) {
  const std::string text = value.text();
  const auto amount = parse_number(text);
  if (!amount || *amount < 0.0) {
    value.fail(fmt::format("is no amount: {}", quoted(text)));
  }
  return amount.value_or(0.0);
}

class PapiFile {
 public:
  explicit PapiFile(const Reader& root) : root_(root) {}

  Result<Imported> read(const Source& source) {
    Imported imported;
    imported.version = optional_from(root_.find("papi_version"), &Reader::text);
    imported.machine.name = optional_from(root_.find("cpu_info"), &Reader::text).value_or("");
    imported.origins.flops = Origin::measured;
    for (const auto& [thread, value] : root_.at("threads").members()) {
      read_thread(value.at("regions"));
      if (!root_.ok()) {
        return imported;
      }
    }
    for (Measured& measured : measured_) {
      Region region;
      if (const auto reason = put(region, measured)) {
        return refuse(source.file, 0, *reason);
      }
      imported.regions.push_back(std::move(region));
    }
    return imported;
  }

 private:
  void read_thread(const Reader& regions) {
    std::map<std::string, std::string> names;  // by id, within the thread
    for (const auto& [id, region] : regions.members()) {
      names[id] = region.at("name").non_empty_text();
    }
    std::set<std::string> in_thread;
    for (const auto& [id, region] : regions.members()) {
      const std::string name = names[id];
      if (!in_thread.insert(name).second) {
        region.fail(fmt::format("is the region {} a second time", quoted(name)));
      }
      Measured& measured = find(name);
      ++measured.threads;
      read_region(region, measured);
      const Reader parent = region.find("parent_region_id");
      if (!parent.absent()) {
        const auto outer = names.find(parent.text());
        if (outer != names.end()) {
          find(outer->second).has_inner = true;
        }
      }
      if (!root_.ok()) {
        return;
      }
    }
  }

  void read_region(const Reader& region, Measured& measured) {
    measured.entries = std::max(measured.entries, region.find("region_count").absent()
                                                      ? 1.0
                                                      : amount_of(region.find("region_count")));
    for (const auto& [key, value] : region.members()) {
      const auto number = table().number_of(key);
      if (!number) {
        continue;
      }
      const double amount = amount_of(value);
      auto& known = measured.values[*number];
      known = !known ? amount : key == kTime ? std::max(*known, amount) : *known + amount;
      ++measured.seen[*number];
    }
  }

  Measured& find(const std::string& name) {
    const auto [found, is_new] = numbers_.emplace(name, measured_.size());
    if (is_new) {
      measured_.emplace_back().name = name;
    }
    return measured_[found->second];
  }

  static std::optional<std::string> put(Region& region, Measured& measured) {
    region.kind = RegionKind::marker;
    region.name = measured.name;
    region.function = measured.name;
    region.threads = measured.threads;
    region.entries = count_of(measured.entries);
    for (std::size_t i = 0; i < measured.values.size(); ++i) {
      if (measured.seen[i] != measured.threads) {
        measured.values[i].reset();  // a thread did not count it: the sum is unknown
      }
    }
    FigureSums sums(table());
    sums.add(measured.values);
    if (const auto reason = sums.put_into(region)) {
      return reason;
    }
    if (measured.has_inner) {
      region.time_seconds = {std::nullopt, region.time_seconds.self};
      region.flops.reset();
      add_note(region.notes, "contains-others",
               "the tool's counts contain those of regions inside: what it did itself is unknown");
    }
    return std::nullopt;
  }

  Reader root_;
  std::vector<Measured> measured_;
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace

bool sniff_papi(std::string_view beginning) {
  return trimmed(beginning).starts_with('{') &&
         beginning.find("\"papi_version\"") != std::string_view::npos;
}

Result<Imported> read_papi(const Source& source) {
  auto file = JsonFile::parse(source);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  auto imported = PapiFile((*file)->root()).read(source);
  if (!imported) {
    return imported;
  }
  return (*file)->finish(std::move(*imported));
}

}  // namespace ridge::imports
