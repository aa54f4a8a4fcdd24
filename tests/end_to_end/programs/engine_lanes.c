/* For engines that run programs as they are: instructions whose lanes or lengths are known only
 * when they run. engine_lanes MODE ...: x86-64, built by a plain compiler.
 *
 * masks N: each masked instruction of `masked_all` with N masks, which the test knows, too.
 * NAME MASK: one function below with a table of a line for each element.
 * unknown N: an instruction of AVX512-FP16.
 * forever N: until a signal ends it.
 * spawn N: a vfork whose child becomes this program with `thread_memory 0`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINES = 64, LINE_DOUBLES = 8 };

static double table[LINES * LINE_DOUBLES] __attribute__((aligned(4096)));

/* Masks have bits beyond the lanes. */
void masked_all(uint64_t mask, double* memory);
__asm__(
    ".text\n.type masked_all, @function\nmasked_all:\n"
    "kmovq %rdi, %k1\n"
    "vaddpd %zmm1, %zmm2, %zmm3{%k1}\n"
    "vaddps %zmm1, %zmm2, %zmm3{%k1}\n"
    "vsubpd %ymm1, %ymm2, %ymm3{%k1}\n"
    "vsubps %xmm1, %xmm2, %xmm3{%k1}{z}\n"
    "vmulpd %xmm1, %xmm2, %xmm3{%k1}\n"
    "vmulsd %xmm1, %xmm2, %xmm3{%k1}\n"
    "vmulss %xmm1, %xmm2, %xmm3{%k1}\n"
    "vfmadd231pd {rn-sae}, %zmm1, %zmm2, %zmm3{%k1}\n"
    "vdivps (%rsi){1to8}, %ymm2, %ymm3{%k1}\n"
    "vpaddb %zmm1, %zmm2, %zmm3{%k1}\n"
    "vpaddw %zmm1, %zmm2, %zmm3{%k1}\n"
    "vpaddd %ymm1, %ymm2, %ymm3{%k1}\n"
    "vpaddq %xmm1, %xmm2, %xmm3{%k1}\n"
    "vcvtps2pd %ymm1, %zmm3{%k1}\n"
    "vcvtpd2ps %zmm1, %ymm3{%k1}\n"
    "vcvtudq2pd %xmm1, %ymm3{%k1}\n"
    "vcvtsd2ss %xmm1, %xmm2, %xmm3{%k1}\n"
    "vpmovqb %zmm1, %xmm3{%k1}\n"
    "vpmovzxbd %xmm1, %zmm3{%k1}\n"
    "vpunpcklbw %zmm1, %zmm2, %zmm3{%k1}\n"
    "vpunpckldq %zmm1, %zmm2, %zmm3{%k1}\n"
    "vextractf32x4 $1, %zmm1, %xmm3{%k1}\n"
    "vinsertf64x4 $1, %ymm1, %zmm2, %zmm3{%k1}\n"
    "vbroadcastss %xmm1, %zmm3{%k1}\n"
    "vbroadcastsd %xmm1, %zmm3{%k1}\n"
    "vshuff64x2 $1, %zmm1, %zmm2, %zmm3{%k1}\n"
    "vpermt2ps %zmm1, %zmm2, %zmm3{%k1}\n"
    "vmovddup %zmm1, %zmm3{%k1}\n"
    "vpternlogd $1, %zmm1, %zmm2, %zmm3{%k1}\n"
    "vcmpltpd %zmm1, %zmm2, %k2{%k1}\n"
    "vfpclassps $1, %zmm1, %k2{%k1}\n"
    "vpalignr $1, %zmm1, %zmm2, %zmm3{%k1}\n"
    "vgetexpsd %xmm1, %xmm2, %xmm3{%k1}\n"
    "vpexpandd %zmm1, %zmm3{%k1}\n"
    "vmovdqu16 (%rsi), %zmm3{%k1}\n"
    "vmovupd %ymm3, (%rsi){%k1}\n"
    "ret\n.size masked_all, .-masked_all\n");

/* %rdi: table, %rsi: indices, %rdx: mask, %rcx: mask vector. Besides, each reads the address that
 * it returns to. */
typedef void access_function(double*, const void*, uint64_t, const void*);
access_function gather, gather_wide, scatter, gather_vector, store_masked, store_packed,
    load_shared, store_vector, backwards, thread_memory, hints;
