/* A sweep whose vector loop runs 15 times in AVX2 (248 = 15 * 16 + 8): unrolled by two, it is left in the middle of the
 * second copy's front, and its latch jumps back in any case. */
enum { N = 250 };

static double a[N][N];
static double b[N][N];

__attribute__((noinline)) void sweep(double from[N][N], double to[N][N]) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      to[i][j] = 0.2 * (from[i][j] + from[i][j - 1] + from[i][j + 1] + from[i + 1][j] + from[i - 1][j]);
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i + j;
  sweep(a, b);
  return b[N / 2][N / 2] != N;
}
