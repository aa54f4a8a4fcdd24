#include "platform/cpu.hpp"

#include <array>
#include <cpuid.h>
#include <cstring>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace ridge::platform {
namespace {

struct Registers {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
};

/// All zero when the CPU does not know the leaf.
Registers cpuid(unsigned leaf, unsigned subleaf = 0) {
  Registers r;
  __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

/// Linux keeps the tiles of AMX from a process until it asks (arch_prctl, ARCH_REQ_XCOMP_PERM with
/// XFEATURE_XTILEDATA): their state is 8 KiB a thread. False on kernels and CPUs without AMX.
bool tiles_granted() {
  constexpr long kRequestPermission = 0x1023;
  constexpr long kTileData = 18;
  static const bool granted = syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
  return granted;
}

std::string vendor() {
  const Registers r = cpuid(0);
  std::array<char, 12> text{};
  std::memcpy(text.data(), &r.ebx, 4);
  std::memcpy(text.data() + 4, &r.edx, 4);
  std::memcpy(text.data() + 8, &r.ecx, 4);
  return {text.data(), text.size()};
}

std::string brand() {
  constexpr unsigned kFirstLeaf = 0x80000002;
  std::array<char, 49> text{};
  for (unsigned part = 0; part < 3; ++part) {
    const Registers r = cpuid(kFirstLeaf + part);
    std::memcpy(text.data() + 16 * part, &r, 16);
  }
  std::string name(text.data());
  name.erase(0, name.find_first_not_of(' '));
  name.erase(name.find_last_not_of(' ') + 1);
  return name;
}

}  // namespace

CpuSignature decode_signature(unsigned leaf1_eax) {
  const unsigned base_family = (leaf1_eax >> 8U) & 0xFU;
  const unsigned base_model = (leaf1_eax >> 4U) & 0xFU;
  CpuSignature signature{base_family, base_model, leaf1_eax & 0xFU};
  if (base_family == 0xF) {
    signature.family += (leaf1_eax >> 20U) & 0xFFU;
  }
  if (base_family == 0xF || base_family == 0x6) {
    signature.model += ((leaf1_eax >> 16U) & 0xFU) << 4U;
  }
  return signature;
}

CpuIdentity cpu_identity() {
  const CpuSignature signature = decode_signature(cpuid(1).eax);
  return {vendor(), brand(), signature.family, signature.model, signature.stepping};
}

SimdSupport simd_support() {
  __builtin_cpu_init();
  SimdSupport simd;
  simd.avx = __builtin_cpu_supports("avx") != 0;
  simd.fma = __builtin_cpu_supports("fma") != 0;
  simd.avx2 = __builtin_cpu_supports("avx2") != 0;
  simd.avx512 = __builtin_cpu_supports("avx512f") != 0;
  // By their bits (Intel SDM volume 2, CPUID): not every compiler knows the names.
  const auto bit = [](unsigned word, unsigned number) { return (word >> number & 1U) != 0; };
  const Registers features = cpuid(7);
  const Registers more = cpuid(7, 1);
  simd.avx512_dq = simd.avx512 && bit(features.ebx, 17);
  simd.avx512_fp16 = simd.avx512 && bit(features.edx, 23);
  simd.avx512_vnni = simd.avx512 && bit(features.ecx, 11);
  simd.avx512_bf16 = simd.avx512 && bit(more.eax, 5);
  if (bit(features.edx, 24) && tiles_granted()) {
    simd.amx_bf16 = bit(features.edx, 22);
    simd.amx_int8 = bit(features.edx, 25);
  }
  return simd;
}

}  // namespace ridge::platform
