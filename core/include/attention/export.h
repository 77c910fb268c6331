// What a shared library shows to programs; the rest of it is hidden. Whoever links one as CMake or pkg-config say
// has ATTENTION_SHARED defined.
#pragma once

#ifndef ATTENTION_SHARED
#define ATTENTION_API
#elif defined(__cplusplus)
#define ATTENTION_API [[gnu::visibility("default")]]
#else
#define ATTENTION_API __attribute__((visibility("default")))
#endif
