#include "mask_table.h"

#include <array>

namespace attention {

namespace {

bool allows_all(std::size_t, std::size_t) { return true; }
bool allows_causal(std::size_t query, std::size_t key) { return key <= query; }

// In the order of the enumerators of Mask.
constexpr std::array<Allows, 3> kTable{allows_all, allows_causal, allows_causal};

}  // namespace

Allows allows(Mask mask) { return kTable[static_cast<std::size_t>(mask)]; }

}  // namespace attention
