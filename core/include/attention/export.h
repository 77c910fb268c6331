// Marks what a shared library exports; everything else is hidden. CMake and pkg-config define ATTENTION_SHARED for
// programs that link it.
#pragma once

#ifndef ATTENTION_SHARED
#define ATTENTION_API
#elif defined(__cplusplus)
#define ATTENTION_API [[gnu::visibility("default")]]
#else
#define ATTENTION_API __attribute__((visibility("default")))
#endif
