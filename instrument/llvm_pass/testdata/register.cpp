// probe(L) is called from the loop that starts in line L (0: from no loop) and looks at the region
// register; each loop stands on one line, so that __LINE__ names it.
#include <csetjmp>
#include <cstdio>
#include <stdexcept>

// clang-format off
extern "C" void probe(int line);

static jmp_buf target;
static volatile int stop = 1;
static volatile int two = 2;
__attribute__((noinline)) void thrower(int i) { if (i == 2) throw std::runtime_error("x"); }
__attribute__((noinline)) void jumper(int depth) { if (depth == 0) longjmp(target, 1); jumper(depth - 1); probe(0); }

__attribute__((noinline)) void nested(int n) {
  probe(0);
  for (int i = 0; i < n; i++) { probe(__LINE__);
    for (int j = 0; j < n; j++) probe(__LINE__);
    probe(__LINE__ - 2);
    for (int k = 0; k < i; k++) { if (k == stop) break; probe(__LINE__); }
    probe(__LINE__ - 4); }
  probe(0);
}

__attribute__((noinline)) int early_return(int n) {
  for (int i = 0; i < n; i++) { if (i == 2) return i; probe(__LINE__); }
  return -1;
}

__attribute__((noinline)) void catching(int n) {
  for (int i = 0; i < n; i++) { try { thrower(i); probe(__LINE__); } catch (std::exception&) { probe(__LINE__); } }
  probe(0);
  try { for (int i = 0; i < n; i++) { thrower(i); probe(__LINE__); } } catch (std::exception&) { probe(0); }
  probe(0);
}

__attribute__((noinline)) void jumping(int n) {
  volatile int count = 0;
  for (int i = 0; i < n; i++) { if (setjmp(target) == 0) { probe(__LINE__); jumper(5); } probe(__LINE__); count = count + 1; }
  probe(0);
}

__attribute__((noinline)) double vectorised(double* a, int n) {
  double s = 0;
  for (int r = 0; r < two; r++) { probe(__LINE__);
    for (int i = 0; i < n; i++) a[i] = a[i] * 2 + 1;
    probe(__LINE__ - 2); }
  for (int i = 0; i < n; i++) s += a[i];
  probe(0);
  return s;
}

__attribute__((noinline)) int recursive(int n) { probe(0); int r = n > 0 ? recursive(n - 1) + 1 : 0; probe(0); return r; }

int main() {
  probe(0);
  for (int i = 0; i < two; i++) { nested(3); probe(__LINE__); }
  for (int i = 0; i < two; i++) { early_return(5); probe(__LINE__); }
  catching(4);
  probe(0);
  jumping(3);
  probe(0);
  double a[100] = {0};
  std::printf("%g %d\n", vectorised(a, 100), recursive(5000));
  probe(0);
  return 0;
}
