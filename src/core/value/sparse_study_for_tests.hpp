// A small study with every value that can be there.
#pragma once

#include "core/value/sparse_study.hpp"

namespace ridge {

[[nodiscard]] inline SparseStudy sparse_study_for_tests() {
  const auto around = []<class Q>(Q value) {
    return Estimate<Q>{.median = value,
                       .p90 = value * 1.02,
                       .low = value * 0.97,
                       .high = value * 1.03,
                       .samples = 7,
                       .origin = Origin::measured};
  };
  const auto paired = [](double ratio) {
    const double off = ratio == 1 ? 0 : 0.01;
    return MedianInterval{.median = ratio,
                          .low = ratio * (1 - off),
                          .high = ratio * (1 + off),
                          .confidence = 0.9609375,
                          .samples = 9};
  };
  const auto timing = [&](const std::string& format, double seconds) {
    SparseTiming result;
    result.format = format;
    result.threads = 2;
    result.schedule = "entries";
    result.gather = "emulated";
    result.stream_ahead = 512;
    result.x_ahead = format == "csr" ? 192 : 0;
    result.streamed_y = format == "pattern";
    result.time = around(Seconds(seconds));
    result.performance = around(FlopsPerSecond(47e6 / seconds));
    result.bandwidth = around(BytesPerSecond(24e9));
    result.of_own_roof = around(Number(0.91));
    result.of_csr_roof = around(Number(0.91 * 0.016 / seconds));
    result.speedup = around(Number(0.016 / seconds));
    result.paired_speedup = paired(0.016 / seconds);
    result.against_fastest = paired(0.0117 / seconds);
    result.own_roof_interval = paired(0.91);
    result.code_balance_bound = 24e9 * seconds / 47e6;
    return result;
  };
  SparseStudy study;
  study.matrix = {.name = "grid.mtx",
                  .origin = "Matrix Market, real symmetric",
                  .rows = 3375000,
                  .columns = 3375000,
                  .entries = 23490000,
                  .used_columns = 3375000,
                  .empty_rows = 3,
                  .least_in_row = 0,
                  .most_in_row = 7,
                  .mean_in_row = 6.96,
                  .row_variation = 0.03,
                  .bandwidth = 22500,
                  .square = true,
                  .symmetric = true,
                  .symmetric_pattern = true,
                  .block = 3,
                  .index_bits = 32,
                  .rows_imbalance = 1.01};
  study.alphas = {{"L2", Bytes(1048576), 0.25, false}, {"L3", Bytes(33554432), 0.144, true}};
  study.given_traffic = Bytes(258e6);
  study.measured_alpha = 0.36;
  study.formats = {{"csr", 1, 8, 4, 0.57, 3.45, 0, 8.01, Seconds(0)},
                   {"pattern", 1.01, 8.1, 0.1, 0.3, 3.45, 0.99, 5.98, Seconds(0.08)}};
  study.left_out = {{"bcsr", "the matrix has no dense blocks"}};
  study.timings = {timing("csr", 0.016), timing("pattern", 0.0117)};
  study.timings[1].conversion_products = 5.0;
  study.timings[1].break_even = 19.0;
  study.reorderings = {
      {"rcm", 33000, Seconds(1.5), timing("pattern", 0.0115), 1.02, paired(1.02), 7500.0},
      {"hubs", 3374000, Seconds(0.5), timing("sell-32-256", 0.05), 0.23, paired(0.23), {}}};
  study.multiples = {
      {"vectors", 4, 2, around(Seconds(0.03)), around(FlopsPerSecond(6.3e9)), 1.56, paired(1.56)},
      {"powers", 4, 2, around(Seconds(0.02)), around(FlopsPerSecond(9.4e9)), 2.34, paired(2.34)}};
  study.findings = {{"bandwidth-bound", "pattern reaches 91 % of its roof.", {}},
                    {"use-format", "pattern is 1.37x as fast as CSR.", 1.37}};
  study.notes = {{"uneven-bandwidth", "b_S went from 20 to 24 GB/s"}};
  study.picture = {3, 3, {0.5, 1e-3, 0, 1e-3, 0.5, 1e-3, 0, 1e-3, 0.5}};
  study.last_level_cache = Bytes(33554432);
  study.instruction_set = "avx512";
  study.date = "2026-11-22T06:30:00Z";
  study.host = "node1";
  study.cpu = "Some CPU";
  return study;
}

}  // namespace ridge
