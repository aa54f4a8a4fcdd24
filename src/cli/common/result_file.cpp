#include "cli/common/result_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/common/results_below.hpp"
#include "predict/findings/predict.hpp"
#include "serialize/machine.hpp"
#include "serialize/microarchitecture.hpp"
#include "serialize/profile.hpp"
#include "serialize/schema_name.hpp"
#include "serialize/sparse_study.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMachineSchema = "ridge.machine/1";
constexpr const char* kStudySchema = "ridge.spmv/1";

struct ResultText {
  std::string path;
  std::string text;
};

tl::unexpected<Error> no_result(const std::string& name, const fs::path& path) {
  constexpr std::size_t kMostNamed = 3;
  std::error_code error;
  const auto below =
      path == name || fs::exists(path, error) ? std::vector<std::string>() : results_below(name);
  if (below.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("cannot read the result {}", path.string()),
                "name the folder that `ridge run` wrote (ridge-out), or its profile.json");
  }
  std::string names;
  for (std::size_t i = 0; i < std::min(below.size(), kMostNamed); ++i) {
    names += (i == 0 ? "" : ", ") + below[i];
  }
  if (below.size() > kMostNamed) {
    names += fmt::format(" and {} more", below.size() - kMostNamed);
  }
  return fail(ErrorCode::bad_input, fmt::format("{} is no result: it has no profile.json", name),
              fmt::format("Below it lie: {}. `ridge report {}` lists them.", names, name));
}

/// All that Ridge stores is an object. What begins otherwise is another tool's, or a wrong name.
Result<void> check_is_json(const ResultText& file) {
  const auto start = file.text.find_first_not_of(" \t\r\n");
  if (start != std::string::npos && (file.text[start] == '{' || file.text[start] == '[')) {
    return {};
  }
  return fail(ErrorCode::bad_input,
              fmt::format("{} is {}", file.path, start == std::string::npos ? "empty" : "not JSON"),
              "Results are JSON: what `ridge run`, `ridge bench` and `ridge spmv -o` write. `ridge "
              "import` reads files of other tools.");
}

/// At once where the size is known: files of long runs have tens of megabytes.
std::string read_all(std::istream& stream, const fs::path& path) {
  std::error_code unknown;  // of a pipe
  const auto size = fs::file_size(path, unknown);
  std::string text(unknown ? 0 : size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text.append(std::istreambuf_iterator<char>(stream), {});
}

Result<ResultText> read_text(const std::string& name) {
  std::error_code error;
  const fs::path path =
      fs::is_directory(name, error) ? fs::path(name) / kProfileFile : fs::path(name);
  std::ifstream stream(path, std::ios::binary);
  if (!stream || fs::is_directory(path, error)) {
    return no_result(name, path);
  }
  ResultText file{path.string(), read_all(stream, path)};
  if (auto fine = check_is_json(file); !fine) {
    return tl::make_unexpected(fine.error());
  }
  return file;
}

/// "a/b/ridge-out/profile.json" -> {"a", "b", "ridge-out"}; relative dots are resolved.
std::vector<std::string> components_of(const std::string& name) {
  fs::path path = fs::absolute(name).lexically_normal();
  if (!path.has_filename()) {
    path = path.parent_path();
  }
  if (path.filename() == kProfileFile) {
    path = path.parent_path();
  } else if (path.extension() == ".json") {
    path.replace_extension();
  }
  std::vector<std::string> components;
  for (const fs::path& component : path) {
    if (component != "/") {
      components.push_back(component.string());
    }
  }
  return components;
}

std::string last_components(const std::vector<std::string>& components, std::size_t count) {
  std::string text;
  for (std::size_t i = components.size() - std::min(count, components.size());
       i < components.size(); ++i) {
    text += (text.empty() ? "" : "/") + components[i];
  }
  return text;
}

}  // namespace

StoredResult evaluate(std::string label, Profile profile, Derive derive) {
  StoredResult result{std::move(label), std::move(profile), {}};
  const Microarchitecture* cpu =
      find_microarchitecture(serialize::known_microarchitectures(), result.profile.machine.cpu);
  result.prediction = derive == Derive::bounds ? predict::predict_bounds(result.profile, cpu)
                                               : predict::predict(result.profile, cpu);
  return result;
}

Result<Profile> read_profile(const std::string& name) {
  const auto file = read_text(name);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  return serialize::parse_profile(file->text, file->path);
}

Result<StoredResult> read_result(const std::string& name, std::string label) {
  auto profile = read_profile(name);
  if (!profile) {
    return tl::make_unexpected(profile.error());
  }
  return evaluate(std::move(label), std::move(*profile));
}

Result<Stored> read_stored(const std::string& name, std::string label, Derive derive) {
  const auto file = read_text(name);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  return parse_stored(file->text, file->path, std::move(label), derive);
}

Result<Stored> parse_stored(std::string_view text, const std::string& path, std::string label,
                            Derive derive) {
  const auto document = serialize::parse_any(text, path);
  if (!document) {
    return tl::make_unexpected(document.error());
  }
  const auto schema = serialize::schema_name(*document, path);
  if (!schema) {
    return tl::make_unexpected(schema.error());
  }
  if (*schema == kMachineSchema) {
    return serialize::machine_from(*document, path).map([&](Machine machine) -> Stored {
      return StoredMachine{std::move(label), std::move(machine)};
    });
  }
  if (*schema == kStudySchema) {
    return serialize::sparse_study_from(*document, path).map([](SparseStudy study) -> Stored {
      return StoredStudy{std::move(study)};
    });
  }
  return serialize::profile_from(*document, path).map([&](Profile profile) -> Stored {
    return evaluate(std::move(label), std::move(profile), derive);
  });
}

std::vector<std::string> labels_of(const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> components;
  std::size_t longest = 1;
  for (const std::string& name : names) {
    components.push_back(components_of(name));
    longest = std::max(longest, components.back().size());
  }
  std::vector<std::string> labels(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t count = 1; count <= longest; ++count) {
      labels[i] = last_components(components[i], count);
      const bool unique =
          std::none_of(components.begin(), components.end(), [&](const auto& other) {
            return other != components[i] && last_components(other, count) == labels[i];
          });
      if (unique) {
        break;
      }
    }
  }
  std::set<std::string> taken;
  for (std::string& label : labels) {
    const std::string base = label;
    for (int number = 2; !taken.insert(label).second; ++number) {
      label = fmt::format("{} ({})", base, number);
    }
  }
  return labels;
}

}  // namespace ridge::cli
