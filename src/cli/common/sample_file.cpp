#include "cli/common/sample_file.hpp"

#include <vector>

#include <fmt/format.h>

namespace ridge::cli {

std::string sample_line(const bench::RawSamples& raw) {
  const bench::Measured& all = raw.all;
  std::vector<int> kept(raw.quiet.begin(), raw.quiet.end());
  if (raw.kept.rates.size() == all.rates.size()) {
    kept.assign(kept.size(), 1);  // too few were quiet: all count
  }
  return fmt::format(
      "{{\"id\":\"{}\",\"unit\":\"{}\",\"rates\":[{:.6g}],\"clocks_hertz\":[{:.6g}],"
      "\"burst_cycles\":[{:.5g}],\"visits\":[{}],\"kept\":[{}],\"thrown_away\":{}}}\n",
      raw.ceiling.id, unit_of(raw.ceiling.value), fmt::join(all.rates, ","),
      fmt::join(all.clocks, ","), fmt::join(all.burst_cycles, ","), fmt::join(all.visits, ","),
      fmt::join(kept, ","), all.thrown_away);
}

}  // namespace ridge::cli
