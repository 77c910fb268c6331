// The vector types of the kernels, named once.
#pragma once

#include <xsimd/xsimd.hpp>

namespace attention {

using Lanes = xsimd::batch<float>;
inline constexpr std::size_t kLanes = Lanes::size;

}  // namespace attention
