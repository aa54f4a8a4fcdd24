#include "import/masks.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "import/formula.hpp"
#include "import/lines.hpp"

namespace ridge::imports {
namespace {

constexpr std::string_view kHint =
    "name the mix of the same run with it: ridge import sde-mix-out.txt sde-dyn-mask-profile.txt";

bool is_of_masks(const ImportedFile& file) {
  return file.imported.idle_flops.has_value();
}

/// The program whose instructions with masks counted with all lanes; nullptr: `file` is no mix.
Region* program_of_mix(ImportedFile& file, std::string_view tool) {
  auto& regions = file.imported.regions;
  const auto found = std::find_if(regions.begin(), regions.end(), [](const Region& region) {
    return region.kind == RegionKind::program && region.flops;
  });
  return file.imported.tool == tool && !is_of_masks(file) && found != regions.end() ? &*found
                                                                                    : nullptr;
}

/// False where it has fewer.
bool take_out(Work& work, const WorkTerm& idle) {
  const auto term = std::find_if(work.terms.begin(), work.terms.end(), [&](const WorkTerm& each) {
    return each.precision == idle.precision && each.kind == idle.kind &&
           each.width_bits == idle.width_bits;
  });
  if (idle.flops == 0) {
    return true;
  }
  if (term == work.terms.end() || term->flops < idle.flops) {
    return false;
  }
  term->flops -= idle.flops;
  if (term->flops == 0) {
    work.terms.erase(term);
  }
  return true;
}

Result<void> apply(const ImportedFile& masks, std::vector<ImportedFile>& files) {
  Region* program = nullptr;
  ImportedFile* mix = nullptr;
  for (ImportedFile& file : files) {
    if (Region* found = program_of_mix(file, masks.imported.tool)) {
      if (program != nullptr) {
        return refuse(masks.name, 0, "holds masks, and several mixes stand beside it", kHint);
      }
      program = found;
      mix = &file;
    }
  }
  if (program == nullptr) {
    return refuse(masks.name, 0, "holds the masks of a mix that is not here", kHint);
  }
  std::uint64_t idle = 0;
  for (const WorkTerm& term : *masks.imported.idle_flops) {
    if (!take_out(*program->flops, term)) {
      return refuse(
          masks.name, 0,
          fmt::format("switches off more lanes than {} has: they are not of one run", mix->name),
          kHint);
    }
    idle += term.flops;
  }
  std::erase_if(program->notes, [](const Note& note) { return note.code == kMaskedLanes; });
  add_note(
      program->notes, "masks-read",
      fmt::format("{} flop of lanes that a mask switched off are left out ({})", idle, masks.name));
  program->masked = masks.imported.regions.front().masked;
  mix->imported.other_files.push_back(masks.name);
  return {};
}

}  // namespace

Result<std::vector<ImportedFile>> apply_masks(std::vector<ImportedFile> files) {
  std::vector<ImportedFile> masks;
  std::vector<ImportedFile> others;
  for (ImportedFile& file : files) {
    (is_of_masks(file) ? masks : others).push_back(std::move(file));
  }
  for (const ImportedFile& each : masks) {
    if (auto applied = apply(each, others); !applied) {
      return tl::make_unexpected(applied.error());
    }
  }
  return others;
}

}  // namespace ridge::imports
