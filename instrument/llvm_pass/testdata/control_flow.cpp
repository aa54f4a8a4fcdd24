// Control flow that counters must survive: exceptions, longjmp, exit, recursion, computed goto ...
#include <atomic>
#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
struct Big {
  double v[6];
};
__attribute__((noinline)) double byval(Big b, int k) {
  double s = 0;
  for (int i = 0; i < 6; i++) s += b.v[i] * k;
  return s;
}
__attribute__((noinline)) Big sret(double x) {
  Big b;
  for (int i = 0; i < 6; i++) b.v[i] = x * i;
  return b;
}
__attribute__((noinline)) double varf(int n, ...) {
  va_list a;
  va_start(a, n);
  double s = 0;
  for (int i = 0; i < n; i++) s += va_arg(a, double);
  va_end(a);
  return s;
}
__attribute__((noinline)) void thrower(int i) {
  if (i % 7 == 3) throw std::runtime_error("x");
}
__attribute__((noinline)) double exc(double* a, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    try {
      s += a[i];
      thrower(i);
      s += 1.0;
    } catch (std::exception&) {
      s -= 0.5;
    }
  }
  return s;
}
__attribute__((noinline)) double exc_through(double* a, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    thrower(i);
    s += 2.0;
  }
  return s;
}
jmp_buf jb;
__attribute__((noinline)) void jumper(int k) {
  volatile double x = 1;
  for (int i = 0; i < 10; i++) {
    x = x + 1;
    if (i == k) longjmp(jb, k + 1);
  }
}
__attribute__((noinline)) double sj() {
  volatile double s = 0;
  volatile int k = 0;
  int r = setjmp(jb);
  s = s + 1.0;
  if (k < 5) {
    k = k + 1;
    jumper(k);
  }
  return s + r;
}
__attribute__((noinline)) double fib(int n) {
  return n < 2 ? 1.0 : fib(n - 1) + fib(n - 2);
}
__attribute__((noinline)) double interp(const unsigned char* p, double x) {
  static void* t[] = {&&add, &&mul, &&dec, &&end};
  double acc = x;
  int cnt = 10;
  goto* t[*p++];
add:
  acc += 1.0;
  goto* t[*p++];
mul:
  acc *= 1.5;
  goto* t[*p++];
dec:
  if (--cnt > 0) p -= 3;
  goto* t[*p++];
end:
  return acc;
}
__attribute__((noinline)) int find(const double* a, int n, double x) {
  for (int i = 0; i < n; i++) {
    if (a[i] * 2.0 == x) return i;
    if (a[i] < -1.0) break;
  }
  return -1;
}
__attribute__((noinline)) double sw(int k, double x) {
  switch (k) {
    case 0:
      return x + 1;
    case 1:
      return x * 2;
    case 5:
      return x / 3;
    default:
      return std::sqrt(x);
  }
}
__attribute__((noinline)) double inf(double x) {
  for (;;) {
    x = x * 1.01 + 1;
    if (x > 1e3) break;
  }
  return x;
}
__attribute__((noinline)) double triangular(double* a, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      s += a[j];
      if (a[j] > 3) s *= 0.5;
    }
  return s;
}
struct Shape {
  virtual ~Shape() {}
  virtual double area() const = 0;
};
struct Sq : Shape {
  double a;
  Sq(double x) : a(x) {}
  double area() const override { return a * a; }
};
struct Ci : Shape {
  double r;
  Ci(double x) : r(x) {}
  double area() const override { return 3.14 * r * r; }
};
static double g_init = std::sqrt(2.0) + varf(2, 1.0, 2.0);
thread_local double tl = 1.0;
template <class T>
T sum(const std::vector<T>& v) {
  T s{};
  for (auto x : v) s += x;
  return s;
}
static double cb(double x) {
  return x + 1;
}
std::atomic<int> at{0};
__attribute__((noinline)) void copies(char* d, const char* s, size_t n) {
  memcpy(d, s, n);
  memmove(d + 1, d, n / 2);
  memset(d, 0, n / 3);
}
__attribute__((noinline)) double libm(double* a, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += std::sin(a[i]) + std::exp(a[i]) + std::pow(a[i], 2.5) + std::fma(a[i], 2.0, 1.0);
  return s;
}
__attribute__((noinline)) long double x87(long double a) {
  return a * a + 1;
}
__attribute__((noinline)) float f32(float* a, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    float x = a[i];
    if (x > 0.5f) a[i] = x * 2.0f;
    s += a[i];
  }
  return s;
}
__attribute__((noinline)) int gcd(int a, int b) {
  while (b) {
    int t = a % b;
    a = b;
    b = t;
  }
  return a;
}
__attribute__((noinline)) void masked_store(double* a, const double* b, const int* c, int n) {
  for (int i = 0; i < n; i++)
    if (c[i] > 3) a[i] = b[i] * 2.0 + a[i];
}
__attribute__((noinline)) void gather(double* a, const double* b, const int* c, int n) {
  for (int i = 0; i < n; i++) a[i] = b[c[i]] * 2.0;
}
__attribute__((noinline)) void scatter(double* __restrict a, const double* __restrict b,
                                       const int* __restrict c, int n) {
  for (int i = 0; i < n; i++) a[c[i]] = b[i] * 2.0;
}
__attribute__((noinline, const)) double promised(int k) {
  double t[4] = {1.5, 2.5, 3.5, 4.5};
  volatile int at = k & 3;
  return t[at];
}
__attribute__((noinline)) double around_promised(const double* a) {
  return a[1] * promised(static_cast<int>(a[2])) + a[3] + promised(static_cast<int>(a[4]));
}
int main(int argc, char**) {
  double a[100];
  for (int i = 0; i < 100; i++) a[i] = i * 0.1;
  printf("%g %g %g\n", byval(sret(2.0), 3), varf(3, 1.0, 2.0, 3.0), g_init);
  printf("%g\n", exc(a, 50));
  try {
    printf("%g\n", exc_through(a, 50));
  } catch (std::exception& e) {
    printf("caught %s\n", e.what());
  }
  printf("%g\n", sj());
  printf("%g\n", fib(12));
  unsigned char prog[] = {0, 1, 2, 3};
  printf("%g\n", interp(prog, 1.0));
  printf("%d %d\n", find(a, 100, 5.0), find(a, 100, 1e9));
  for (int k = 0; k < 7; k++) printf("%g ", sw(k, 2.0));
  printf("%g %g\n", inf(1.0), triangular(a, 40));
  std::vector<Shape*> v;
  for (int i = 0; i < 10; i++) v.push_back(i % 2 ? (Shape*)new Sq(i) : (Shape*)new Ci(i));
  double s = 0;
  for (auto* p : v) s += p->area();
  printf("%g\n", s);
  tl += 2;
  std::function<double(double)> f = [&](double x) { return x * tl; };
  printf("%g\n", f(3.0));
  printf("%g %g\n", sum(std::vector<double>(37, 1.5)), (double)sum(std::vector<float>(37, 1.5f)));
  double (*volatile fp)(double) = cb;
  printf("%g\n", fp(1));
  for (int i = 0; i < 10; i++) at.fetch_add(i);
  int ex = 45;
  at.compare_exchange_strong(ex, 7);
  printf("%d\n", at.load());
  char x[200] = {1}, y[200] = {2};
  copies(x, y, 100 + argc);
  printf("%d\n", x[50]);
  printf("%g %g\n", libm(a, 20), (double)x87(2.0L));
  float b[64];
  for (int i = 0; i < 64; i++) b[i] = i / 64.f;
  printf("%g\n", f32(b, 64));
  printf("%d\n", gcd(1071 * 3, 462 * 3));
  double d[100] = {0};
  int c[100];
  for (int i = 0; i < 100; i++) c[i] = (i * 7) % 11;
  masked_store(d, a, c, 100);
  double q = 0;
  for (double z : d) q += z;
  printf("%g\n", q);
  for (int i = 0; i < 100; i++) c[i] = (i * 37) % 100;
  gather(d, a, c, 100);
  scatter(d, a, c, 99);
  q = 0;
  for (double z : d) q += z;
  printf("%g\n", q);
  printf("%g\n", around_promised(a));
  asm volatile("nop" ::: "memory");
  asm volatile("" ::: "memory");
  std::map<std::string, int> m;
  for (int i = 0; i < 20; i++) m["k" + std::to_string(i % 5)] += i;
  for (auto& [k, w] : m) printf("%s=%d ", k.c_str(), w);
  puts("");
  for (int i = 0; i < 10; i++) {
    a[i] = a[i] * 2.0 + 1;
    if (i == 5) exit(3);
  }
  return 0;
}
