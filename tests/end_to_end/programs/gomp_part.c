/* Compiled by gcc with -fopenmp: a library whose threads are libgomp's and whose code is not
 * instrumented. */

double gomp_sum(long n, const double* values);

double gomp_sum(long n, const double* values) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (long i = 0; i < n; ++i) {
    sum += values[i];
  }
  return sum;
}
