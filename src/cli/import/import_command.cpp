// `ridge import`: other tools' measurements as results of Ridge.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "abi/version.h"
#include "cli/common/command.hpp"
#include "cli/common/machine_file.hpp"
#include "cli/common/result_file.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/import/import_options.hpp"
#include "import/importer.hpp"
#include "import/masks.hpp"
#include "measure/combine.hpp"
#include "measure/lay_over.hpp"
#include "render/document/bench/bench_summary.hpp"
#include "render/document/run/run_summary.hpp"
#include "serialize/machine.hpp"
#include "serialize/profile.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

using imports::ImportedFile;

Result<int> list_importers() {
  std::string text;
  for (const imports::Importer& importer : imports::importers()) {
    text += fmt::format("{:18} {:24} {}\n", importer.name, importer.tool, importer.reads);
  }
  return print_screen(text).map([] { return 0; });
}

Result<std::string> read_text(const std::string& name) {
  std::error_code error;
  std::ifstream stream(name, std::ios::binary | std::ios::ate);
  if (!stream || fs::is_directory(name, error)) {
    return fail(ErrorCode::bad_input, fmt::format("cannot read {}", name),
                "name a file that another tool wrote; ridge import --from list prints which");
  }
  const auto size = static_cast<std::streamoff>(stream.tellg());
  if (size < 0) {
    return std::string(std::istreambuf_iterator<char>(stream), {});  // a pipe has no size
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.seekg(0);
  stream.read(text.data(), size);
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return text;
}

Result<std::vector<ImportedFile>> read_files(const ImportOptions& options) {
  std::vector<ImportedFile> files;
  for (const std::string& name : options.files) {
    const auto text = read_text(name);
    if (!text) {
      return tl::make_unexpected(text.error());
    }
    auto imported = imports::import_text({*text, name, options.threads}, options.from);
    if (!imported) {
      return tl::make_unexpected(imported.error());
    }
    files.push_back({name, std::move(*imported)});
  }
  return imports::apply_masks(std::move(files));
}

Result<void> check_output(const ImportOptions& options) {
  if (!options.output) {
    return {};
  }
  std::error_code error;
  if (!options.force && fs::exists(*options.output, error)) {
    return fail(ErrorCode::usage, fmt::format("{} exists", *options.output),
                "--force overwrites it.");
  }
  return check_folder_of(*options.output);
}

/// To the file, to standard output as JSON, or for people.
Result<int> hand_out(const ImportOptions& options, const std::string& json,
                     const std::string& screen) {
  if (options.output) {
    if (auto written = write_text_file(json, *options.output); !written) {
      return tl::make_unexpected(written.error());
    }
    say(fmt::format("wrote {}", *options.output));
    if (!options.json) {
      return 0;
    }
  }
  const auto printed = options.json ? print(json) : print_screen(screen);
  return printed ? Result<int>(0) : tl::make_unexpected(printed.error());
}

Result<int> import_machine(const ImportOptions& options, ImportedFile file) {
  if (options.files.size() != 1 || options.into || options.machine) {
    return fail(ErrorCode::usage, fmt::format("import: {} describes a machine", file.name),
                "Name it alone, without --into and --machine.");
  }
  const Machine machine =
      imports::machine_of(std::move(file.imported), file.name, ridge_version_text);
  return hand_out(options, serialize::write_machine(machine),
                  render::bench_summary(machine, text_style(stdout, options.ascii)));
}

Result<std::vector<measure::SourcedProfile>> profiles_of(const ImportOptions& options,
                                                         std::vector<ImportedFile> files) {
  std::optional<Machine> machine;
  if (options.machine) {
    auto read = read_machine_file(*options.machine);
    if (!read) {
      return tl::make_unexpected(read.error());
    }
    machine = std::move(*read);
  }
  std::vector<measure::SourcedProfile> profiles;
  for (ImportedFile& file : files) {
    const std::string source = file.imported.tool;
    profiles.push_back(
        {source,
         imports::profile_of(std::move(file.imported), file.name, machine, ridge_version_text),
         {}});
  }
  return profiles;
}

void say_unmatched(const std::vector<measure::UnmatchedRegion>& unmatched) {
  for (const measure::UnmatchedRegion& region : unmatched) {
    say(fmt::format("not matched: {} of {}{}", region.name, region.source,
                    region.is_ambiguous ? ", which could be several regions" : ""));
  }
}

Result<Profile> joined(const std::vector<measure::SourcedProfile>& profiles) {
  auto combined = measure::combine(profiles);
  if (!combined) {
    return tl::make_unexpected(combined.error());
  }
  say_unmatched(combined->unmatched);
  return std::move(combined->result.profile);
}

Result<Profile> lay_into(const std::string& name,
                         const std::vector<measure::SourcedProfile>& profiles) {
  auto profile = read_profile(name);
  for (const measure::SourcedProfile& measured : profiles) {
    if (!profile) {
      return profile;
    }
    measure::LaidOver laid = measure::lay_over(*profile, measured);
    for (const std::string& region : laid.laid) {
      say(fmt::format("laid on {}", region));
    }
    say_unmatched(laid.unmatched);
    profile = std::move(laid.result);
  }
  return profile;
}

}  // namespace

Result<int> run_import(const std::vector<std::string>& arguments) {
  const auto parsed = parse_import_options(arguments);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  if (!*parsed) {
    return 0;
  }
  const ImportOptions& options = **parsed;
  if (options.list) {
    return list_importers();
  }
  if (auto fine = check_output(options); !fine) {
    return tl::make_unexpected(fine.error());
  }
  auto files = read_files(options);
  if (!files) {
    return tl::make_unexpected(files.error());
  }
  const auto machine = std::find_if(files->begin(), files->end(), [](const ImportedFile& file) {
    return imports::is_machine(file.imported);
  });
  if (machine != files->end()) {
    return import_machine(options, std::move(*machine));
  }
  auto profiles = profiles_of(options, std::move(*files));
  if (!profiles) {
    return tl::make_unexpected(profiles.error());
  }
  auto profile = options.into ? lay_into(*options.into, *profiles) : joined(*profiles);
  if (!profile) {
    return tl::make_unexpected(profile.error());
  }
  const StoredResult result = evaluate("", std::move(*profile));
  return hand_out(options, serialize::write_profile(result.profile, result.prediction),
                  "\n" + render::run_summary(result.profile, result.prediction,
                                             text_style(stdout, options.ascii)));
}

}  // namespace ridge::cli
