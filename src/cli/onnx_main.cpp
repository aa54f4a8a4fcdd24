// ridge-onnx FILE [--batch N] [-D NAME=N]...: an ONNX model as ridge.tensor-graph/1 on standard
// output. A program of its own, because protobuf and ONNX cost more at start than all of `ridge`,
// and because they read what strangers made: whatever happens here ends here.
//
// On an error: the message in the first line of standard error, the hint in the second, and the
// exit code of the error.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <fmt/core.h>

#include "predict/onnx/reader.hpp"
#include "serialize/tensor_graph.hpp"

namespace ridge::cli {
namespace {

constexpr rlim_t kMostCpuSeconds = 30;

int report(const Error& error) {
  const auto one_line = [](std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  };
  fmt::print(stderr, "{}\n{}\n", one_line(error.message), one_line(error.hint));
  return error.exit_code();
}

/// A file that is looked at, not copied: models have gigabytes.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path) {
    const auto refuse = [&](std::string_view why) {
      return fail(ErrorCode::bad_input, fmt::format("{}: {}", path, why));
    };
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
      return refuse(std::strerror(errno));
    }
    struct stat status{};
    const bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    MappedFile mapped;
    if (regular && status.st_size > 0) {
      mapped.size_ = static_cast<std::size_t>(status.st_size);
      mapped.data_ = mmap(nullptr, mapped.size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    close(file);
    if (!regular) {
      return refuse("is no file");
    }
    if (mapped.data_ == MAP_FAILED) {
      return refuse(std::strerror(errno));
    }
    return mapped;
  }

  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile() {
    if (size_ > 0) {
      munmap(data_, size_);
    }
  }

  [[nodiscard]] std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  MappedFile() = default;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A model that asks for more than this is refused, whatever it is.
void limit_resources(std::size_t file_size) {
#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes
  constexpr rlim_t kMostMemory = rlim_t{3} << 30;
  const rlim_t memory = kMostMemory + file_size;
  const rlimit address_space{memory, memory};
  setrlimit(RLIMIT_AS, &address_space);
#else
  static_cast<void>(file_size);
#endif
  const rlimit cpu{kMostCpuSeconds, kMostCpuSeconds + 1};
  setrlimit(RLIMIT_CPU, &cpu);
  const rlimit core{0, 0};
  setrlimit(RLIMIT_CORE, &core);
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(size)
                                                                  : std::nullopt;
}

/// Words behind the file; `ridge predict` has checked what users type.
Result<predict::DimensionSizes> parse_sizes(const std::vector<std::string>& words) {
  predict::DimensionSizes sizes;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string& value = words[i + 1];
    const std::size_t equals = value.rfind('=');
    const bool is_batch = words[i] == "--batch";
    const auto size = parse_size(
        std::string_view(value).substr(is_batch || equals == std::string::npos ? 0 : equals + 1));
    if (!size || (!is_batch && (words[i] != "-D" || equals == std::string::npos || equals == 0))) {
      return fail(ErrorCode::usage, fmt::format("ridge-onnx: bad option {} {}", words[i], value));
    }
    if (is_batch) {
      sizes.batch = size;
    } else {
      sizes.named[value.substr(0, equals)] = *size;
    }
  }
  return sizes;
}

int run(const std::vector<std::string>& words) {
  if (words.empty() || words.size() % 2 == 0) {
    return report({ErrorCode::usage, "usage: ridge-onnx FILE [--batch N] [-D NAME=N]...", ""});
  }
  const auto sizes = parse_sizes({words.begin() + 1, words.end()});
  if (!sizes) {
    return report(sizes.error());
  }
  const auto file = MappedFile::open(words[0]);
  if (!file) {
    return report(file.error());
  }
  limit_resources(file->bytes().size());
  const auto graph = predict::read_onnx(file->bytes(), words[0], *sizes);
  if (!graph) {
    return report(graph.error());
  }
  const std::string text = serialize::write_tensor_graph(*graph);
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0
             ? 0
             : report({ErrorCode::write_failed, "standard output cannot be written", ""});
}

}  // namespace
}  // namespace ridge::cli

int main(int argc, char** argv) {
  using ridge::cli::report;
  try {
    return ridge::cli::run({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    return report({ridge::ErrorCode::bad_input, "the model needs more memory than a model should",
                   "it may be made to do so; give a part of it"});
  } catch (const std::exception& problem) {
    return report({ridge::ErrorCode::bad_input, problem.what(), "export the model again"});
  }
}
