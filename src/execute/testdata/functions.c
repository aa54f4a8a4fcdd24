/* What the tests have called: loops as they should be, and everything that a function may do wrong. */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

double table[1000];
double* moved;
int length = 7;
float factor;
double* never_given;

void nothing(void) {}

void daxpy(long n, double s, double* restrict y, const double* restrict x) {
  for (long i = 0; i < n; ++i) y[i] += s * x[i];
}

void five_points(long m, long n, float s, float b[restrict m][n], const float a[restrict m][n]) {
  for (long j = 1; j < m - 1; ++j)
    for (long i = 1; i < n - 1; ++i) b[j][i] = s * (a[j][i - 1] + a[j][i + 1] + a[j - 1][i] + a[j + 1][i]);
}

void gather(int n, double* restrict y, const double* restrict x, const int* restrict index) {
  for (int i = 0; i < n; ++i) y[i] = x[index[i]];
}

void globals(void) {
  for (int i = 0; i < length; ++i) table[i] = factor * moved[i];
}

/* More than registers hold, of every kind. */
void many(double* seen, signed char a, float b, unsigned short c, double d, int e, float f, double g, long h, int i, double j, float k,
          double l, unsigned m, float n, double o, long p, float q, short r) {
  const double all[] = {a, b, c, d, e, f, g, (double)h, i, j, k, l, m, n, o, (double)p, q, r};
  memcpy(seen, all, sizeof all);
}

/* Ends with abort() unless all of them are what the test gives. */
void expects(long a, double b, float c, int d) {
  if (a != -3 || b != 2.5 || c != 0.75F || d != 41) abort();
}

void writes_far_behind(double* a, long n) {
  for (long i = 0; i < n + 100; ++i) a[i] = 1.0;
}
void writes_just_behind(char* a, long n) { a[n + 2] = 'x'; }
void writes_in_front(double* a) { a[-3] = 1.0; }
void reads_behind(const double* a, double* b, long n) {
  double sum = 0.0;
  for (long i = 0; i < 2 * n; ++i) sum += a[i];
  b[0] = sum;
}
void reads_null(double* a) { a[0] = never_given[0]; }
void jumps_far(double* a, long n) { a[n] = 1.0; }

void forever(volatile int* a) {
  for (;;) ++*a;
}
void sleeps(void) {
  if (fork() == 0) sleep(600);
  sleep(600);
}
void exits(int code) { exit(code); }
void exits_at_once(int code) { _exit(code); }
void aborts(void) { assert(length < 0); }
int recursive(int n) {
  volatile char frame[1000];
  frame[0] = (char)n;
  return recursive(n + 1) + frame[0];
}
void large_frame(int n) {
  volatile char frame[1 << 30];
  frame[n] = 1;
}
int divides(int a, int b) { return a / b; }
void traps(void) { __builtin_trap(); }
void kills_itself(void) { raise(SIGKILL); }
void expects_one_thread(void) {
  const char* threads = getenv("OMP_NUM_THREADS");
  if (threads == NULL || strcmp(threads, "1") != 0) abort();
}
void prints(void) {
  puts("printed");
  fprintf(stderr, "complained\n");
}
void shrinks(double* a, long n) {
  for (long i = 0; i < n; ++i) a[i] *= 1e-40;
  for (long i = 0; i < n; ++i) a[i] = a[i] < 1e-310 ? 1e-310 : a[i];
}

int missing_elsewhere(void);
int needs_more(void) { return missing_elsewhere(); }
