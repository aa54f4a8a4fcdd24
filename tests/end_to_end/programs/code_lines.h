static inline double twice(double x) {
  return 2.0 * x; /* one multiplication of a header */
}
