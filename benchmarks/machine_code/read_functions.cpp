// Times reading the machine code of one file: read_functions FILE ROUNDS. One line for each step
// and round: "step seconds", then what was found. The file lies in memory.
#include <Zydis/Zydis.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <thread>
#include <vector>

#include "machine_code/decode.hpp"
#include "machine_code/elf_image.hpp"
#include "machine_code/function.hpp"
#include "machine_code/function_ranges.hpp"

using namespace ridge::machine_code;

namespace {

struct Found {
  std::uint64_t bytes = 0;
  std::uint64_t instructions = 0;
  std::uint64_t flops = 0;
  std::uint64_t loops = 0;
  std::uint64_t unknown_jumps = 0;  ///< functions with such
  std::uint64_t gaps = 0;           ///< bytes
};

template <class Step>
void timed(const char* name, Step step) {
  const auto begin = std::chrono::steady_clock::now();
  step();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  std::printf("%s %.4f\n", name, passed.count());
}

/// What Zydis needs to find instructions, without their operands: nothing can be faster.
std::uint64_t lengths(const ElfImage& image, const std::vector<FunctionRange>& ranges) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  std::uint64_t count = 0;
  for (const FunctionRange& range : ranges) {
    const auto code = image.bytes_at(range.begin, range.end - range.begin);
    for (std::size_t at = 0; code && at < code->size(); ++count) {
      ZydisDecodedInstruction decoded;
      const bool good = ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
          &decoder, nullptr, code->data() + at, code->size() - at, &decoded));
      at += good ? decoded.length : 1;
    }
  }
  return count;
}

std::uint64_t decode_all(const ElfImage& image, const std::vector<FunctionRange>& ranges) {
  std::uint64_t count = 0;
  for (const FunctionRange& range : ranges) {
    const auto code = image.bytes_at(range.begin, range.end - range.begin);
    const auto decoded =
        code ? decode(image.architecture(), *code, range.begin) : std::vector<Instruction>{};
    count += decoded ? decoded->size() : 0;
  }
  return count;
}

Found read_some(const ElfImage& image, const std::vector<FunctionRange>& ranges,
                std::atomic<std::size_t>& next) {
  constexpr std::size_t kAtOnce = 64;
  Found found;
  for (std::size_t begin = next.fetch_add(kAtOnce); begin < ranges.size();
       begin = next.fetch_add(kAtOnce)) {
    for (std::size_t i = begin; i < std::min(begin + kAtOnce, ranges.size()); ++i) {
      const auto function = read_function(image, ranges[i]);
      if (!function) {
        continue;
      }
      found.bytes += function->range.size();
      found.instructions += function->instructions.size();
      found.loops += function->loops.size();
      found.unknown_jumps += function->has_unknown_jumps ? 1 : 0;
      found.gaps += function->undecodable_bytes;
      for (const Instruction& at : function->instructions) {
        found.flops += at.flops();
      }
    }
  }
  return found;
}

Found read_all(const ElfImage& image, const std::vector<FunctionRange>& ranges, unsigned threads) {
  std::atomic<std::size_t> next{0};
  std::vector<Found> parts(threads);
  std::vector<std::thread> running;
  for (unsigned i = 0; i < threads; ++i) {
    running.emplace_back([&, i] { parts[i] = read_some(image, ranges, next); });
  }
  Found sum;
  for (unsigned i = 0; i < threads; ++i) {
    running[i].join();
    sum.bytes += parts[i].bytes;
    sum.instructions += parts[i].instructions;
    sum.flops += parts[i].flops;
    sum.loops += parts[i].loops;
    sum.unknown_jumps += parts[i].unknown_jumps;
    sum.gaps += parts[i].gaps;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  std::ifstream stream(argc > 1 ? argv[1] : "/proc/self/exe", std::ios::binary);
  const std::vector<std::uint8_t> file{std::istreambuf_iterator<char>(stream),
                                       std::istreambuf_iterator<char>()};
  Found found;
  std::size_t functions = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<FunctionRange> ranges;
    const auto image = ElfImage::read(file);
    if (!image) {
      std::fprintf(stderr, "%s\n", image.error().message.c_str());
      return EXIT_FAILURE;
    }
    timed("ranges", [&] { ranges = function_ranges(*image).value_or(ranges); });
    functions = ranges.size();
    std::uint64_t count = 0;
    timed("floor", [&] { count = lengths(*image, ranges); });
    timed("decode", [&] { count = decode_all(*image, ranges); });
    timed("functions-1-thread", [&] { found = read_all(*image, ranges, 1); });
    timed("functions-2-threads", [&] { found = read_all(*image, ranges, 2); });
  }
  std::printf("= functions %zu\n= bytes %lu\n= instructions %lu\n= flops %lu\n= loops %lu\n",
              functions, found.bytes, found.instructions, found.flops, found.loops);
  std::printf("= functions_with_unknown_jumps %lu\n= undecodable_bytes %lu\n", found.unknown_jumps,
              found.gaps);
  return EXIT_SUCCESS;
}
