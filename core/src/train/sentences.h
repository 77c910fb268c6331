// Tasks in a small English, whose sentences are drawn from frames.
#pragma once

#include "train/draws.h"

namespace attention::words {

inline constexpr std::uint32_t kMostWords = 32;  // of a sentence

std::uint32_t vocabulary();

void stands_for(const TaskSettings& settings, Draws& draws, const Text& text);
void who(const TaskSettings& settings, Draws& draws, const Text& text);

}  // namespace attention::words
