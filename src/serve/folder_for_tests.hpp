// A folder with results, gone at the end.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/temporary_folder.hpp"

namespace ridge::serve::testing {

class Folder {
 public:
  /// A text that can be read as a profile.
  static std::string good() {
    std::ifstream stream("../serialize/testdata/profile-heat2d.json");
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  void write(const std::string& name, const std::string& text) const {
    temporary_.write(name, text);
  }
  void result(const std::string& name) const { write(name + "/profile.json", good()); }

 private:
  const tests::TemporaryFolder temporary_;

 public:
  const std::filesystem::path path = temporary_.path();
};

}  // namespace ridge::serve::testing
