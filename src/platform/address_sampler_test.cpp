#include "platform/address_sampler.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/process_tree.hpp"

namespace ridge::platform {
namespace {

using std::chrono::milliseconds;

/// What must come does come by then, on however busy a machine.
constexpr std::chrono::seconds kGenerous{300};

/// Which function of the sampled program an address is in.
enum class Part { first, second, rest_of_program, elsewhere };

struct Places {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

const Places& places() {
  static const Places known = [] {
    Places places;
    const auto said = run_and_capture({RIDGE_SAMPLED_PROGRAM, "where"});
    std::istringstream(said ? said->output : "") >> places.first >> places.second;
    return places;
  }();
  return known;
}

class AddressSamplerTest : public ::testing::TestWithParam<SamplingMethod> {
 protected:
  void TearDown() override {
    if (input_ >= 0) {
      close(input_);
    }
  }

  /// False where this machine forbids it; `why_` says how then.
  [[nodiscard]] bool start(const std::vector<std::string>& words, bool from_exec = true) {
    std::array<int, 2> input{};
    EXPECT_EQ(pipe2(input.data(), O_CLOEXEC), 0);
    input_ = input[1];
    ProcessOptions options{words, {}, input[0], {}, {}};
    const auto attach = [&](pid_t pid) -> Result<void> {
      auto sampler =
          AddressSampler::attach(pid, {milliseconds(1), from_exec, GetParam(), milliseconds(5)});
      if (!sampler) {
        return tl::make_unexpected(sampler.error());
      }
      sampler_.emplace(std::move(*sampler));
      return {};
    };
    if (from_exec) {
      options.before_exec = attach;
    }
    auto tree = ProcessTree::start(options, WhenWeDie::end_tree);
    close(input[0]);
    Result<void> attached;
    if (tree && !from_exec) {
      attached = attach(tree->pid());
    }
    if (!tree || !attached) {
      why_ = tree ? attached.error().message : tree.error().message;
      EXPECT_THAT(why_, ::testing::AnyOf(::testing::HasSubstr("Permission denied"),
                                         ::testing::HasSubstr("not permitted"),
                                         ::testing::HasSubstr("not implemented")));
      return false;
    }
    tree_.emplace(std::move(*tree));
    return true;
  }
  [[nodiscard]] bool start_program(const std::string& what, bool from_exec = true) {
    return start({RIDGE_SAMPLED_PROGRAM, what}, from_exec);
  }

  void keep(const std::vector<AddressSample>& samples) {
    samples_.insert(samples_.end(), samples.begin(), samples.end());
  }
  template <class Condition>
  bool sample_until(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + kGenerous;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) {
        return false;
      }
      (void)tree_->wait_for(milliseconds(20));
      sampler_->look_at_sleepers();
      keep(sampler_->take());
    }
    return true;
  }
  ExitStatus sample_to_the_end() {
    EXPECT_TRUE(sample_until([&] { return tree_->poll().has_value(); }));
    keep(sampler_->finish());
    return tree_->poll().value_or(ExitStatus{});
  }

  [[nodiscard]] const CodeMapping* mapping_of(const AddressSample& sample) const {
    return sample.mapping == kNoMapping ? nullptr : &sampler_->mappings().at(sample.mapping);
  }
  [[nodiscard]] Part part_of(const AddressSample& sample) const {
    const CodeMapping* mapping = mapping_of(sample);
    if (mapping == nullptr || mapping->path != RIDGE_SAMPLED_PROGRAM) {
      return Part::elsewhere;
    }
    const std::uint64_t place = sample.address - mapping->begin + mapping->file_offset;
    constexpr std::uint64_t kApart = 8192;
    if (place - places().first < kApart) {
      return Part::first;
    }
    return place - places().second < kApart ? Part::second : Part::rest_of_program;
  }
  /// Those in which samples of this part were seen.
  [[nodiscard]] std::set<pid_t> threads_in(Part part) const {
    std::set<pid_t> threads;
    for (const AddressSample& sample : samples_) {
      if (part_of(sample) == part) {
        threads.insert(sample.tid);
      }
    }
    return threads;
  }
  [[nodiscard]] bool has_seen_both() const {
    return !threads_in(Part::first).empty() && !threads_in(Part::second).empty();
  }
  [[nodiscard]] std::size_t count(Part part) const {
    return static_cast<std::size_t>(
        std::count_if(samples_.begin(), samples_.end(),
                      [&](const AddressSample& sample) { return part_of(sample) == part; }));
  }

