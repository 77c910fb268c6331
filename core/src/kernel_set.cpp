// Compiled once a set, as the kernels are.
#include "kernel_set.h"

#include "lanes.h"

#define ATTENTION_JOIN(a, b) a##b
#define ATTENTION_NAME(prefix, set) ATTENTION_JOIN(prefix, set)

namespace attention {

constexpr KernelSet ATTENTION_NAME(set_of_, ATTENTION_SET){
    static_cast<int>(kLanes), Lanes::arch_type::name(), panels_path, weigh_row,
#define ATTENTION_ENTRY(name) kernels::name,
    ATTENTION_EACH_KERNEL(ATTENTION_ENTRY)
#undef ATTENTION_ENTRY
};

}  // namespace attention
