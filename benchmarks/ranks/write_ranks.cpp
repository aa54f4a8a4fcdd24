// Writes the records of many ranks as `ridge run` would, each with the regions of one result and
// figures of its own: for benchmarks/ranks/ranks.
//
//     ridge_write_ranks PROFILE.json RANKS FOLDER
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <fmt/format.h>

#include "serialize/machine.hpp"
#include "serialize/profile.hpp"
#include "serialize/rank_record.hpp"

namespace {

using namespace ridge;
namespace fs = std::filesystem;

constexpr unsigned kRanksOfHost = 128;

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

void scale(std::optional<SampledTime>& time, double factor) {
  if (time) {
    time->value = factor * time->value;
    time->low = factor * time->low;
    time->high = factor * time->high;
  }
}

/// Figures as different as those of ranks are, so that nothing is the same text twice.
void vary(Region& region, std::mt19937& random) {
  const double factor = std::uniform_real_distribution<double>(0.8, 1.2)(random);
  scale(region.time_seconds.self, factor);
  scale(region.time_seconds.inclusive, factor);
  scale(region.cpu_seconds.self, factor);
  scale(region.cpu_seconds.inclusive, factor);
  if (region.bytes_loaded) {
    *region.bytes_loaded += random() % 1000;
  }
}

int run(const std::string& profile_file, unsigned ranks, const fs::path& folder) {
  std::ifstream stream(profile_file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  const auto profile = serialize::parse_profile(text, profile_file);
  if (!profile) {
    fmt::print(stderr, "{}\n", profile.error().message);
    return EXIT_FAILURE;
  }
  const fs::path first = folder / "ranks" / "first";
  fs::create_directories(first);
  std::string measured;
  std::mt19937 random(1);
  for (unsigned rank = 0; rank < ranks; ++rank) {
    RankRecord record;
    record.rank = rank;
    record.host = fmt::format("node-{:04}", rank / kRanksOfHost);
    for (unsigned cpu = 0; cpu < kRanksOfHost; ++cpu) {
      record.cpus.push_back(cpu);
    }
    record.profile = *profile;
    for (Region& region : record.profile.regions) {
      vary(region, random);
    }
    write(first / fmt::format("{:07}", rank), serialize::write_rank_record(record));
    measured += fmt::format("{}{}", rank == 0 ? "" : ",", rank);
  }
  write(first / "start", fmt::format("job benchmark\nranks {}\nmeasured {}\n", ranks, measured));
  write(folder / "ranks" / "machine-node-0000.json", serialize::write_machine(profile->machine));
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: ridge_write_ranks PROFILE.json RANKS FOLDER\n");
    return EXIT_FAILURE;
  }
  return run(argv[1], static_cast<unsigned>(std::atoi(argv[2])), argv[3]);
}
