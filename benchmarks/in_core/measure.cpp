// Cycles of functions `double f(double*, double*, double*, double*, int*, long)` of a shared
// object, and which instructions they run how often: the difference of two lengths of the arrays,
// all in L1.
//
//     in_core_measure LIBRARY NAME...
//
// Prints a JSON object a line. Cycles are those of the core: the clock is held against a chain of
// multiplications, three cycles each, that runs between the calls. Steps are those of a child that
// is run one instruction at a time.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <string>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
#include <x86intrin.h>

namespace {

using Kernel = double (*)(double*, double*, double*, double*, int*, long);

constexpr long kShort = 1024;
constexpr long kLong = 6144;
constexpr long kFewer = 512;  ///< to be run one by one
constexpr long kFew = 256;
constexpr int kMultiplications = 400;
constexpr int kMultiplicationCycles = 3;
constexpr int kRounds = 100;
constexpr int kRuns = 12;

/// Arrays of up to 64 KiB whose addresses lead to few pages again and again, so that long loops
/// stay in L1: loops of few passes end well predicted, and longer ones do not. Those that are read
/// begin a little further on in their pages than the one that is written: a load that runs behind a
/// store to the same place of a page waits for it.
class Arrays {
 public:
  Arrays() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      auto* const values = reinterpret_cast<double*>(map_again_and_again());
      for (std::size_t k = 0; k < kFolded / sizeof(double); ++k) {
        values[k] = 1.0 + static_cast<double>(k % 97) / 128.0;
      }
      all_[i] = values + (kApart * (i + 1) + kFolded) / sizeof(double);
    }
    indices_ = reinterpret_cast<int*>(map_again_and_again());
    for (std::size_t k = 0; k < kFolded / sizeof(int); ++k) {
      indices_[k] = static_cast<int>((k * 37) % 509);
    }
  }
  double run(Kernel kernel, long n) {
    return kernel(all_[0], all_[1], all_[2], all_[3], indices_, n);
  }

 private:
  static constexpr std::size_t kFolded = 8192;
  static constexpr std::size_t kTimes = 10;
  static constexpr std::size_t kApart = 64;

  static void* map_again_and_again() {
    const int file = memfd_create("array", 0);
    auto* const base = static_cast<char*>(
        mmap(nullptr, kTimes * kFolded, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (file < 0 || ftruncate(file, kFolded) != 0 || base == MAP_FAILED) {
      std::perror("no memory for the arrays");
      std::exit(1);
    }
    for (std::size_t i = 0; i < kTimes; ++i) {
      if (mmap(base + i * kFolded, kFolded, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
               0) == MAP_FAILED) {
        std::perror("no memory for the arrays");
        std::exit(1);
      }
    }
    close(file);
    return base;
  }

  std::array<double*, 4> all_{};
  int* indices_ = nullptr;
};

volatile double sink = 0.0;

std::uint64_t ticks() {
  _mm_lfence();
  const std::uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
}

std::uint64_t chain(int count) {
  std::uint64_t value = 3;
  const std::uint64_t begin = ticks();
  for (int i = 0; i < count / 20; ++i) {
    for (int k = 0; k < 20; ++k) {
      asm volatile("imul %0, %0" : "+r"(value));
    }
  }
  return ticks() - begin;
}

std::uint64_t timed(Arrays& arrays, Kernel kernel, long n) {
  const std::uint64_t begin = ticks();
  sink = arrays.run(kernel, n);
  return ticks() - begin;
}

/// Least ticks of each, of all rounds: what else runs on the machine, or on the other half of the
/// core, only adds to them.
struct Least {
  std::uint64_t of_short = ~0ULL;
  std::uint64_t of_long = ~0ULL;
  std::uint64_t chain = ~0ULL;
  std::uint64_t longer_chain = ~0ULL;

  void measure(Arrays& arrays, Kernel kernel) {
    for (int run = 0; run < kRuns; ++run) {
      chain = std::min(chain, ::chain(kMultiplications));
      longer_chain = std::min(longer_chain, ::chain(2 * kMultiplications));
      of_short = std::min(of_short, timed(arrays, kernel, kShort));
      of_long = std::min(of_long, timed(arrays, kernel, kLong));
    }
  }
  /// Cycles that kFewer - kFew more elements take.
  [[nodiscard]] double cycles() const {
    const double tick =
        kMultiplications * kMultiplicationCycles / static_cast<double>(longer_chain - chain);
    return static_cast<double>(of_long - of_short) * tick * (kFewer - kFew) / (kLong - kShort);
  }
};

/// How often each instruction of the library runs, by its address in the file.
std::map<std::uint64_t, long> steps(Arrays& arrays, Kernel kernel, long n, std::uint64_t base) {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    sink = arrays.run(kernel, n);
    _exit(0);
  }
  std::map<std::uint64_t, long> counts;
  int status = 0;
  waitpid(child, &status, 0);
  while (WIFSTOPPED(status)) {
    user_regs_struct registers{};
    ptrace(PTRACE_GETREGS, child, nullptr, &registers);
    const std::uint64_t at = registers.rip - base;
    if (at < (1U << 24)) {
      ++counts[at];
    }
    ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
    waitpid(child, &status, 0);
  }
  return counts;
}

void print(const std::string& name, double cycles, const std::map<std::uint64_t, long>& counts) {
  std::printf("{\"function\": \"%s\", \"cycles\": %.2f, \"steps\": {", name.c_str(), cycles);
  const char* between = "";
  for (const auto& [address, count] : counts) {
    std::printf("%s\"%llu\": %ld", between, static_cast<unsigned long long>(address), count);
    between = ", ";
  }
  std::puts("}}");
}

}  // namespace

int main(int count, char** arguments) {
  void* const library = count > 2 ? dlopen(arguments[1], RTLD_NOW) : nullptr;
  if (library == nullptr) {
    std::fprintf(stderr, "in_core_measure LIBRARY NAME...: %s\n",
                 count > 2 ? dlerror() : "what is to be measured?");
    return 2;
  }
  static Arrays arrays;
  std::vector<Kernel> kernels;
  for (int i = 2; i < count; ++i) {
    kernels.push_back(reinterpret_cast<Kernel>(dlsym(library, arguments[i])));
    if (kernels.back() == nullptr) {
      std::fprintf(stderr, "%s is not in %s\n", arguments[i], arguments[1]);
      return 1;
    }
  }
  std::vector<Least> least(kernels.size());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      least[i].measure(arrays, kernels[i]);
    }
  }
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(kernels[i]), &info);
    const auto base = reinterpret_cast<std::uint64_t>(info.dli_fbase);
    auto counts = steps(arrays, kernels[i], kFewer, base);
    for (const auto& [address, before] : steps(arrays, kernels[i], kFew, base)) {
      counts[address] -= before;
    }
    std::erase_if(counts, [](const auto& each) { return each.second <= 0; });
    print(arguments[i + 2], least[i].cycles(), counts);
  }
  return 0;
}
