#include "../kernels.h"
#include "attention/stages.h"

namespace attention {

void compute_embeddings(const Inputs&, Trace& t) {
  kernels::add(t.embeddings.data(), t.content.data(), t.position.data(), t.embeddings.size());
}

void compute_key_embeddings(const Inputs&, Trace& t) {
  kernels::add(t.key_embeddings.data(), t.key_content.data(), t.key_position.data(),
               t.key_embeddings.size());
}

}  // namespace attention
