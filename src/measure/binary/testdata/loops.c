/* Loops that compilers turn into several, move into other functions, and nest. */
void add(int n, double *restrict a, const double *restrict b)
{
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}

static inline double dot(int n, const double *a, const double *b)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}

double twice(int n, const double *a, const double *b)
{
  double x = dot(n, a, b);
  double t = 0;
  for (int k = 0; k < n; k++) {
    t += dot(k, a, b + k);
  }
  return x + t;
}

int walk(const char *s, char *out)
{
  int n = 0;
  while (*s) {
    if (*s == 'a')
      out[n++] = *s;
    s++;
  }
  do {
    out[n] = out[n - 1] + 1;
    n--;
  } while (n > 0);
  return n;
}

void line(int n, double *c, double *d)
{
  for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) { d[i] /= c[j]; } }
}
