// A library that comes and goes while the program runs.
double of_library(double x, long turns) {
  for (long i = 0; i < turns; ++i) {
    x = x * 0.5 + 1.0;
  }
  return x;
}
