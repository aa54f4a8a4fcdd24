#include "cli/modelling/model_request.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace ridge::cli {
namespace {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

std::optional<Sizes> sizes_from(std::string_view text) {
  Sizes sizes;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    const std::size_t equals = part.find('=');
    const auto value = equals == std::string_view::npos
                           ? std::nullopt
                           : number_of<std::int64_t>(part.substr(equals + 1));
    if (!value) {
      return std::nullopt;
    }
    sizes[std::string(part.substr(0, equals))] = *value;
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return sizes;
}

/// Whether the word is known and its value can be read.
bool take(ModelRequest& request, const std::string& word, const std::string& value) {
  if (word == "--file") {
    request.file = value;
  } else if (word == "--machine") {
    request.machine = value;
  } else if (word == "--directory") {
    request.directory = value;
  } else if (word == "--function") {
    request.function = value;
  } else if (word == "--line") {
    request.line = number_of<unsigned>(value);
    return request.line.has_value();
  } else if (word == "--size") {
    const auto sizes = sizes_from(value);
    request.sizes.push_back(sizes.value_or(Sizes()));
    return sizes.has_value();
  } else if (word == "--index") {
    const std::size_t equals = value.find('=');
    request.index_files[value.substr(0, equals)] =
        equals == std::string::npos ? std::string() : value.substr(equals + 1);
    return equals != std::string::npos;
  } else if (word == "--cpu") {
    request.cpu = value;
  } else if (word == "--traffic") {
    request.by_conditions = value != "simulation";
    request.by_simulation = value != "conditions";
  } else if (word == "--run") {
    request.runs = value == "yes";
  } else if (word == "--cores") {
    request.cores = number_of<unsigned>(value).value_or(0);
    return request.cores > 0;
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> words_of(const ModelRequest& request) {
  std::vector<std::string> words{"--file", request.file, "--machine", request.machine};
  const auto add = [&](const char* name, const std::string& value) {
    words.emplace_back(name);
    words.push_back(value);
  };
  if (!request.directory.empty()) {
    add("--directory", request.directory);
  }
  if (request.function) {
    add("--function", *request.function);
  }
  if (request.line) {
    add("--line", std::to_string(*request.line));
  }
  for (const Sizes& sizes : request.sizes) {
    add("--size", sizes_text(sizes));
  }
  for (const auto& [array, file] : request.index_files) {
    add("--index", array + "=" + file);
  }
  if (request.cpu) {
    add("--cpu", *request.cpu);
  }
  add("--traffic", !request.by_simulation   ? "conditions"
                   : !request.by_conditions ? "simulation"
                                            : "both");
  add("--run", request.runs ? "yes" : "no");
  add("--cores", std::to_string(request.cores));
  words.emplace_back("--");
  words.insert(words.end(), request.flags.begin(), request.flags.end());
  return words;
}

Result<ModelRequest> model_request_from(const std::vector<std::string>& words) {
  ModelRequest request;
  const auto dashes = std::find(words.begin(), words.end(), "--");
  for (auto word = words.begin(); word != dashes; word += 2) {
    if (dashes - word < 2 || !take(request, *word, *(word + 1))) {
      return fail(ErrorCode::usage, fmt::format("ridge-model: bad option {}", *word),
                  "`ridge model` starts it: both must be of one version");
    }
  }
  if (dashes != words.end()) {
    request.flags.assign(dashes + 1, words.end());
  }
  if (request.file.empty()) {
    return fail(ErrorCode::usage, "ridge-model: no file", "start it by `ridge model FILE`");
  }
  if (request.sizes.empty()) {
    request.sizes.emplace_back();
  }
  return request;
}

}  // namespace ridge::cli
