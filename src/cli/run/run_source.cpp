#include "cli/run/run_source.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/nearest_names.hpp"

namespace ridge::cli {
namespace {

tl::unexpected<Error> unknown(const std::string& name, std::span<const measure::Source> sources) {
  std::vector<std::string> names;
  for (const measure::Source& source : sources) {
    names.emplace_back(source.name);
  }
  return fail(ErrorCode::usage, fmt::format("run: there is no source `{}`", name),
              fmt::format("{}Known are: {}. `ridge run --source list` explains them.",
                          did_you_mean(name, names), fmt::join(names, ", ")));
}

std::string words_of(const measure::Capabilities& can) {
  std::vector<std::string_view> words;
  if (can.counts) {
    words.emplace_back("work");
  }
  if (can.times) {
    words.emplace_back("time");
  }
  if (can.simulates) {
    words.emplace_back("simulated traffic");
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

struct Language {
  std::string_view suffix;
  std::string_view compiler;  ///< empty: Ridge has none for it
};

constexpr std::array<Language, 15> kLanguages{{{".c", "ridge-cc"},
                                               {".cc", "ridge-c++"},
                                               {".cpp", "ridge-c++"},
                                               {".cxx", "ridge-c++"},
                                               {".c++", "ridge-c++"},
                                               {".C", "ridge-c++"},
                                               {".f", ""},
                                               {".for", ""},
                                               {".f90", ""},
                                               {".f03", ""},
                                               {".f08", ""},
                                               {".F", ""},
                                               {".F90", ""},
                                               {".cu", ""},
                                               {".hip", ""}}};

/// The name says a language, and what the file holds is neither a program nor a script.
const Language* language_of(const std::filesystem::path& file) {
  const auto* found = std::find_if(kLanguages.begin(), kLanguages.end(), [&](const Language& one) {
    return file.extension() == one.suffix;
  });
  std::error_code error;
  if (found == kLanguages.end() || !std::filesystem::is_regular_file(file, error)) {
    return nullptr;
  }
  std::array<char, 4> start{};
  std::ifstream(file, std::ios::binary).read(start.data(), start.size());
  const std::string_view bytes(start.data(), start.size());
  return bytes == "\x7f"
                  "ELF" ||
                 bytes.starts_with("#!")
             ? nullptr
             : found;
}

Result<void> refuse_source_text(const std::string& program) {
  const std::filesystem::path file(program);
  const Language* language = language_of(file);
  if (language == nullptr) {
    return {};
  }
  if (language->compiler.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{} is source text, not a program", program),
                "Ridge compiles C and C++ alone.");
  }
  const std::string name = file.stem().string();
  return fail(ErrorCode::bad_input, fmt::format("{} is source text, not a program", program),
              fmt::format("Build it first: {} -O3 {} -o {}; then: ridge run -- ./{}",
                          language->compiler, program, name, name));
}

}  // namespace

Result<const measure::Source*> source_for(const std::optional<std::string>& name,
                                          std::span<const measure::Source> sources,
                                          const measure::Request& request) {
  if (auto fine =
          refuse_source_text(request.arguments.empty() ? std::string() : request.arguments.front());
      !fine) {
    return tl::make_unexpected(fine.error());
  }
  if (!name) {
    return measure::choose_source(sources, request);
  }
  const measure::Source* source = measure::find_source(sources, *name);
  if (source == nullptr) {
    return unknown(*name, sources);
  }
  return measure::check_source(*source, request).map([&] { return source; });
}

std::string source_list(std::span<const measure::Source> sources) {
  std::string text = "Sources, in the order in which they are tried:\n";
  for (const measure::Source& source : sources) {
    text += fmt::format("\n  {}\n    {}\n    gives: {}\n    needs: {}\n", source.name,
                        source.summary, words_of(source.capabilities), source.needs);
  }
  return text;
}

}  // namespace ridge::cli
