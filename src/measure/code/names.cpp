#include "measure/code/names.hpp"

#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <memory>
#include <utility>

#include "measure/code/fortran_names.hpp"

namespace ridge::measure {
namespace {

constexpr std::size_t kDemangleMax = 8192;  ///< the demangler's output may grow exponentially
constexpr std::string_view kOperator = "operator";
constexpr std::string_view kAnonymous = "(anonymous namespace)";

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool starts_operator(std::string_view text, std::size_t at) {
  const std::size_t end = at + kOperator.size();
  return text.substr(at).starts_with(kOperator) && (at == 0 || !is_word(text[at - 1])) &&
         (end == text.size() || !is_word(text[end]));
}

/// Where the name of the operator at `at` ends: behind "operator()", "operator<<", "operator
/// new[]", "operator unsigned int" ...
std::size_t skip_operator(std::string_view text, std::size_t at) {
  std::size_t end = at + kOperator.size();
  if (text.substr(end).starts_with("()")) {
    return end + 2;
  }
  if (end < text.size() && text[end] == ' ') {  // a conversion, new, delete, co_await, ""_suffix
    const auto parenthesis = text.find('(', end);
    return parenthesis == std::string_view::npos ? text.size() : parenthesis;
  }
  while (end < text.size() && text[end] != '(' && !is_word(text[end]) &&
         !(text[end] == '<' && end > at + kOperator.size() && text[end - 1] != '<')) {
    ++end;
  }
  return end;
}

/// The position behind the bracket that closes the one at `open`; npos when there is none.
std::size_t skip_brackets(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (starts_operator(text, i)) {
      i = skip_operator(text, i) - 1;
      continue;
    }
    const char c = text[i];
    if (c == '(' || c == '<' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}' || (c == '>' && text[i - 1] != '-')) {
      --depth;
    }
    if (depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

std::string demangle(const std::string& linkage_name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(linkage_name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : std::string{};
}

}  // namespace

std::string qualified_name(std::string_view demangled) {
  std::size_t begin = 0;
  std::size_t i = 0;
  while (i < demangled.size()) {
    if (starts_operator(demangled, i)) {
      i = skip_operator(demangled, i);
      continue;
    }
    const char c = demangled[i];
    if (c == ' ') {
      begin = i + 1;  // what came before was the return type
      ++i;
    } else if (c == '(' || c == '<' || c == '[' || c == '{') {
      const std::size_t end = skip_brackets(demangled, i);
      if (end == std::string_view::npos) {
        return std::string(demangled);
      }
      // Parameters of an enclosing function and "(anonymous namespace)" go on with "::".
      const bool is_parameters = c == '(' && !demangled.substr(end).starts_with("::") &&
                                 !demangled.substr(end).starts_with(" const::") &&
                                 !demangled.substr(i).starts_with(kAnonymous);
      if (is_parameters && i > begin) {
        return std::string(demangled.substr(begin, i - begin));
      }
      i = demangled.substr(end).starts_with(" const::") ? end + 6 : end;
    } else {
      ++i;
    }
  }
  return std::string(demangled.substr(begin));
}

std::string readable_name(std::string_view linkage_name) {
  if (auto fortran = fortran_name(linkage_name)) {
    return std::move(*fortran);
  }
  const std::string base(linkage_name.substr(0, linkage_name.find('.', 1)));
  if (base.starts_with("_Z") && base.size() <= kDemangleMax) {
    const std::string demangled = demangle(base);
    return demangled.empty() ? base : qualified_name(demangled);
  }
  return base;
}

const std::string& NameTable::readable(std::string_view linkage_name) {
  const auto [entry, is_new] = names_.try_emplace(std::string(linkage_name));
  if (is_new) {
    entry->second = readable_name(linkage_name);
  }
  return entry->second;
}

std::string_view file_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string source_path(std::string_view directory, std::string_view file) {
  if (file.empty() || file.front() == '/' || directory.empty()) {
    return std::filesystem::path(file).lexically_normal();
  }
  return (std::filesystem::path(directory) / file).lexically_normal();
}

}  // namespace ridge::measure
