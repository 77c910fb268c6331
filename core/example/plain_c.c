/* The operator from C: the context of four queries over four keys, causally. */
#include <stdio.h>

#include "attention/attention_c.h"

int main(void) {
  enum { T = 4, D = 2 };
  float x[T * D] = {1, 0, 0, 1, 1, 1, 2, 0}, context[T * D];
  const size_t extents[4] = {1, 1, T, D};
  attention_call* const call = attention_new();
  int failed = call == NULL || attention_tensor(call, "query", x, extents, NULL) ||
               attention_tensor(call, "key", x, extents, NULL) || attention_tensor(call, "value", x, extents, NULL) ||
               attention_tensor(call, "context", context, extents, NULL) ||
               attention_option(call, "is_causal", 1) || attention_run(call);
  if (failed) fprintf(stderr, "%s\n", attention_error(call));
  for (int t = 0; t < T && !failed; ++t) printf("%6.3f %6.3f\n", context[t * D], context[t * D + 1]);
  if (!attention_option(call, "softcup", 30)) failed = 1;
  printf("%s\n", attention_error(call));
  attention_free(call);
  return failed;
}
