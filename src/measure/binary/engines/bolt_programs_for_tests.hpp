// Programs whose counts are known, and what the engine says of them. For tests only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "machine_code/decode.hpp"
#include "machine_code/elf_image.hpp"
#include "measure/binary/engines/bolt.hpp"
#include "measure/binary/record/executed_modules.hpp"
#include "measure/code/mapped_file.hpp"
#include "platform/process.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::measure::binary::tests {

/// libridge_bolt_runtime.a of this build; empty where there is none.
inline std::filesystem::path bolt_runtime() {
  const auto bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto library = bin.parent_path() / "lib" / "ridge" / "libridge_bolt_runtime.a";
  return std::filesystem::exists(library) ? library : std::filesystem::path{};
}

/// A program that is built, instrumented and run.
class CountedProgram {
 public:
  /// `compiler`: "g++ -O2 ...". Whether it was built.
  bool build(std::string_view source, std::vector<std::string> compiler,
             std::string_view suffix = ".cpp") {
    const auto file = folder_.write("program" + std::string(suffix), source);
    compiler.insert(compiler.end(), {"-o", program(), file.string()});
    const auto built = platform::run_and_capture(compiler);
    return built && built->status.shell_code() == 0;
  }

  [[nodiscard]] std::string program() const { return folder_.path("program").string(); }

  Result<BoltProgram> prepare() {
    const auto target = folder_.path("bolt");
    std::filesystem::create_directories(target);
    return prepare_bolt(program(), target, bolt_runtime());
  }

  /// Prepares, runs and reads. The error, else empty.
  std::string run(const std::vector<std::string>& arguments) {
    const auto prepared = prepare();
    if (!prepared) {
      return prepared.error().message;
    }
    platform::ProcessOptions options;
    options.arguments = arguments;
    options.arguments.insert(options.arguments.begin(), prepared->instrumented);
    options.environment = prepared->environment;
    auto process = platform::Process::start(options);
    if (!process) {
      return process.error().message;
    }
    status = process->wait();
    const auto read = read_bolt_records(*prepared);
    if (!read) {
      return read.error().message;
    }
    for (const BoltRecord& each : *read) {
      auto record = read_record(std::as_bytes(std::span(each.bytes)));
      if (!record) {
        return record.error().message;
      }
      records.push_back(*std::move(record));
    }
    return {};
  }

  /// Of the first instruction of the function, over all records.
  [[nodiscard]] std::uint64_t entries(std::string_view function) const {
    const MappedFile file(program());
    const auto image = machine_code::ElfImage::read(file.bytes());
    return image ? module(file).executions_at(symbol(*image, function).address) : 0;
  }

  /// Of all instructions of the function, masked lanes too.
  [[nodiscard]] std::uint64_t flops(std::string_view function) const {
    const MappedFile file(program());
    const auto image = machine_code::ElfImage::read(file.bytes());
    if (!image) {
      return 0;
    }
    const auto at = symbol(*image, function);
    std::uint64_t sum = 0;
    for (const ExecutedInstruction& each : module(file).instructions) {
      if (each.address >= at.address && each.address - at.address < at.size) {
        const auto code = machine_code::decode(
            image->architecture(), std::span(each.code).first(each.length), each.address);
        sum += each.executions * code.value().front().flops();
      }
    }
    return sum;
  }

  [[nodiscard]] bool is_uncounted(std::string_view function) const {
    return std::any_of(records.begin(), records.end(), [&](const Record& record) {
      return std::find(record.uncounted.begin(), record.uncounted.end(), function) !=
             record.uncounted.end();
    });
  }

  platform::ExitStatus status;
  std::vector<Record> records;

 private:
  static machine_code::FunctionSymbol symbol(const machine_code::ElfImage& image,
                                             std::string_view name) {
    for (const machine_code::FunctionSymbol& each : image.function_symbols()) {
      if (each.name == name) {
        return each;
      }
    }
    return {};
  }

  [[nodiscard]] ExecutedModule module(const MappedFile& file) const {
    for (ExecutedModule& each :
         executed_modules(records, [&](const std::string&) { return file.bytes(); })) {
      if (each.path == program()) {
        return std::move(each);
      }
    }
    return {};
  }

  ridge::tests::TemporaryFolder folder_;
};

}  // namespace ridge::measure::binary::tests
