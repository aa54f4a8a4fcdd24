/* For engines that run programs as they are: engine_work MODE, built by a plain compiler.
 *
 * Each mode does something that an engine may count wrongly. */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

enum { N = 3000, LINE_DOUBLES = 8 };

static double a[N];
static double b[N];

__attribute__((noinline)) double dot(const double* x, const double* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum = fma(x[i], y[i], sum);
  }
  return sum;
}

__attribute__((noinline)) void scale(double* x, double factor, int n) {
  for (int i = 0; i < n; ++i) {
    x[i] *= factor;
  }
}

__attribute__((noinline)) void copy(void* to, const void* from, size_t n) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

__attribute__((noinline)) size_t length(const char* text) {
  size_t left = SIZE_MAX;
  __asm__ volatile("repne scasb" : "+D"(text), "+c"(left) : "a"(0) : "memory", "cc");
  return SIZE_MAX - left - 1;
}

__attribute__((noinline)) void pass_by(double* x, long n) {
  for (long i = 0; i < n; ++i) {
    __asm__ volatile("movnti %1, %0" : "=m"(x[i]) : "r"(i));
  }
}

static double kernels(int times) {
  double sum = 0;
  for (int t = 0; t < times; ++t) {
    scale(a, 1.5, N);
    sum += dot(a, b, N);
  }
  return sum;
}

static void* in_thread(void* times) {
  return (void*)(intptr_t)(kernels((int)(intptr_t)times) > 0);
}

static void with_threads(int count, int times) {
  for (int i = 0; i < count; i += 2) {
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) {
      pthread_create(&threads[k], NULL, in_thread, (void*)(intptr_t)(times + k));
    }
    for (int k = 0; k < 2; ++k) {
      pthread_join(threads[k], NULL);
    }
  }
}

static void repeated(void) {
  static char from[1000];
  static char to[1000];
  memset(from, 'x', sizeof(from) - 1);
  for (int i = 0; i < 5; ++i) {
    copy(to, from, sizeof(to));
  }
  copy(to, from, 0);
  printf("%zu\n", length(to) + length(to + 989));
}

/* All four signs. Nothing else depends on the rounding: Valgrind rounds sums and products to
 * nearest whatever is set. */
__attribute__((noinline)) static double fused(const double* x, unsigned rounding) {
  double results[4] = {x[2], x[2], x[2], x[2]};
  const unsigned before = _mm_getcsr();
  _mm_setcsr((before & ~(unsigned)_MM_ROUND_MASK) | rounding);
  __asm__ volatile(
      "vfmadd231sd %4, %5, %0\n vfmsub231sd %4, %5, %1\n"
      "vfnmadd231sd %4, %5, %2\n vfnmsub231sd %4, %5, %3\n"
      : "+x"(results[0]), "+x"(results[1]), "+x"(results[2]), "+x"(results[3])
      : "x"(x[0]), "x"(x[1]));
  _mm_setcsr(before);
  return results[0] + 3 * results[1] + 5 * results[2] + 7 * results[3];
}
__attribute__((noinline)) static float fused_float(const float* x, unsigned rounding) {
  float results[4] = {x[2], x[2], x[2], x[2]};
  const unsigned before = _mm_getcsr();
  _mm_setcsr((before & ~(unsigned)_MM_ROUND_MASK) | rounding);
  __asm__ volatile(
      "vfmadd231ss %4, %5, %0\n vfmsub231ss %4, %5, %1\n"
      "vfnmadd231ss %4, %5, %2\n vfnmsub231ss %4, %5, %3\n"
      : "+x"(results[0]), "+x"(results[1]), "+x"(results[2]), "+x"(results[3])
      : "x"(x[0]), "x"(x[1]));
  _mm_setcsr(before);
  return results[0] + 3 * results[1] + 5 * results[2] + 7 * results[3];
}

