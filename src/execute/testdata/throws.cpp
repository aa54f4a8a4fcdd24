#include <stdexcept>

extern "C" void throws_error() {
  throw std::runtime_error("no such grid");
}
extern "C" void throws_number() {
  throw 42;
}
