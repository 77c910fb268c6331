#include <vector>

#include "attention/attention.h"
#include "attention/lessons.h"
#include "attention/layer/session.h"

// Uses something of every part; 0 when all of it works.
extern "C" __attribute__((visibility("default"))) int plugin() {
  using namespace attention;
  std::vector<float> x(64, 1.0f), context(64);
  Workers workers(2);
  if (attend(heads_first<const float>(x.data(), 1, 2, 4, 8), heads_first<const float>(x.data(), 1, 2, 4, 8),
             heads_first<const float>(x.data(), 1, 2, 4, 8), {}, heads_first(context.data(), 1, 2, 4, 8), workers)) {
    return 1;
  }
  if (context != x) return 2;
  Session session;
  const std::vector<std::string> tokens{"a", "b"};
  if (session.run(tokens, {}) || session.trace().weights.size() != 16) return 3;
  Trainer trainer;
  if (trainer.start(lessons().front().shape, 1)) return 4;
  return message(error(Rule::option_softcap)).empty() ? 5 : 0;
}
