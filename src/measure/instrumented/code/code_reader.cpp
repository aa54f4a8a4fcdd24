#include "measure/instrumented/code/code_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

std::string joined_descriptors(const std::vector<const LoadedModule*>& modules) {
  std::string all;
  for (const LoadedModule* module : modules) {
    all.append(reinterpret_cast<const char*>(module->blob.data()), module->blob.size());
  }
  return all;
}

}  // namespace

void CodeReader::say(std::string_view file, std::string_view problem) {
  Note note{
      "ir-counts",
      fmt::format("flops of {} are those of the compiler's optimised code, not of its machine "
                  "code: {}",
                  file, problem)};
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) {
    notes_.push_back(std::move(note));
  }
}

std::vector<MachineCounts> CodeReader::of_file(const std::vector<const LoadedModule*>& modules) {
  const std::string path(modules.front()->file);
  std::vector<MachineCounts> nothing(modules.size());
  const MappedFile mapped(path);
  const auto image = machine_code::ElfImage::read(mapped.bytes());
  if (!image) {
    say(path, mapped.bytes().empty() ? "the file cannot be read" : image.error().message);
    return nothing;
  }
  if (const auto problem = difference(*image, mapped.bytes(), modules)) {
    say(path, *problem);
    return nothing;
  }
  std::vector<Descriptor> descriptors;
  for (const LoadedModule* module : modules) {
    descriptors.push_back(*module->descriptor);
  }
  auto counts = machine_counts(*image, descriptors);
  if (!counts) {
    say(path, counts.error().message);
    return nothing;
  }
  return std::move(*counts);
}

std::vector<MachineCounts> CodeReader::counts(const std::vector<LoadedModule>& modules) {
  std::vector<MachineCounts> result(modules.size());
  std::map<std::string_view, std::vector<std::size_t>> by_file;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    if (modules[i].descriptor != nullptr && !modules[i].file.empty()) {
      by_file[modules[i].file].push_back(i);
    }
  }
  for (const auto& [file, indices] : by_file) {
    std::vector<const LoadedModule*> of_this;
    for (const std::size_t i : indices) {
      of_this.push_back(&modules[i]);
    }
    std::string descriptors = joined_descriptors(of_this);
    auto known = known_.find(file);
    if (known == known_.end() || known->second.descriptors != descriptors) {
      known =
          known_
              .insert_or_assign(std::string(file), Known{std::move(descriptors), of_file(of_this)})
              .first;
    }
    for (std::size_t i = 0; i < indices.size(); ++i) {
      result[indices[i]] = known->second.counts[i];
    }
  }
  return result;
}

}  // namespace ridge::measure