  std::optional<ProcessTree> tree_;
  std::optional<AddressSampler> sampler_;
  std::vector<AddressSample> samples_;
  std::string why_;
  int input_ = -1;
};

TEST_P(AddressSamplerTest, SeesWhereTheProgramIsAndWhichFileThatIs) {
  if (!start_program("turns")) {
    GTEST_SKIP() << why_;
  }
  ASSERT_TRUE(sample_until([&] { return has_seen_both(); }));
  EXPECT_EQ(threads_in(Part::first), std::set<pid_t>{tree_->pid()});
  EXPECT_EQ(sampler_->method(), GetParam());
  for (const AddressSample& sample : samples_) {
    EXPECT_EQ(sample.pid, tree_->pid());
    EXPECT_GT(sample.weight_nanoseconds, 0U);
    const CodeMapping* mapping = mapping_of(sample);
    if (mapping != nullptr) {
      EXPECT_EQ(mapping->pid, sample.pid);
      EXPECT_LE(mapping->begin, sample.address);
      EXPECT_GT(mapping->end, sample.address);
    }
  }
}

TEST_P(AddressSamplerTest, SeesThreadsApart) {
  if (!start_program("threads")) {
    GTEST_SKIP() << why_;
  }
  ASSERT_TRUE(sample_until([&] { return has_seen_both(); }));
  EXPECT_EQ(threads_in(Part::second), std::set<pid_t>{tree_->pid()});
  ASSERT_EQ(threads_in(Part::first).size(), 1U);
  EXPECT_NE(*threads_in(Part::first).begin(), tree_->pid());
}

TEST_P(AddressSamplerTest, SeesChildren) {
  if (!start_program("fork")) {
    GTEST_SKIP() << why_;
  }
  ASSERT_TRUE(sample_until([&] { return has_seen_both(); }));
  EXPECT_EQ(threads_in(Part::first), std::set<pid_t>{tree_->pid()});
  ASSERT_EQ(threads_in(Part::second).size(), 1U);
  EXPECT_NE(*threads_in(Part::second).begin(), tree_->pid());
}

TEST_P(AddressSamplerTest, SeesWhatAProgramBecomes) {
  if (!start_program("exec")) {
    GTEST_SKIP() << why_;
  }
  ASSERT_TRUE(sample_until([&] { return !threads_in(Part::first).empty(); }));
  EXPECT_EQ(count(Part::second), 0U);
  close(std::exchange(input_, -1));
  ASSERT_TRUE(sample_until([&] { return !threads_in(Part::second).empty(); }));
  EXPECT_EQ(threads_in(Part::second), std::set<pid_t>{tree_->pid()});
}

TEST_P(AddressSamplerTest, SeesAProgramThatRunsAlready) {
  if (!start_program("turns", false)) {
    GTEST_SKIP() << why_;
  }
  EXPECT_TRUE(sample_until([&] { return has_seen_both(); }));
}

TEST_P(AddressSamplerTest, SeesSleepersWhereTheyWait) {
  if (!start_program("sleep")) {
    GTEST_SKIP() << why_;
  }
  const auto is_asleep = [&](const AddressSample& sample) {
    const CodeMapping* mapping = mapping_of(sample);
    return sample.asleep && mapping != nullptr && mapping->path.find("libc") != std::string::npos;
  };
  ASSERT_TRUE(
      sample_until([&] { return std::any_of(samples_.begin(), samples_.end(), is_asleep); }));
  close(std::exchange(input_, -1));
  EXPECT_EQ(sample_to_the_end().code, 0) << "its read was not disturbed";
}

TEST_P(AddressSamplerTest, TheProgramEndsAsItDoesAlone) {
  if (!start({"sh", "-c", "trap 'exit 42' USR1; kill -USR1 $$; exit 3"})) {
    GTEST_SKIP() << why_;
  }
  EXPECT_EQ(sample_to_the_end().code, 42);
  sampler_.reset();
  ASSERT_TRUE(start({"sh", "-c", "kill -SEGV $$"}));
  EXPECT_EQ(sample_to_the_end().signal, SIGSEGV);
}

TEST_P(AddressSamplerTest, AStoppedProgramStaysStoppedUntilItIsToldToGoOn) {
  if (!start({"sh", "-c", "kill -STOP $$; exit 3"})) {
    GTEST_SKIP() << why_;
  }
  const auto is_stopped = [&] {
    std::ifstream file("/proc/" + std::to_string(tree_->pid()) + "/stat");
    std::string line;
    std::getline(file, line);
    const auto end = line.rfind(") ");
    return end != std::string::npos && (line[end + 2] == 'T' || line[end + 2] == 't');
  };
  ASSERT_TRUE(sample_until(is_stopped));
  for (int i = 0; i < 10; ++i) {
    (void)tree_->wait_for(milliseconds(10));
    keep(sampler_->take());
  }
  EXPECT_EQ(tree_->poll(), std::nullopt);
  EXPECT_TRUE(sample_until([&] {
    kill(tree_->pid(), SIGCONT);
    return tree_->poll().has_value();
  }));
  EXPECT_EQ(sample_to_the_end().code, 3);
}

TEST_P(AddressSamplerTest, TheProgramOutlivesTheSampling) {
  if (!start_program("sleep")) {
    GTEST_SKIP() << why_;
  }
  (void)sampler_->finish();
  sampler_.reset();
  std::ifstream file("/proc/" + std::to_string(tree_->pid()) + "/status");
  const std::string status(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(status, ::testing::HasSubstr("TracerPid:\t0\n"));
  close(std::exchange(input_, -1));
  std::optional<ExitStatus> end;
  for (int i = 0; i < 3000 && !end; ++i) {
    end = tree_->wait_for(milliseconds(100));
  }
  EXPECT_EQ(end.value_or(ExitStatus{}).code, 0);
}

TEST_P(AddressSamplerTest, AProgramThatHasEndedCannotBeSampled) {
  auto process = Process::start({{"true"}, {}, {}, {}, {}});
  ASSERT_TRUE(process);
  const pid_t pid = process->pid();
  (void)process->wait();
  const auto sampler = AddressSampler::attach(pid, {milliseconds(1), false, GetParam()});
  ASSERT_FALSE(sampler);
  EXPECT_EQ(sampler.error().code, ErrorCode::unavailable);
}

std::string name_of(const ::testing::TestParamInfo<SamplingMethod>& method) {
  switch (method.param) {
    case SamplingMethod::perf_events:
      return "PerfEvents";
    case SamplingMethod::perf_events_user_only:
      return "PerfEventsUserOnly";
    case SamplingMethod::ptrace:
      return "Ptrace";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(By, AddressSamplerTest,
                         ::testing::Values(SamplingMethod::perf_events,
                                           SamplingMethod::perf_events_user_only,
                                           SamplingMethod::ptrace),
                         name_of);

using PerfSamplerTest = AddressSamplerTest;

// Times of the CPU, which a busy machine does not change.
TEST_P(PerfSamplerTest, SharesAreThoseOfTheCpuFromTheBeginning) {
  if (!start_program("both")) {
    GTEST_SKIP() << why_;
  }
  EXPECT_EQ(sample_to_the_end().code, 0);
  const std::size_t of_first = count(Part::first);
  const std::size_t of_second = count(Part::second);
  EXPECT_GT(of_first, 30U) << "of 100 milliseconds";
  EXPECT_GT(of_second, 30U);
  const auto awake = std::count_if(samples_.begin(), samples_.end(),
                                   [](const AddressSample& sample) { return !sample.asleep; });
  EXPECT_GT(10 * (of_first + of_second), 6 * static_cast<std::size_t>(awake))
      << "the rest is the start of the program";
  EXPECT_GT(3 * of_first, of_second);
  EXPECT_GT(3 * of_second, of_first);
  const auto later = [](const AddressSample& a, const AddressSample& b) {
    return a.nanoseconds < b.nanoseconds;
  };
  EXPECT_TRUE(std::is_sorted(samples_.begin(), samples_.end(), later));
}

TEST_P(PerfSamplerTest, AStackHasTheCodeThatItGoesBackTo) {
  if (!start_program("turns")) {
    GTEST_SKIP() << why_;
  }
  const auto place = [&](const StackSample::CodeAddress& code) {
    const CodeMapping& mapping = sampler_->mappings().at(code.mapping);
    EXPECT_LE(mapping.begin, code.address);
    EXPECT_GT(mapping.end, code.address);
    return part_of({.address = code.address, .mapping = code.mapping});
  };
  std::vector<StackSample> found;
  ASSERT_TRUE(sample_until([&] {
    for (StackSample& stack : sampler_->take_stacks()) {
      const auto has = [&](Part part) {
        return std::ranges::any_of(stack.code,
                                   [&](const auto& code) { return place(code) == part; });
      };
      if (has(Part::first) && has(Part::rest_of_program)) {
        found.push_back(std::move(stack));
      }
    }
    return !found.empty();
  }));
  EXPECT_EQ(found.front().tid, tree_->pid());
  EXPECT_TRUE(std::ranges::is_sorted(found.front().code, {}, &StackSample::CodeAddress::address));
  EXPECT_FALSE(found.front().words.empty());
}

INSTANTIATE_TEST_SUITE_P(By, PerfSamplerTest,
                         ::testing::Values(SamplingMethod::perf_events,
                                           SamplingMethod::perf_events_user_only),
                         name_of);

}  // namespace
}  // namespace ridge::platform
