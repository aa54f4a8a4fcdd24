// The wording of a module, in one golden file: the sentences that named cases produce. Other tests
// of the module assert facts, so that a better wording changes this file alone.
// RIDGE_UPDATE_GOLDEN=1 in the environment writes it anew; look at the difference before committing
// it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/result.hpp"

namespace ridge::tests {

/// Cases in the order in which they are added. In the file each is a line with its name and, below,
/// what is said. The hint of an error stands where it is not that of the error before.
class Sentences {
 public:
  /// From now on its path reads FOLDER: it differs from run to run.
  void call_folder(const std::filesystem::path& folder) { folder_ = folder; }

  /// Fails the running test where the name has been used or nothing is said.
  void add(std::string_view name, std::string_view sentence) {
    const std::string line = printable(name);
    EXPECT_TRUE(names_.insert(line).second) << "two cases are called " << line;
    EXPECT_FALSE(sentence.empty()) << line << ": nothing is said";
    text_ += line + '\n' + indented(std::string(sentence));
  }

  void add(std::string_view name, const Error& error) {
    add(name, error.message);
    if (error.hint != last_hint_) {
      text_ += indented(error.hint.empty() ? "no hint" : "hint: " + error.hint);
      last_hint_ = error.hint;
    }
  }

  /// Fails the running test where there is no error.
  template <class T>
  void add(std::string_view name, const Result<T>& refused) {
    if (refused) {
      ADD_FAILURE() << name << " is not refused";
    } else {
      add(name, refused.error());
    }
  }

  /// Fails the running test where the file, named from the module's folder, says anything else.
  void expect_golden(const std::string& path) const {
    const char* update = std::getenv("RIDGE_UPDATE_GOLDEN");
    if (update != nullptr && std::string_view(update) == "1") {
      std::ofstream(path, std::ios::binary) << text_;
    }
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file) << path << " is missing; write it with RIDGE_UPDATE_GOLDEN=1";
    const std::string wanted{std::istreambuf_iterator<char>(file), {}};
    EXPECT_TRUE(text_ == wanted) << path << first_difference(wanted)
                                 << "If the new wording is wanted, run with RIDGE_UPDATE_GOLDEN=1 "
                                 << "and look at the change.";
  }

 private:
  /// Names quote hostile input.
  static std::string printable(std::string_view name) {
    std::string line;
    for (const char c : name) {
      const auto byte = static_cast<unsigned char>(c);
      line += byte < 0x20 || byte > 0x7e ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  }

  [[nodiscard]] std::string indented(std::string sentence) const {
    for (auto at = sentence.find(folder_); !folder_.empty() && at != std::string::npos;
         at = sentence.find(folder_, at)) {
      sentence.replace(at, folder_.size(), "FOLDER");
    }
    std::string lines;
    std::istringstream rest(sentence);
    for (std::string line; std::getline(rest, line);) {
      lines += (line.empty() ? line : "  " + line) + '\n';
    }
    return lines;
  }

  [[nodiscard]] std::string first_difference(const std::string& wanted) const {
    std::istringstream golden(wanted);
    std::istringstream now(text_);
    std::string in_golden;
    std::string in_now;
    std::string name;
    int line = 0;
    do {
      name = in_golden.starts_with("  ") || in_golden.empty() ? name : in_golden;
      ++line;
      in_golden.clear();
      in_now.clear();
      std::getline(golden, in_golden);
      std::getline(now, in_now);
    } while (in_golden == in_now && (golden || now));
    return fmt::format(":{}: after {}\nwas: {}\nnow: {}\n", line, name, in_golden, in_now);
  }

  std::string folder_;
  std::set<std::string> names_;
  std::string last_hint_;
  std::string text_;
};

}  // namespace ridge::tests
