#include "measure/binary/stacks/call_stack.hpp"

#include <pthread.h>
#include <sys/ucontext.h>
#include <ucontext.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "measure/binary/stacks/stack_places.hpp"
#include "platform/memory_maps.hpp"

// A function without rules, that begins as kernels of linear algebra do, and calls what it is
// given.
asm(R"(
  .text
  .globl ridge_test_kernel
  .type ridge_test_kernel, @function
ridge_test_kernel:
  subq $0x60, %rsp
  movq %rbx, (%rsp)
  movq %rbp, 8(%rsp)
  movq %rsp, %rbx
  xorl %ebp, %ebp
  subq $0x7080, %rsp
  andq $-4096, %rsp
  call *%rsi
  movq %rbx, %rsp
  movq 8(%rsp), %rbp
  movq (%rsp), %rbx
  addq $0x60, %rsp
  ret
  .size ridge_test_kernel, .-ridge_test_kernel
)");
extern "C" void ridge_test_kernel(void* argument, void (*callback)(void*));

namespace ridge::measure::binary {
namespace {

/// What this thread looks like now, and where its functions go back to.
struct Captured {
  SampledStack stack;
  /// Of the callers of capture(), the nearest first; 0: not known.
  std::vector<std::uint64_t> returns;
};

std::uint64_t end_of_stack() {
  pthread_attr_t attributes;
  void* begin = nullptr;
  std::size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &begin, &size);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uint64_t>(begin) + size;
}

constexpr std::uint64_t kMostWords = 8192;

[[gnu::noinline, gnu::no_sanitize("address", "undefined")]] void capture(SampledStack& stack) {
  constexpr std::array<int, kStackRegisters> kOrder = {
      REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
      REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  const std::uint64_t end = end_of_stack();
  stack.words.reserve(kMostWords);
  ucontext_t context;
  getcontext(&context);
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    stack.registers[i] =
        static_cast<std::uint64_t>(context.uc_mcontext.gregs[static_cast<std::size_t>(kOrder[i])]);
  }
  for (std::uint64_t at = stack.registers[kStackPointer];
       at + 8 <= end && stack.words.size() < kMostWords; at += 8) {
    const std::uint64_t word = *reinterpret_cast<const volatile std::uint64_t*>(at);
    stack.words.push_back(word);
  }
}

std::uint64_t caller_address(const void* address) {
  return reinterpret_cast<std::uint64_t>(address);
}

[[gnu::noinline]] void inner(Captured& captured) {
  capture(captured.stack);
  captured.returns.push_back(caller_address(__builtin_return_address(0)));
}

[[gnu::noinline]] void outer(Captured& captured) {
  inner(captured);
  captured.returns.push_back(caller_address(__builtin_return_address(0)));
}

/// With a frame pointer, and a frame whose size is not known before.
[[gnu::noinline]] void with_array(Captured& captured, std::size_t size) {
  volatile char* array = static_cast<volatile char*>(__builtin_alloca(size));
  array[size - 1] = 1;
  outer(captured);
  captured.returns.push_back(caller_address(__builtin_return_address(0)));
}

void callback(void* argument) {
  Captured& captured = *static_cast<Captured*>(argument);
  capture(captured.stack);
  captured.returns.push_back(caller_address(__builtin_return_address(0)));
}

[[gnu::noinline]] void around_kernel(Captured& captured) {
  ridge_test_kernel(&captured, callback);
  captured.returns.push_back(0);
  captured.returns.push_back(caller_address(__builtin_return_address(0)));
}

/// Leaves return addresses below the stack pointer.
[[gnu::noinline]] int deep(int depth) {
  volatile int here = depth;
  return depth == 0 ? 0 : deep(depth - 1) + here;
}

/// Of this process, as a record has it.
Record record_of(const Captured& captured) {
  Record record;
  record.pid = static_cast<std::uint32_t>(getpid());
  std::uint32_t number = 0;
  const auto mappings = platform::read_memory_maps(getpid()).value();
  for (const auto& mapping : mappings) {
    record.mappings[number++] = {mapping.begin, mapping.end, mapping.file_offset,
                                 mapping.path.empty() ? std::nullopt : std::optional(mapping.path)};
  }
  record.stacks.push_back(captured.stack);
  return record;
}

/// Offset in this program's file of the call before a return address.
std::uint64_t call_before(const Record& record, std::uint64_t return_address) {
  for (const auto& [number, mapping] : record.mappings) {
    if (return_address >= mapping.begin && return_address < mapping.end) {
      return return_address - 1 - mapping.begin + mapping.file_offset;
    }
  }
  return 0;
}

/// Offsets in this program of the calls on the stack, without where capture() was.
std::vector<std::uint64_t> calls_on(const Record& record) {
  CodeFiles files;
  SampledCode code;
  set_counted_stacks(code, std::span(&record, 1), files);
  std::vector<std::uint64_t> calls;
  EXPECT_EQ(code.counted_stacks.size(), 1U);
  for (std::size_t i = 2; i < code.counted_stacks[0].size(); ++i) {
    calls.push_back(code.places[code.counted_stacks[0][i]].offset);
  }
  return calls;
}

/// The stack goes through these, and on to the beginning of the program.
void expect_calls(const Captured& captured) {
  const Record record = record_of(captured);
  const auto calls = calls_on(record);
  ASSERT_GE(calls.size(), captured.returns.size() + 2) << "and on to main and before it";
  for (std::size_t i = 0; i < captured.returns.size(); ++i) {
    if (captured.returns[i] != 0) {
      EXPECT_EQ(calls[i], call_before(record, captured.returns[i])) << i;
    }
  }
}

TEST(CallStack, GoesByTheRulesOfTheFile) {
  Captured captured;
  outer(captured);
  expect_calls(captured);
}

TEST(CallStack, GoesThroughFramesOfAnySize) {
  Captured captured;
  with_array(captured, static_cast<std::size_t>(getpid() % 100) + 1000);
  expect_calls(captured);
}

// What deep() left lies in the kernel's block and must not be taken for its callers.
TEST(CallStack, GoesThroughAKernelWithoutRules) {
  Captured captured;
  EXPECT_GT(deep(2000), 0);
  around_kernel(captured);
  expect_calls(captured);
}

TEST(CallStack, EndsWhereTheCopyEnds) {
  Captured captured;
  outer(captured);
  captured.stack.words.resize(4);
  const Record record = record_of(captured);
  EXPECT_LE(calls_on(record).size(), 2U);
}

TEST(CallStack, OfNoFileThereIsNone) {
  CodeFiles files;
  StackUnwinder unwinder(files);
  EXPECT_TRUE(unwinder.unwind({}, [](std::uint64_t) { return std::nullopt; }).empty());
}

TEST(CallStack, GarbageLeadsNowhere) {
  Captured captured;
  outer(captured);
  for (std::size_t i = 0; i < captured.stack.words.size(); ++i) {
    captured.stack.words[i] = i * 0x9E3779B97F4A7C15U;
  }
  EXPECT_TRUE(calls_on(record_of(captured)).empty());
}

TEST(CallStack, CallsAreKnownByTheirBytes) {
  const auto is_call = [](std::vector<std::uint8_t> bytes) { return ends_with_call(bytes); };
  EXPECT_TRUE(is_call({0xe8, 1, 2, 3, 4}));
  EXPECT_TRUE(is_call({0x90, 0xff, 0xd0})) << "call *%rax";
  EXPECT_TRUE(is_call({0x41, 0xff, 0xd4})) << "call *%r12";
  EXPECT_TRUE(is_call({0xff, 0x15, 1, 2, 3, 4})) << "call *disp32(%rip)";
  EXPECT_TRUE(is_call({0xff, 0x90, 1, 2, 3, 4})) << "call *disp32(%rax)";
  EXPECT_TRUE(is_call({0xff, 0x50, 8})) << "call *disp8(%rax)";
  EXPECT_TRUE(is_call({0xff, 0x14, 0xc7})) << "call *(%rdi,%rax,8)";
  EXPECT_TRUE(is_call({0xff, 0x94, 0xc7, 1, 2, 3, 4})) << "call *disp32(%rdi,%rax,8)";
  EXPECT_TRUE(is_call({0xff, 0x54, 0x24, 8})) << "call *8(%rsp)";
  EXPECT_FALSE(is_call({0xff, 0xe0})) << "jmp *%rax";
  EXPECT_FALSE(is_call({0xe9, 1, 2, 3, 4})) << "jmp";
  EXPECT_FALSE(is_call({0xff, 0x15}));
  EXPECT_FALSE(is_call({}));
}

}  // namespace
}  // namespace ridge::measure::binary
