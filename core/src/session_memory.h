// What a session keeps from run to run.
#pragma once

#include "attention/multi_head.h"
#include "attention/session.h"
#include "mask_rule.h"
#include "parameters_in_use.h"
#include "word_rows.h"

namespace attention {

struct Session::Memory {
  ParametersInUse parameters;
  WordRows words;
  MaskRule mask;
  MultiHeadScratch scratch;
};

}  // namespace attention
