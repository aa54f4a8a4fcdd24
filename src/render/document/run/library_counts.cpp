#include "render/document/run/library_counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/quantity/saturating.hpp"
#include "render/chart/format_si.hpp"

namespace ridge::render {
namespace {

/// Sets of families: one bit each.
constexpr unsigned kDense = 1;
constexpr unsigned kTransforms = 2;

using FlopsByFile = std::map<std::string, std::uint64_t, std::less<>>;

/// What libraries are called, whoever wrote them.
constexpr std::array<std::pair<std::string_view, unsigned>, 13> kLibraries{
    {{"libopenblas", kDense},
     {"libscipy_openblas", kDense},
     {"libblas", kDense},
     {"libcblas", kDense},
     {"liblapack", kDense},
     {"libblis", kDense},
     {"libflame", kDense},
     {"libflexiblas", kDense},
     {"libatlas", kDense},
     {"libsatlas", kDense},
     {"libtatlas", kDense},
     {"libmkl", kDense | kTransforms},
     {"libfftw", kTransforms}}};

/// In which library the code of a region is, as names of regions say it; else something that is no
/// library.
std::string_view file_of(std::string_view region) {
  if (const auto at = region.rfind(" in "); at != std::string_view::npos) {
    return region.substr(at + 4);
  }
  if (region.starts_with("in ")) {
    return region.substr(3);
  }
  return region.substr(0, region.find('+'));  // code without symbols: "libfoo.so.1+0x12"
}

unsigned families_of(std::string_view file) {
  if (file.find(".so") == std::string_view::npos) {
    return 0;
  }
  const auto* found = std::ranges::find_if(
      kLibraries, [&](const auto& library) { return file.starts_with(library.first); });
  return found == kLibraries.end() ? 0 : found->second;
}

unsigned family_of(const LibraryCall& call) {
  return call.name.starts_with("fftw") ? kTransforms : kDense;
}

bool is_plan(const LibraryCall& call) {
  return call.name.ends_with("_plan");
}

bool lacks_ranks(const Region& region) {
  return std::ranges::find(region.notes, "work-of-some-ranks", &Note::code) != region.notes.end();
}

/// Flops of each library; empty where they are not those of all that ran.
FlopsByFile counted_files(const Profile& profile) {
  const Region* program = program_region(profile);
  if (program != nullptr && !program->flops) {
    return {};
  }
  FlopsByFile files;
  for (const Region& region : profile.regions) {
    const std::string_view file = file_of(region.name);
    if (is_sum(region) || families_of(file) == 0) {
      continue;
    }
    if (region.partial || lacks_ranks(region)) {
      return {};
    }
    if (region.flops && origins_of(region, profile).flops == Origin::counted) {
      auto& flops = files.try_emplace(std::string(file), 0).first->second;
      flops = saturating_add(flops, region.flops->total());
    }
  }
  std::erase_if(files, [](const auto& file) { return file.second == 0; });
  return files;
}

std::string name_of(unsigned families) {
  return families == kDense        ? "BLAS and LAPACK"
         : families == kTransforms ? "FFTW"
                                   : "BLAS, LAPACK and FFTW";
}

void add_calls(CountedLibraries& to, const Profile& profile, unsigned families) {
  for (const LibraryCall& call : profile.library_calls) {
    if ((family_of(call) & families) == 0) {
      continue;
    }
    if (is_plan(call)) {
      to.has_plans = true;
    } else if (call.flops) {
      to.modelled += static_cast<double>(*call.flops);
    } else if (std::ranges::find(to.without_formula, call.name) == to.without_formula.end()) {
      to.without_formula.push_back(call.name);
    }
  }
}

CountedLibraries libraries_of(const Profile& profile, const FlopsByFile& files, unsigned families) {
  CountedLibraries libraries;
  libraries.family = name_of(families);
  std::vector<std::pair<std::uint64_t, std::string>> order;
  for (const auto& [file, flops] : files) {
    if ((families_of(file) & families) != 0) {
      libraries.counted = saturating_add(libraries.counted, flops);
      order.emplace_back(flops, file);
    }
  }
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [](const auto& each) { return each.first; });
  for (auto& [flops, file] : order) {
    libraries.files.push_back(std::move(file));
  }
  add_calls(libraries, profile, families);
  return libraries;
}

/// "0.3 % more than", "as many as".
std::string against(double ratio) {
  const std::string apart = percent(std::abs(ratio - 1.0), 1);
  return apart == percent(0.0, 1) ? "as many as"
                                  : fmt::format("{} {} than", apart, ratio > 1.0 ? "more" : "less");
}

}  // namespace

std::vector<CountedLibraries> counted_libraries(const Profile& profile) {
  unsigned called = 0;
  for (const LibraryCall& call : profile.library_calls) {
    called |= is_plan(call) ? 0 : family_of(call);
  }
  const auto files = counted_files(profile);
  const bool is_one =
      called == (kDense | kTransforms) && std::ranges::any_of(files, [&](const auto& file) {
        return families_of(file.first) == called;
      });
  const std::vector<unsigned> families =
      is_one ? std::vector{kDense | kTransforms} : std::vector{kDense, kTransforms};
  std::vector<CountedLibraries> found;
  for (const unsigned family : families) {
    CountedLibraries libraries = libraries_of(profile, files, family);
    if ((called & family) != 0 && !libraries.files.empty()) {
      found.push_back(std::move(libraries));
    }
  }
  return found;
}

std::string words_of(const CountedLibraries& libraries) {
  std::string text = fmt::format("{}: {} counted in {}", libraries.family,
                                 si(static_cast<double>(libraries.counted), "Flop"),
                                 fmt::join(libraries.files, ", "));
  text += libraries.has_plans ? ", planning included" : "";
  if (!libraries.without_formula.empty()) {
    return fmt::format("{}; no formula for all calls of {}", text,
                       fmt::join(libraries.without_formula, ", "));
  }
  if (!(libraries.modelled > 0.0)) {
    return text + "; none by the formulas (modelled)";
  }
  return fmt::format("{}, {} by the formulas (modelled)", text,
                     against(static_cast<double>(libraries.counted) / libraries.modelled));
}

}  // namespace ridge::render
