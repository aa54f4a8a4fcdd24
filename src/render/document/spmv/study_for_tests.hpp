// A study with all that a picture can hold: formats on one and two threads, other orders, several
// products at once. Numbers as of a finite element matrix from memory.
#pragma once

#include <cmath>

#include "core/value/sparse_study.hpp"

namespace ridge::render {

class StudyForTests {
 public:
  [[nodiscard]] static SparseStudy make() {
    SparseStudy study;
    study.matrix = {.name = "wing.mtx",
                    .origin = "Matrix Market, real symmetric",
                    .rows = 1500000,
                    .columns = 1500000,
                    .entries = 40500000,
                    .used_columns = 1500000,
                    .empty_rows = 2,
                    .least_in_row = 0,
                    .most_in_row = 81,
                    .mean_in_row = 27,
                    .row_variation = 0.2,
                    .bandwidth = 1400000,
                    .square = true,
                    .symmetric = true,
                    .symmetric_pattern = true,
                    .block = 3,
                    .index_bits = 32,
                    .rows_imbalance = 1.2};
    study.alphas = {{"L2", Bytes(1048576), 0.3, false}, {"L3", Bytes(33554432), 0.1, true}};
    study.given_traffic = Bytes(600e6);
    study.measured_alpha = 0.2;
    add_formats(study);
    study.reorderings = {{"rcm", 33000, Seconds(1.5), timing(study, "pattern", 6.3, 2, 4.6), 1.2,
                          paired(1.2, 0.02), 90.0},
                         {"hubs",
                          1499000,
                          Seconds(0.5),
                          timing(study, "sell-32-256", 6.9, 2, 1.4),
                          0.4,
                          paired(0.4, 0.3),
                          {}}};
    const auto& seconds = study.timings.back().time;
    const auto& rate = study.timings.back().performance;
    study.multiples = {{"vectors", 4, 2, seconds, rate, 1.56, paired(1.56, 0.01)},
                       {"powers", 3, 2, seconds, rate, 2.34, {}}};
    study.findings = {{"bandwidth-bound", "pattern-3x3 reaches 91 % of its roof.", {}},
                      {"use-format", "pattern-3x3 is 1.4x as fast as CSR.", 1.4}};
    study.left_out = {{"symmetric", "the matrix is not symmetric"}};
    study.notes = {{"uneven-bandwidth", "b_S on 1 thread went from 20 to 24 GB/s"}};
    constexpr std::size_t kSide = 12;
    study.picture = {kSide, kSide, {}};
    for (std::size_t y = 0; y < kSide; ++y) {
      for (std::size_t x = 0; x < kSide; ++x) {
        const double off = std::abs(static_cast<double>(x) - static_cast<double>(y));
        study.picture.densities.push_back(off > 4.0 ? 0.0 : 1e-3 * std::pow(0.1, off));
      }
    }
    study.last_level_cache = Bytes(33554432);
    study.instruction_set = "avx512";
    study.date = "2026-11-22T06:30:00Z";
    study.host = "node1";
    study.cpu = "Some CPU";
    return study;
  }

 private:
  template <class Q>
  static Estimate<Q> around(Q value, double spread) {
    return {.median = value,
            .p90 = value * (1.0 + spread),
            .low = value * (1.0 - spread),
            .high = value * (1.0 + spread),
            .samples = 7,
            .origin = Origin::measured};
  }

  static MedianInterval paired(double ratio, double spread) {
    return {.median = ratio,
            .low = ratio * (1.0 - spread),
            .high = ratio * (1.0 + spread),
            .confidence = 0.9609375,
            .samples = 9};
  }

  /// One is what the others are compared with, one was disturbed, one is as fast.
  static double spread_of(const std::string& format) {
    return format == "csr"           ? 0.0
           : format == "sell16-32-1" ? 0.4
           : format == "sell-32-256" ? 0.1
                                     : 0.01;
  }

  /// `balance` in byte/flop, `rate` in GFlop/s.
  static SparseTiming timing(const SparseStudy& study, const std::string& format, double balance,
                             unsigned threads, double rate) {
    const double bandwidth = threads == 1 ? 22e9 : 38e9;
    const double flops = 2.0 * static_cast<double>(study.matrix.entries);
    SparseTiming result;
    result.format = format;
    result.threads = threads;
    result.schedule = "entries";
    result.gather = "emulated";
    result.stream_ahead = 512;
    result.x_ahead = format == "csr" ? 192 : 0;
    result.streamed_y = format == "pattern-3x3";
    result.time = around(Seconds(flops / (rate * 1e9)), 0.05);
    result.performance = around(FlopsPerSecond(rate * 1e9), 0.05);
    result.bandwidth = around(BytesPerSecond(bandwidth), 0.04);
    result.of_own_roof = around(Number(rate * 1e9 * balance / bandwidth), 0.03);
    result.of_csr_roof = around(Number(rate * 1e9 * 6.6 / bandwidth), 0.03);
    result.speedup = around(Number(rate / (threads == 1 ? 2.6 : 4.4)), 0.02);
    result.paired_speedup = paired(result.speedup->median.value(), spread_of(format));
    result.against_fastest = paired(rate / (threads == 1 ? 3.9 : 6.7), 0.01);
    result.own_roof_interval = paired(result.of_own_roof.median.value(), 0.01);
    result.code_balance_bound = bandwidth / (rate * 1e9);
    return result;
  }

  static void add_formats(SparseStudy& study) {
    struct Known {
      const char* name;
      double balance;
      double stored;
      double one;  ///< GFlop/s on one thread
      double two;
    };
    const Known formats[] = {
        {"csr", 6.6, 1.0, 2.6, 4.4},          {"sell-32-1", 7.4, 1.14, 2.5, 4.3},
        {"sell-32-256", 6.7, 1.01, 2.9, 4.5}, {"sell16-32-1", 6.2, 1.14, 2.8, 4.7},
        {"pattern", 6.1, 1.1, 3.0, 4.9},      {"gather-blocked", 6.3, 1.02, 1.4, 2.5},
        {"pattern-3x3", 5.1, 1.0, 3.9, 6.7},  {"bcsr-3x3", 5.2, 1.0, 3.1, 5.7}};
    for (const Known& known : formats) {
      study.formats.push_back({known.name, known.stored, 8.0 * known.stored,
                               2 * known.balance - 8.0 * known.stored - 1.3, 0.15, 1.15, 0.0,
                               known.balance, Seconds(known.name == std::string("csr") ? 0 : 0.4)});
    }
    for (const unsigned threads : {1U, 2U}) {
      for (const Known& known : formats) {
        SparseTiming one =
            timing(study, known.name, known.balance, threads, threads == 1 ? known.one : known.two);
        one.conversion_products = known.name == std::string("csr") ? 0.0 : 12.0;
        if (one.paired_speedup->low > 1.0) {
          one.break_even = 40.0;
        }
        study.timings.push_back(one);
      }
    }
  }
};

}  // namespace ridge::render
