/* What switch_*.elf were made of: a switch of eight cases, as GCC 12 and clang 19 write jump tables.
   gcc -O2 -fcf-protection=none -nostdlib -shared -fPIC -Wl,-z,noseparate-code,-z,norelro -o switch_gcc.elf switch.c
   the same with clang-19 for switch_clang.elf; both with -static -fno-pic -no-pie for switch_*absolute.elf. */
__attribute__((visibility("default"))) void choose(int what, double *x, long n) {
  for (long i = 0; i < n; ++i) {
    switch (what) {
      case 0: x[i] += 1.0; break;
      case 1: x[i] *= x[i]; break;
      case 2: x[0] = x[i] - 3.0; break;
      case 3: x[1] = x[i] / 3.0; break;
      case 4: x[i] = x[0] * x[1]; break;
      case 5: x[i] = x[0] + x[1] * x[2]; break;
      case 6: x[2] = 0.0; break;
      case 7: x[3] = x[i] * 9.0; break;
      default: break;
    }
    __asm__ volatile("" : "+r"(what));
  }
}
void _start(void) { choose(0, 0, 0); __builtin_trap(); }
