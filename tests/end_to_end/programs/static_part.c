#include "work.h"

double static_part(long n) {
  return work(n);
}
