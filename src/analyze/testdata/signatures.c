/* Functions as they are declared: what a caller has to give them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

double plane[10][20];
double* restrict moved;
int N = 40;
float factor;
static int32_t hidden[5];
const double weights[3] = {0.25, 0.5, 0.25};
struct grid {
  double* data;
  int n;
} grid;

void vectors(double* restrict y, const float* x, int n, size_t stride, double a, float b) {
  for (int i = 0; i < n; ++i) y[i * stride] = a * x[i] + b;
}

void variable_extents(int m, int n, double a[restrict m][n], const double b[restrict 100][200], const int32_t index[n]) {
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) a[j][i] = b[j][index[i]];
}

enum colour { red, black };
void small_integers(signed char a, unsigned char b, short c, uint16_t d, bool e, enum colour f, const volatile uint8_t* g) {}

static void fills(int n) {
  for (int i = 0; i < n; ++i) hidden[i] = i;
}
void with_variables(void) {
  fills(5);
  for (int i = 0; i < N; ++i) plane[1][i % 20] = factor * moved[i] * weights[i % 3];
}

void with_structure(struct grid by_value, struct grid* by_pointer, double** rows, void (*each)(int), void* opaque, long double wide,
                    double _Complex* z) {
  by_pointer->data[0] = by_value.data[0] + grid.n;
}
double* returns_pointer(double* a) { return a; }
double returns_number(double a) { return a; }
long double returns_wide(double a) { return a; }
struct grid returns_structure(double* a) { return (struct grid){a, 1}; }
int with_any_number(int n, ...) { return n; }
