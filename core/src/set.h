// Kernels are compiled once for each width of vectors that a program may choose (attention/vectors.h), each set
// in a namespace of its own: four_lanes, eight_lanes, sixteen_lanes. `in_use` has the same functions, which call
// those of the chosen set (set_in_use.cpp); a build for one width has its kernels there.
#pragma once

#ifndef ATTENTION_SET
#define ATTENTION_SET in_use
#endif
