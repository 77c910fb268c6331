// What a shared library shows to programs; the rest of it is hidden. Whoever links one as CMake or pkg-config say
// has ATTENTION_SHARED defined.
#pragma once

#ifdef ATTENTION_SHARED
#define ATTENTION_API __attribute__((visibility("default")))
#else
#define ATTENTION_API
#endif
