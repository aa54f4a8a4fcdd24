#include "measure/binary/program_file.hpp"

#include <array>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "measure/run/program_check.hpp"
#include "platform/process.hpp"

namespace ridge::measure::binary {
namespace {

/// Interpreters of interpreters; the kernel takes at most five.
constexpr int kMostScripts = 5;

std::string first_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line(256, '\0');
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(file.gcount()));
  return line.substr(0, line.find('\n'));
}

/// "#!/usr/bin/env python3" names env, which looks for python3 itself.
std::string interpreter_of(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t", 2);
  if (begin == std::string::npos) {
    return {};
  }
  const std::size_t end = line.find_first_of(" \t\r", begin);
  const std::string interpreter = line.substr(begin, end == std::string::npos ? end : end - begin);
  if (interpreter.ends_with("/env") && end != std::string::npos) {
    const std::size_t word = line.find_first_not_of(" \t", end);
    if (word != std::string::npos && line[word] != '-') {
      const std::size_t behind = line.find_first_of(" \t\r", word);
      const auto found = platform::find_program(
          line.substr(word, behind == std::string::npos ? behind : behind - word));
      return found ? *found : interpreter;
    }
  }
  return interpreter;
}

tl::unexpected<Error> not_for_us(const std::string& path, std::string_view what) {
  return fail(ErrorCode::bad_input, fmt::format("{} {}", path, what),
              "Ridge measures 64-bit programs for x86-64.");
}

Result<void> check_header(const std::string& path) {
  Elf64_Ehdr header{};
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return not_for_us(path, "is no program that Ridge can read");
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64) {
    return not_for_us(path, "is a 32-bit program");
  }
  if (header.e_machine != EM_X86_64) {
    return not_for_us(path, "is a program for another processor");
  }
  return {};
}

Result<void> check_owner(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0 || (status.st_mode & (S_ISUID | S_ISGID)) == 0) {
    return {};
  }
  const bool is_mine = (status.st_mode & S_ISUID) == 0 || status.st_uid == geteuid();
  if (is_mine && (status.st_mode & S_ISGID) == 0) {
    return {};
  }
  return fail(
      ErrorCode::bad_input,
      fmt::format("{} takes other rights when it starts (setuid or setgid), so it cannot be "
                  "watched",
                  path),
      "Measure a copy without that bit.");
}

/// Of instrumented programs the other source knows what is wrong.
Result<void> check_instrumentation(const std::string& path) {
  const auto notes = read_notes(path);
  return notes && !notes->empty() ? check_program(path) : Result<void>{};
}

}  // namespace

std::string program_that_runs(const std::string& path) {
  std::string program = path;
  for (int i = 0; i < kMostScripts; ++i) {
    const std::string line = first_line(program);
    if (!line.starts_with("#!")) {
      break;
    }
    const std::string interpreter = interpreter_of(line);
    if (interpreter.empty()) {
      break;
    }
    program = interpreter;
  }
  return program;
}

Result<void> check_program_file(const std::string& path) {
  const std::string program = program_that_runs(path);
  if (auto fine = check_header(program); !fine) {
    return fine;
  }
  if (auto fine = check_owner(program); !fine) {
    return fine;
  }
  return check_instrumentation(program);
}

}  // namespace ridge::measure::binary
