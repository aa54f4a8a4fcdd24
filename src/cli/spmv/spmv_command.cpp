// `ridge spmv`: the sparse matrix-vector product of one matrix, in every format.
#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "abi/version.h"
#include "cli/common/command.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/output/study_formats.hpp"
#include "cli/spmv/spmv_options.hpp"
#include "cli/spmv/spmv_subject.hpp"
#include "core/quantity/words.hpp"
#include "platform/affinity.hpp"
#include "platform/topology.hpp"
#include "render/document/spmv/sparse_study_table.hpp"
#include "serialize/sparse_study.hpp"
#include "spmv/format/code_balance.hpp"
#include "spmv/format/traffic.hpp"
#include "spmv/matrix/spy.hpp"
#include "spmv/study/advice.hpp"
#include "spmv/study/facts.hpp"
#include "spmv/study/study.hpp"

namespace ridge::cli {
namespace {

// Full and quick, for all timing together; reading, converting and simulating come on top.
constexpr Seconds kBudget{60};
constexpr Seconds kQuickBudget{8};

template <class Index>
void add_facts(const SpmvSubject<Index>& subject, const Machine& machine, unsigned threads,
               SparseStudy& study, spmv::OrdersToTry& orders) {
  spmv::FactOptions options;
  options.threads = {static_cast<std::int32_t>(threads)};
  if (machine.caches.size() > 1) {
    options.l1_bytes = static_cast<double>(machine.caches[0].size_bytes);
    options.l2_bytes = static_cast<double>(machine.caches[1].size_bytes);
  }
  const auto facts = spmv::facts_of(subject.matrix, options);
  SparseMatrixFacts& matrix = study.matrix;
  matrix.name = subject.name;
  matrix.origin = subject.origin;
  matrix.rows = static_cast<std::uint64_t>(facts.rows);
  matrix.columns = static_cast<std::uint64_t>(facts.columns);
  matrix.entries = facts.entries;
  matrix.used_columns = static_cast<std::uint64_t>(facts.columns_used);
  matrix.empty_rows = static_cast<std::uint64_t>(facts.row_lengths.empty);
  matrix.least_in_row = static_cast<std::uint64_t>(facts.row_lengths.least);
  matrix.most_in_row = static_cast<std::uint64_t>(facts.row_lengths.most);
  matrix.mean_in_row = facts.row_lengths.mean;
  matrix.row_variation = facts.row_lengths.variation;
  matrix.bandwidth = static_cast<std::uint64_t>(facts.bandwidth);
  matrix.square = facts.rows == facts.columns;
  matrix.symmetric = facts.symmetric_values;
  matrix.symmetric_pattern = facts.symmetric_pattern;
  matrix.block = static_cast<unsigned>(facts.block);
  matrix.index_bits = 8 * sizeof(Index);
  if (!facts.imbalance.empty()) {
    matrix.rows_imbalance = facts.imbalance.front().by_rows;
  }
  // Where most entries lie near the diagonal an order has little to gain.
  constexpr double kNear = 0.9;
  constexpr double kUneven = 1.0;
  orders.rcm = matrix.square && facts.within_l2 < kNear;
  orders.hubs = orders.rcm && matrix.row_variation > kUneven;
}

template <class Index>
void add_alphas(const spmv::CsrMatrix<double, Index>& matrix, const Machine& machine, bool quick,
                SparseStudy& study) {
  // The first cache takes most of the time: sampling does not shorten it.
  const std::size_t first = quick && machine.caches.size() > 1 ? 1 : 0;
  std::vector<double> sizes;
  for (std::size_t i = first; i < machine.caches.size(); ++i) {
    sizes.push_back(static_cast<double>(machine.caches[i].size_bytes));
  }
  spmv::TrafficOptions options;
  options.sample = 0;
  const auto traffic = spmv::predict_x_traffic<Index>(spmv::pattern_of(matrix), sizes, options);
  for (std::size_t i = 0; i < traffic.size(); ++i) {
    study.alphas.push_back({machine.caches[first + i].level, Bytes(traffic[i].cache_bytes),
                            traffic[i].alpha, traffic[i].sample < 1});
  }
}

Result<void> add_measured_alpha(const SpmvOptions& options, SparseStudy& study) {
  if (!options.traffic_bytes || study.matrix.entries == 0) {
    return {};
  }
  const double rows = std::max<double>(1, static_cast<double>(study.matrix.rows));
  const auto base = spmv::csr_code_balance(static_cast<double>(study.matrix.entries) / rows, 0);
  const auto alpha = spmv::alpha_from_traffic(*options.traffic_bytes, study.matrix.entries, base);
  if (!alpha) {
    return tl::make_unexpected(alpha.error());
  }
  study.given_traffic = Bytes(*options.traffic_bytes);
  study.measured_alpha = *alpha;
  return {};
}

/// Fine enough for 40 x 20 characters of braille; what a screen without them shows is made of it.
template <class Index>
SparsePicture picture_of(const spmv::CsrMatrix<double, Index>& matrix) {
  constexpr std::int32_t kMostParts = 80;
  const spmv::Spy spy = spmv::spy<Index>(spmv::pattern_of(matrix), kMostParts, kMostParts);
  SparsePicture picture;
  picture.width = static_cast<std::size_t>(spy.width);
  picture.height = static_cast<std::size_t>(spy.height);
  for (std::int32_t y = 0; y < spy.height; ++y) {
    for (std::int32_t x = 0; x < spy.width; ++x) {
      picture.densities.push_back(static_cast<double>(spy.at(y, x)) / spy.places(y, x));
    }
  }
  return picture;
}

std::string_view name_of(spmv::Isa isa) {
  switch (isa) {
    case spmv::Isa::avx512:
      return to_string(Isa::avx512);
    case spmv::Isa::avx2:
      return to_string(Isa::avx2);
    case spmv::Isa::portable:
      break;
  }
  return "portable";
}

spmv::StudyOptions study_options(const SpmvOptions& options, const Machine& machine,
                                 unsigned most_threads) {
  spmv::StudyOptions study;
  study.formats = options.formats;
  study.threads.clear();
  std::vector<unsigned> threads = options.threads;
  if (threads.empty()) {
    threads = {1};
    if (most_threads > 1 && !options.quick) {
      threads.push_back(most_threads);
    }
  }
  for (const unsigned count : threads) {
    study.threads.push_back(static_cast<int>(count));
  }
  if (!options.schedules.empty()) {
    study.schedules = options.schedules;
  }
  study.vectors.assign(options.vectors.begin(), options.vectors.end());
  study.powers.assign(options.powers.begin(), options.powers.end());
  if (!machine.caches.empty()) {
    study.last_level_cache = Bytes(static_cast<double>(machine.caches.back().size_bytes));
  }
  if (is_terminal(stderr)) {
    study.progress = [](const std::string& step) { show_step(step); };
  }
  return study;
}

/// What the size of the matrix is worth. Threads and orders that were asked for are timed all the
/// same.
template <class Index>
void set_effort(const SpmvOptions& options, const spmv::CsrMatrix<double, Index>& matrix,
                spmv::StudyOptions& how) {
  const double entries = static_cast<double>(matrix.entries());
  const Bytes size(entries * (sizeof(double) + sizeof(Index)) +
                   static_cast<double>(matrix.rows) * sizeof(Index));
  how.effort = spmv::effort_of(size, how.last_level_cache, options.quick ? kQuickBudget : kBudget);
  if (!how.effort.on_several_threads) {
    how.orders = {};
    if (options.threads.empty()) {
      how.threads = {1};
    }
  }
  if (options.quick || !options.formats.empty()) {
    how.orders = {};
  }
}

/// What no number of the study can say by itself.
void add_notes(const SpmvOptions& options, unsigned most_threads, SparseStudy& study) {
  for (const unsigned threads : options.threads) {
    if (threads > most_threads) {
      study.notes.push_back({"more-threads-than-cpus", fmt::format("{} threads share {}", threads,
                                                                   counted(most_threads, "CPU"))});
    }
  }
  for (const SparseTiming& timing : study.timings) {
    constexpr double kUneven = 1.3;
    if (timing.bandwidth.high.value() > kUneven * timing.bandwidth.low.value()) {
      study.notes.push_back(
          {"uneven-bandwidth",
           fmt::format(
               "b_S on {} thread{} went from {:.3g} to {:.3g} GB/s while {} was timed: "
               "others use the machine; rates are of that moment, and formats are ranked by "
               "the ratios of each round",
               timing.threads, timing.threads == 1 ? "" : "s", timing.bandwidth.low.value() / 1e9,
               timing.bandwidth.high.value() / 1e9, timing.format)});
      return;
    }
  }
}

OutputRequest request_of(const SpmvOptions& options) {
  return {"spmv", options.output, options.title, options.style, false, options.force};
}

/// What was found is shown even where it cannot be written: it took its time.
Result<void> show(const SpmvOptions& options, const SparseStudy& study) {
  const auto written = write_study(request_of(options), study);
  const auto shown =
      options.json
          ? print(serialize::write_sparse_study(study))
          : print_screen(render::sparse_study_text(study, text_style(stdout, options.ascii)));
  return written ? shown : written;
}

template <class Index>
Result<int> study_subject(const SpmvOptions& options, const SpmvSubject<Index>& subject) {
  const auto machine = platform::describe_machine(ridge_version_text);
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  const auto most_threads = std::max(1U, machine->topology.threads);
  spmv::StudyOptions how = study_options(options, *machine, most_threads);
  SparseStudy found;
  add_facts(subject, *machine, most_threads, found, how.orders);
  set_effort(options, subject.matrix, how);
  auto study = spmv::time_formats(subject.matrix, how);
  if (is_terminal(stderr)) {
    show_step("");
  }
  if (!study) {
    return tl::make_unexpected(study.error());
  }
  study->matrix = found.matrix;
  study->date = machine->date;
  study->host = machine->host.value_or("");
  study->cpu = machine->cpu.name;
  study->instruction_set = name_of(spmv::widest_isa());
  study->last_level_cache = how.last_level_cache;
  for (const std::string& note : subject.notes) {
    study->notes.push_back({"matrix-file", note});
  }
  if (subject.matrix.entries() != 0) {
    add_alphas(subject.matrix, *machine, options.quick, *study);
  }
  if (auto added = add_measured_alpha(options, *study); !added) {
    return tl::make_unexpected(added.error());
  }
  if (!how.effort.on_several_threads && options.threads.empty()) {
    study->notes.push_back(
        {"small-matrix",
         "the matrix is so small that starting threads takes longer than a product: it was timed "
         "on one, "
         "with nine short samples of each format; --threads N times it on more"});
  }
  study->picture = picture_of(subject.matrix);
  study->findings = spmv::advice(*study);
  add_notes(options, most_threads, *study);
  return show(options, *study).map([] { return 0; });
}

Result<int> run_study(const SpmvOptions& options) {
  const auto wide = needs_wide_indices(options);
  if (!wide) {
    return tl::make_unexpected(wide.error());
  }
  if (*wide) {
    return read_subject<std::int64_t>(options).and_then(
        [&](const SpmvSubject<std::int64_t>& subject) { return study_subject(options, subject); });
  }
  return read_subject<std::int32_t>(options).and_then(
      [&](const SpmvSubject<std::int32_t>& subject) { return study_subject(options, subject); });
}

}  // namespace

Result<int> run_spmv(const std::vector<std::string>& arguments) {
  const auto parsed = parse_spmv_options(arguments);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  if (!*parsed) {
    return 0;
  }
  const SpmvOptions& options = **parsed;
  if (auto fine = check_study_output(request_of(options)); !fine) {
    return tl::make_unexpected(fine.error());
  }
  try {
    return run_study(options);
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::unavailable,
                "spmv: the matrix and its formats need more memory than there is",
                "Name fewer formats with --formats.");
  }
}

}  // namespace ridge::cli