__asm__(
    ".type gather, @function\ngather:\n"
    "kmovw %edx, %k1\n"
    "vmovdqu (%rsi), %ymm1\n"
    "vgatherdpd (%rdi,%ymm1,8), %zmm0{%k1}\n"
    "ret\n.size gather, .-gather\n"
    ".type gather_wide, @function\ngather_wide:\n"
    "kmovw %edx, %k1\n"
    "vmovdqu64 64(%rsi), %zmm17\n"
    "vgatherqps (%rdi,%zmm17,8), %ymm0{%k1}\n"
    "ret\n.size gather_wide, .-gather_wide\n"
    ".type scatter, @function\nscatter:\n"
    "kmovw %edx, %k1\n"
    "vmovdqu (%rsi), %ymm1\n"
    "vscatterdpd %zmm0, (%rdi,%ymm1,8){%k1}\n"
    "ret\n.size scatter, .-scatter\n"
    ".type gather_vector, @function\ngather_vector:\n"
    "vmovdqu (%rsi), %xmm1\n"
    "vmovdqu (%rcx), %ymm2\n"
    "vgatherdpd %ymm2, (%rdi,%xmm1,8), %ymm0\n"
    "ret\n.size gather_vector, .-gather_vector\n"
    ".type store_masked, @function\nstore_masked:\n"
    "kmovw %edx, %k1\n"
    "vmovupd %zmm0, 32(%rdi){%k1}\n"
    "ret\n.size store_masked, .-store_masked\n"
    ".type store_packed, @function\nstore_packed:\n"
    "kmovw %edx, %k1\n"
    "vcompresspd %zmm0, 48(%rdi){%k1}\n"
    "ret\n.size store_packed, .-store_packed\n"
    ".type load_shared, @function\nload_shared:\n"
    "kmovw %edx, %k1\n"
    "vaddpd (%rdi){1to8}, %zmm0, %zmm0{%k1}\n"
    "ret\n.size load_shared, .-load_shared\n"
    ".type store_vector, @function\nstore_vector:\n"
    "vmovdqu (%rcx), %ymm2\n"
    "vmaskmovpd %ymm0, %ymm2, 48(%rdi)\n"
    "ret\n.size store_vector, .-store_vector\n"
    ".type backwards, @function\nbackwards:\n"
    "mov $16, %ecx\n"
    "lea 120(%rdi), %rsi\n"
    "lea 632(%rdi), %rdi\n"
    "std\n"
    "rep movsq\n"
    "cld\n"
    "ret\n.size backwards, .-backwards\n"
    ".type thread_memory, @function\nthread_memory:\n"
    "mov %fs:0, %rax\n"
    "ret\n.size thread_memory, .-thread_memory\n"
    ".type hints, @function\nhints:\n"
    "prefetcht0 (%rdi)\n"
    "lea 8(%rdi), %rax\n"
    "nopw 64(%rdi,%rdi)\n"
    "ret\n.size hints, .-hints\n");

static const struct {
  const char* name;
  access_function* function;
} functions[] = {{"gather", gather},
                 {"gather_wide", gather_wide},
                 {"scatter", scatter},
                 {"gather_vector", gather_vector},
                 {"store_masked", store_masked},
                 {"store_packed", store_packed},
                 {"load_shared", load_shared},
                 {"store_vector", store_vector},
                 {"backwards", backwards},
                 {"thread_memory", thread_memory},
                 {"hints", hints}};

static void masks(long count) {
  uint64_t mask = 88172645463325252u;
  for (long i = 0; i < count; ++i) {
    mask ^= mask << 13;
    mask ^= mask >> 7;
    mask ^= mask << 17;
    masked_all(mask, table);
  }
}

/* Each on a line of its own. */
static struct {
  int32_t narrow[16];
  int64_t wide[8];
} indices __attribute__((aligned(64)));
static int64_t vector[8] __attribute__((aligned(64)));

static int access_by(const char* name, uint64_t mask) {
  for (int lane = 0; lane < 8; ++lane) {
    indices.narrow[lane] = (7 - lane) * LINE_DOUBLES;
    indices.wide[lane] = (7 - lane) * LINE_DOUBLES;
    vector[lane % 4] = -(int64_t)(mask >> (lane % 4) & 1);
  }
  for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
    if (strcmp(functions[i].name, name) == 0) {
      functions[i].function(table, &indices, mask, vector);
      return 0;
    }
  }
  return 1;
}

static void spawn(char* program) {
  char* arguments[] = {program, "thread_memory", "0", NULL};
  access_by("thread_memory", 0);
  const pid_t child = vfork();
  if (child == 0) {
    access_by("thread_memory", 0);
    access_by("thread_memory", 0);
    execv("/nowhere/to/be/found", arguments);
    access_by("thread_memory", 0);
    execv(program, arguments);
    _exit(1);
  }
  waitpid(child, NULL, 0);
}

int main(int argc, char** argv) {
  if (argc != 3) {
    return 2;
  }
  if (strcmp(argv[1], "masks") == 0) {
    masks(atol(argv[2]));
    return 0;
  }
  if (strcmp(argv[1], "spawn") == 0) {
    spawn(argv[0]);
    return 0;
  }
  if (strcmp(argv[1], "unknown") == 0) {
    __asm__ volatile(".byte 0x62, 0xf5, 0x7c, 0x48, 0x58, 0xc1"); /* vaddph %zmm1, %zmm0, %zmm0 */
  }
  if (strcmp(argv[1], "forever") == 0) {
    puts("ready");
    fflush(stdout);
    for (;;) {
      access_by("thread_memory", 0);
    }
  }
  return access_by(argv[1], strtoull(argv[2], NULL, 0));
}
