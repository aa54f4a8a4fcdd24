#include "cli/spmv/spmv_subject.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "platform/affinity.hpp"
#include "spmv/generate/generate.hpp"
#include "spmv/read/matrix_file.hpp"

namespace ridge::cli {
namespace {

template <class Index>
Result<SpmvSubject<Index>> generated(const std::string& spec) {
  auto matrix = spmv::generate(spec);
  if (!matrix) {
    return tl::make_unexpected(matrix.error());
  }
  SpmvSubject<Index> subject;
  subject.name = spec;
  subject.origin = "generated";
  if constexpr (sizeof(Index) == sizeof(std::int32_t)) {
    subject.matrix = std::move(*matrix);
  } else {
    subject.matrix = spmv::converted<double, Index>(*matrix);
  }
  return subject;
}

void note(std::vector<std::string>& notes, std::uint64_t count, std::string_view what) {
  if (count != 0) {
    notes.push_back(fmt::format("{} {}", count, what));
  }
}

}  // namespace

Result<bool> needs_wide_indices(const SpmvOptions& options) {
  if (options.index_bits != 0 || !options.matrix) {
    return options.index_bits == 64;
  }
  return spmv::peek_matrix(*options.matrix).map([](const spmv::DeclaredMatrix& declared) {
    return !declared.fits_32_bit();
  });
}

template <class Index>
Result<SpmvSubject<Index>> read_subject(const SpmvOptions& options) {
  if (options.generate) {
    return generated<Index>(*options.generate);
  }
  const auto threads = static_cast<int>(platform::allowed_cpus().size());
  auto file = spmv::read_matrix<Index>(*options.matrix, threads);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  const auto& facts = file->facts;
  SpmvSubject<Index> subject;
  subject.name = std::filesystem::path(*options.matrix).filename().string();
  subject.origin =
      fmt::format("{}, {} {}", spmv::name_of(facts.declared.format),
                  spmv::name_of(facts.declared.field), spmv::name_of(facts.declared.symmetry));
  subject.notes = facts.notes;
  note(subject.notes, facts.nan_values, "values are NaN");
  note(subject.notes, facts.infinite_values, "values are infinite");
  note(subject.notes, facts.explicit_zeros, "entries are stored zeros");
  note(subject.notes, facts.duplicates, "entries were added to another one of the same place");
  subject.matrix = std::move(file->matrix);
  return subject;
}

template Result<SpmvSubject<std::int32_t>> read_subject(const SpmvOptions&);
template Result<SpmvSubject<std::int64_t>> read_subject(const SpmvOptions&);

}  // namespace ridge::cli