/* Many results of few bits in common, in each rounding. */
static void fuse(void) {
  static const unsigned roundings[] = {_MM_ROUND_NEAREST, _MM_ROUND_DOWN, _MM_ROUND_UP,
                                       _MM_ROUND_TOWARD_ZERO};
  uint64_t state = 88172645463325252u;
  uint64_t digest = 0;
  for (int i = 0; i < 20000; ++i) {
    double x[3];
    for (int k = 0; k < 3; ++k) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      const uint64_t exponent = 1023 - 30 + state % 60 + (i % 64 == 0 ? 900 : 0);
      const uint64_t bits = (state >> 12) | exponent << 52 | (state & 1) << 63;
      memcpy(&x[k], &bits, sizeof(bits));
    }
    x[2] = i % 3 == 0 ? -x[0] * x[1] : x[2];
    const float f[] = {(float)x[0], (float)x[1], (float)x[2]};
    const double result = fused(x, roundings[i % 4]);
    const float narrow = fused_float(f, roundings[i % 4]);
    uint64_t bits;
    uint32_t narrow_bits;
    memcpy(&bits, &result, sizeof(bits));
    memcpy(&narrow_bits, &narrow, sizeof(narrow_bits));
    digest = (digest ^ bits) * 1099511628211u ^ narrow_bits;
  }
  printf("%016llx %a\n", (unsigned long long)digest, dot(b, b, N));
}

/* The half of the register that a scalar operation leaves as it is, and that of a vector. */
static void halves(void) {
  double x[4] = {1, 2, 3, 4};
  double y[4] = {5, 6, 7, 8};
  __asm__ volatile(
      "vmovupd %0, %%ymm0\n vmovupd %1, %%ymm1\n vfmadd231sd %%xmm1, %%xmm1, %%xmm0\n"
      "vmovupd %%ymm0, %0\n vfnmadd213pd %%ymm1, %%ymm1, %%ymm0\n vmovupd %%ymm0, %1\n"
      : "+m"(x), "+m"(y)
      :
      : "xmm0", "xmm1");
  printf("%g %g %g %g %g %g %g %g\n", x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]);
}

/* Code that is written over: other blocks at the same address. */
static void rewrite(void) {
  unsigned char* code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int sum = 0;
  for (int value = 1; value <= 3; ++value) {
    const unsigned char text[] = {0xb8, (unsigned char)value, 0, 0, 0, 0xc3};
    memcpy(code, text, sizeof(text));
    for (int i = 0; i < value; ++i) {
      sum += ((int (*)(void))code)();
    }
  }
  printf("%d\n", sum);
}

static void handle(int number) {
  (void)number;
  static const char text[] = "handled\n";
  _exit(write(1, text, sizeof(text) - 1) > 0 ? 5 : 6);
}

static void end_by(const char* how) {
  printf("%g\n", kernels(1));
  fflush(stdout);
  if (strcmp(how, "_exit") == 0) {
    _exit(7);
  }
  if (strcmp(how, "abort") == 0) {
    abort();
  }
  if (strcmp(how, "terminate") == 0) {
    raise(SIGTERM);
  }
  if (strcmp(how, "handler") == 0) {
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
  }
  if (strcmp(how, "wide") == 0) { /* AVX-512 */
    __asm__ volatile(".byte 0x62, 0xf1, 0xfd, 0x48, 0x58, 0xc0"); /* vaddpd zmm0, zmm0, zmm0 */
  }
  if (strcmp(how, "trap") == 0) {
    __builtin_trap();
  }
}

static int family(char** arguments) {
  printf("%g\n", kernels(1));
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    kernels(3);
    if (arguments[2] != NULL) {
      execv("/nowhere/to/be/found", arguments + 2);
      execv(arguments[2], arguments + 2);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "kernels";
  for (int i = 0; i < N; ++i) {
    a[i] = i;
    b[i] = 1.0 / (i + 1);
  }
  if (strcmp(mode, "threads") == 0) {
    with_threads(argc > 2 ? atoi(argv[2]) : 2, 4);
  } else if (strcmp(mode, "repeated") == 0) {
    repeated();
  } else if (strcmp(mode, "fuse") == 0) {
    fuse();
    halves();
  } else if (strcmp(mode, "rewrite") == 0) {
    rewrite();
  } else if (strcmp(mode, "family") == 0) {
    return family(argv);
  } else if (strcmp(mode, "past") == 0) {
    pass_by(a, N);
  } else {
    printf("%g\n", kernels(4));
    end_by(mode);
  }
  return 3;
}
