// attention_accuracy: a line an operator, "name | bound | largest error"; exit status 0 when none
// exceeds its bound.
#include <cstdio>

#include "operators.h"

int main() {
  bool all = true;
  for (const accuracy::Operator& o : accuracy::operators()) {
    const double measured = o.measure();
    all = all && measured <= o.bound;
    std::printf("%s | %.3g | %.2g%s\n", o.name.data(), o.bound, measured,
                measured <= o.bound ? "" : " | exceeds its bound");
  }
  return all ? 0 : 1;
}
