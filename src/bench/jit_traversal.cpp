// The bodies of kernels that do not go straight through their arrays. Where they stand is kept in
// memory from call to call: arrays[1] of the arguments points to it.
#include "bench/jit.hpp"
#include "bench/jit_emitter.hpp"

namespace ridge::bench {
namespace {

namespace x86 = asmjit::x86;

constexpr std::size_t kLine = 64;
constexpr unsigned kIndexBytes = 4;
constexpr unsigned kAccesses = 64;  ///< elements gathered, or pointers followed, in a turn

/// Loads in a turn of a strided kernel. Few, as a compiler unrolls: each load then comes back a few
/// lines further on, which prefetchers that go by the instruction can follow.
constexpr unsigned kStridedLoads = 4;

std::size_t stride_of_turn(const Kernel& kernel) {
  return kStridedLoads * kernel.stride_lines * kLine;
}

}  // namespace

std::size_t Emitter::traversal_bytes_per_turn() const {
  return kLine * (kernel_.order == Order::strided ? kStridedLoads : kAccesses);
}

void Emitter::traversal_prologue() {
  for (unsigned array = 0; array < 3; ++array) {
    assembler_.mov(base(array), argument(8 * array));
  }
  assembler_.mov(limit(), argument(offsetof(KernelArguments, end)));
  assembler_.mov(cursor(0), x86::ptr(base(1)));
  if (kernel_.order == Order::strided) {
    // A step that ends behind the end goes back by the whole circle.
    assembler_.sub(base(0), limit());
    assembler_.add(base(0), static_cast<int>(stride_of_turn(kernel_)));
    assembler_.sub(limit(), static_cast<int>(stride_of_turn(kernel_)));
  }
}

void Emitter::traversal_body() {
  switch (kernel_.order) {
    case Order::strided:
      return strided_body();
    case Order::gather:
      return gather_body();
    default:
      return chase_body();
  }
}

/// The lines are numbered in a circle of 64 n - s of them, s odd: going round with a step of 4
/// strides, each round begins s lines further on, so that no line is forgotten, and lines beside
/// each other are several rounds apart (traversal.hpp says why that matters).
void Emitter::strided_body() {
  for (unsigned i = 0; i < kStridedLoads; ++i) {
    assembler_.emit(instructions_.move, vec(i % free_registers(isa_)),
                    element(cursor(0), i * kernel_.stride_lines * kLine));
  }
  // Two cycles from one position to the next: no more than four loads take.
  assembler_.cmp(cursor(0), limit());
  assembler_.lea(cursor(1), x86::ptr(cursor(0), base(0)));
  assembler_.lea(cursor(0), x86::ptr(cursor(0), static_cast<int>(stride_of_turn(kernel_))));
  assembler_.cmovae(cursor(0), cursor(1));
}

void Emitter::gather_body() {
  const unsigned lanes = vector_bytes_ * 8 / element_bits(precision_);
  for (unsigned i = 0; i < kAccesses / lanes; ++i) {
    const std::size_t offset = std::size_t{i} * lanes * kIndexBytes;
    kernel_.has(StepKind::gather) ? gather_one(i, offset) : pick_one(i, offset);
  }
  assembler_.add(cursor(0), static_cast<int>(kAccesses * kIndexBytes));
  assembler_.cmp(cursor(0), limit());
  assembler_.cmovae(cursor(0), base(2));
}

/// The mask is used up by a gather. It is made anew from what no gather ever wrote, or each would
/// wait for the one before.
void Emitter::gather_one(unsigned number, std::size_t offset) {
  constexpr unsigned kRotation = 4;
  constexpr unsigned kIndices = 4;  // first register of its kind; data goes to 0 to 3
  constexpr unsigned kMasks = 8;
  constexpr unsigned kScale = 3;  // 2^3 bytes
  const unsigned turn = number % kRotation;
  const auto index_memory = x86::ptr(cursor(0), static_cast<int>(offset), vector_bytes_ / 2);
  if (isa_ == Isa::avx512) {
    const x86::Ymm index = x86::ymm(kIndices + turn);
    const x86::KReg mask = x86::k(1 + turn);
    assembler_.vmovdqa(index, index_memory);
    assembler_.kxnorw(mask, x86::k(0), x86::k(0));
    assembler_.k(mask).vgatherdpd(x86::zmm(turn), x86::ptr(base(0), index, kScale));
    return;
  }
  const x86::Xmm index = x86::xmm(kIndices + turn);
  const x86::Ymm mask = x86::ymm(kMasks + turn);
  assembler_.vmovdqa(index, index_memory);
  assembler_.vpcmpeqd(mask, mask, mask);
  assembler_.vgatherdpd(x86::ymm(turn), x86::ptr(base(0), index, kScale), mask);
}

void Emitter::pick_element(unsigned target, std::size_t offset, bool high) {
  const Gp index = (offset / kIndexBytes) % 2 == 0 ? x86::rdx : x86::rsi;
  assembler_.mov(index.r32(), x86::dword_ptr(cursor(0), static_cast<int>(offset)));
  const auto memory = x86::qword_ptr(base(0), index, 3);
  high ? assembler_.vmovhpd(x86::xmm(target), x86::xmm(target), memory)
       : assembler_.vmovsd(x86::xmm(target), memory);
}

void Emitter::pick_pair(unsigned target, std::size_t offset) {
  pick_element(target, offset, false);
  pick_element(target, offset + kIndexBytes, true);
}

/// As a compiler does it for a CPU without a gather, or with a slow one.
void Emitter::pick_one(unsigned number, std::size_t offset) {
  constexpr unsigned kRotation = 3;
  const unsigned target = number % kRotation * 4;
  if (isa_ == Isa::scalar) {
    return pick_element(target, offset, false);
  }
  pick_pair(target, offset);
  if (isa_ == Isa::sse) {
    return;
  }
  pick_pair(target + 1, offset + 2 * kIndexBytes);
  assembler_.vinsertf128(x86::ymm(target), x86::ymm(target), x86::xmm(target + 1), 1);
  if (isa_ == Isa::avx2) {
    return;
  }
  pick_pair(target + 2, offset + 4 * kIndexBytes);
  pick_pair(target + 3, offset + 6 * kIndexBytes);
  assembler_.vinsertf128(x86::ymm(target + 2), x86::ymm(target + 2), x86::xmm(target + 3), 1);
  assembler_.vinsertf64x4(x86::zmm(target), x86::zmm(target), x86::ymm(target + 2), 1);
}

void Emitter::chase_body() {
  for (unsigned i = 0; i < kAccesses; ++i) {
    assembler_.mov(cursor(0), x86::ptr(cursor(0)));
  }
}

}  // namespace ridge::bench
