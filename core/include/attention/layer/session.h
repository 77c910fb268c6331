// Session: runs the whole layer of the page.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "attention/error.h"
#include "attention/export.h"
#include "attention/layer/explanation.h"
#include "attention/layer/parameters.h"
#include "attention/layer/request.h"
#include "attention/layer/settings.h"
#include "attention/layer/trace.h"

namespace attention {

// Weights of one head, row by row.
struct RowMeasures {
  std::vector<float> entropy;  // -sum of w·log2(w), in bits; 0 in a row without weight
  std::vector<float> largest;
  std::vector<int> largest_key;  // the first of equals; -1 in a row without weight
};

// Owns the parameters and the trace, so that a keystroke draws and allocates only what is new. One thread at a time;
// several may read it while none runs it. After a move it is like a new one.
class ATTENTION_API Session {
 public:
  Session();
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // Runs every stage. After an error the trace is empty.
  Error run(Request request, const Settings& settings);

  // The same of `tokens` alone: self-attention, nothing given or edited.
  Error run(std::span<const std::string> tokens, const Settings& settings);

  // The same with stages that another session of the same build has computed: they are copied. If one is missing or
  // has another size, all are computed.
  Error take(Request request, const Settings& settings, std::span<const Given> stages);

  const Trace& trace() const { return trace_; }
  const Settings& settings() const { return settings_; }  // of the last run
  const Request& request() const { return request_; }     // of the last run
  const Parameters& parameters() const;                   // of the last run, edits included

  // A parameter of the last run, row-major; W_V with a value_rank is multiplied out.
  // Empty when the run does not have it.
  std::vector<float> parameter(const ParameterArray& array) const;

  // How number `index` of a stage or parameter was computed.
  Error explain(std::string_view array, std::size_t index, Explanation& out) const;

  // weights[query, key] * value[key, :] for one head and query: [S, d_v]; 0 for masked keys. Their sum over keys is the
  // context row; kept apart, they show what each key contributes.
  Error weighted_values(int head, int query, std::vector<float>& out) const;

  // The sum of the weights of `queries`, in their order: [S].
  Error summed_weights(int head, std::span<const int> queries, std::vector<float>& out) const;

  // Of `weights`, before any dropout: [T] each.
  Error measure_rows(int head, RowMeasures& out) const;

 private:
  struct Memory;  // kept from run to run

  Error prepare(Request request, const Settings& settings);
  Error run_layer();
  bool fill(std::span<const Given> stages);
  Error check_index(int head, int query, int key) const;

  Settings settings_;
  Request request_;
  Trace trace_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace attention
