// The library's version, from which CMake takes it. What may change between versions: web/docs/changes.md.
#pragma once

#define ATTENTION_VERSION_MAJOR 0
#define ATTENTION_VERSION_MINOR 2
#define ATTENTION_VERSION_PATCH 0

// 200 for 0.2.0.
#define ATTENTION_VERSION \
  (ATTENTION_VERSION_MAJOR * 10000 + ATTENTION_VERSION_MINOR * 100 + ATTENTION_VERSION_PATCH)
