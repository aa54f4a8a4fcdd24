/* Straight-line code: every operation counted must stand in the disassembly once. */
__attribute__((noinline)) double f0(double a, double b, double c) {
  return a * b + c;
}
__attribute__((noinline)) double f1(double a, double b, double c, double d) {
  return a * b + c * d;
}
__attribute__((noinline)) double f2(double a, double b, double c) {
  double m = a * b;
  return m + c * m;
}
__attribute__((noinline)) double f3(double a, double b, double c, double d, double e) {
  return a * b + c * d + e;
}
__attribute__((noinline)) double f4(double a, double b, double c) {
  return c - a * b;
}
__attribute__((noinline)) double f5(double a, double b, double c) {
  return a * b - c;
}
__attribute__((noinline)) double f6(double a, double b, double c) {
  return -(a * b) - c;
}
__attribute__((noinline)) double f7(double a, double b, double c, double d) {
  double t = a * b;
  return t * d - (c + t);
}
__attribute__((noinline)) double f8(double a, double b) {
  return (a + b) * (a - b) + a / b;
}
__attribute__((noinline)) double f9(double a, double b, double c, double d, double e, double f,
                                    double g) {
  return a * b + c * d + e * f + g;
}
__attribute__((noinline)) float f10(float a, float b, float c) {
  return a * b + c;
}
__attribute__((noinline)) double f11(double a, double b, double c, double d) {
  return (a - b) * c - d * (a - b);
}
__attribute__((noinline)) void f12(double* restrict x, const double* restrict y) {
  for (int i = 0; i < 8; i++) x[i] = x[i] * 2.5 + y[i];
}
__attribute__((noinline)) double f13(double a, double b, double c, int k) {
  double m = a * b;
  if (k > 3) m = m + c;
  return m;
}
__attribute__((noinline)) double f14(double a, double b, double c) {
  return __builtin_fma(a, b, c) + __builtin_sqrt(a);
}

int main(void) {
  static double x[8], y[8];
  volatile double one = 1.0;
  double o = one;
  double s =
      f0(o, 2, 3) + f1(o, 2, 3, 4) + f2(o, 2, 3) + f3(o, 2, 3, 4, 5) + f4(o, 2, 3) + f5(o, 2, 3);
  s += f6(o, 2, 3) + f7(o, 2, 3, 4) + f8(o, 2) + f9(o, 2, 3, 4, 5, 6, 7) + (double)f10(1.0f, 2, 3);
  f12(x, y);
  s += f11(o, 2, 3, 4) + f13(o, 2, 3, 5) + f14(o, 2, 3) + x[3];
  return s == 0.5;
}
