// A folder with results, gone at the end.
#pragma once

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace ridge::serve::testing {

class Folder {
 public:
  Folder() {
    static std::atomic<int> count{0};
    path = std::filesystem::temp_directory_path() /
           ("ridge-serve-test-" + std::to_string(getpid()) + "-" + std::to_string(++count));
    std::filesystem::create_directories(path);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  /// A text that can be read as a profile.
  static std::string good() {
    std::ifstream stream("../serialize/testdata/profile-heat2d.json");
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
  void result(const std::string& name) const { write(name + "/profile.json", good()); }

  std::filesystem::path path;
};

}  // namespace ridge::serve::testing
