// Files of other tools: the first byte chooses the importer, or none (the text tells), the rest is
// the file. What is read becomes a profile or machine that keeps its promises: it can be written
// and read again, and predictions can be made of it.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/json_mutation.hpp"
#include "import/importer.hpp"
#include "import/masks.hpp"
#include "predict/findings/predict.hpp"
#include "serialize/machine.hpp"
#include "serialize/microarchitecture.hpp"
#include "serialize/profile.hpp"

namespace {

void require(bool promise) {
  if (!promise) {
    std::abort();
  }
}

bool printable(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      return false;
    }
  }
  return true;
}

/// How deep the inputs of one format went.
struct Reached {
  unsigned long long inputs = 0;
  unsigned long long accepted = 0;
};

/// By format, the last one where the text was to tell; told at the end.
struct Told {
  std::vector<Reached> formats = std::vector<Reached>(ridge::imports::importers().size() + 1);
  ~Told() {
    for (std::size_t i = 0; i < formats.size(); ++i) {
      const auto importers = ridge::imports::importers();
      const std::string name(i < importers.size() ? importers[i].name : "by the text");
      std::fprintf(stderr, "accepted %llu of %llu inputs: %s\n", formats[i].accepted,
                   formats[i].inputs, name.c_str());
    }
  }
};

void check_profile(const ridge::imports::Imported& imported) {
  const ridge::Profile profile = ridge::imports::profile_of(imported, "f", std::nullopt, "1");
  const auto prediction = ridge::predict::predict(
      profile, ridge::find_microarchitecture(ridge::serialize::known_microarchitectures(),
                                             profile.machine.cpu));
  const std::string text = ridge::serialize::write_profile(profile, prediction);
  const auto again = ridge::serialize::parse_profile(text, "f");
  require(again.has_value() && *again == profile);
  for (const ridge::Region& region : profile.regions) {
    const auto& time = region.time_seconds.self;
    require(!time || (std::isfinite(time->high.value()) && time->low.value() >= 0.0));
  }
}

bool is_imported(std::string_view text) {
  return ridge::imports::import_text({text, "f"}, {}).has_value();
}

/// Half of the formats are JSON, where a change of bytes ends at the parser.
bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

/// A file of masks beside the mix that it completes: both from one input, halved.
void check_masks(std::string_view text) {
  const std::size_t half = text.size() / 2;
  std::vector<ridge::imports::ImportedFile> files;
  for (const auto& [part, from] :
       {std::pair(text.substr(0, half), "sde"), std::pair(text.substr(half), "sde-masks")}) {
    auto imported = ridge::imports::import_text({part, "f"}, from);
    if (!imported) {
      return;
    }
    files.push_back({from, *std::move(imported)});
  }
  const auto applied = ridge::imports::apply_masks(std::move(files));
  require(applied || applied.error().code == ridge::ErrorCode::bad_input);
  if (applied) {
    require(applied->size() == 1);
    check_profile(applied->front().imported);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (size < 2 || !is_json(text.substr(1)) || seed % 8 == 0) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  const std::string changed =
      ridge::fuzz::mutate_json(std::string(text.substr(1)), seed, is_imported);
  return ridge::fuzz::hand_over(text[0] + changed, data, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Told told;
  if (size == 0) {
    return 0;
  }
  const auto importers = ridge::imports::importers();
  const std::size_t choice = data[0] % (importers.size() + 1);
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  check_masks(text);
  const std::string_view from =
      choice < importers.size() ? importers[choice].name : std::string_view{};
  const std::optional<unsigned> threads =
      data[0] >= 128 ? std::optional(1U + data[0] % 64U) : std::nullopt;
  const auto imported = ridge::imports::import_text({text, "f", threads}, from);
  ++told.formats[choice].inputs;
  if (!imported) {
    require(imported.error().code == ridge::ErrorCode::bad_input);
    require(imported.error().message.starts_with("f:") && imported.error().message.size() < 1000);
    require(printable(imported.error().message));
    return 0;
  }
  ++told.formats[choice].accepted;
  if (!ridge::imports::is_machine(*imported)) {
    check_profile(*imported);
    return 0;
  }
  const ridge::Machine machine = ridge::imports::machine_of(*imported, "f", "1");
  const auto again = ridge::serialize::parse_machine(ridge::serialize::write_machine(machine), "f");
  require(again.has_value() && *again == machine);
  return 0;
}
