// Scopes as markers, left in the usual way and by an exception. Argument: n.
#include <cstdio>
#include <cstdlib>
#include <ridge/marker.h>
#include <stdexcept>
#include <vector>

namespace {

__attribute__((noinline)) void add(std::vector<double>& a) {
  for (double& x : a) {
    x = x + 1.5;
  }
}

__attribute__((noinline)) void throws(std::vector<double>& a, bool now) {
  const ridge::Marker marker("throws");
  add(a);
  if (now) {
    throw std::runtime_error("left");
  }
  add(a);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<double> a(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000);
  for (int i = 0; i < 4; ++i) {
    RIDGE_MARKER_SCOPE("around");
    try {
      throws(a, i % 2 == 0);
    } catch (const std::runtime_error&) {
      add(a);
    }
  }
  add(a);
  std::printf("%g\n", a[0]);
}
