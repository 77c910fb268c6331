// Keys and values of the tokens read so far, so that only new tokens need to be computed.
#pragma once

#include <cstddef>

#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/export.h"
#include "attention/heads.h"

namespace attention {

// (batch, key_heads, capacity, width) each; the batches hold equally many tokens. Moved from, it is as
// one without room. One thread at a time; several may read while none appends, truncates or reserves.
class ATTENTION_API KeyValueCache {
 public:
  KeyValueCache() = default;
  KeyValueCache(KeyValueCache&& other) noexcept;
  KeyValueCache& operator=(KeyValueCache&& other) noexcept;

  // Makes room, and forgets all tokens. Sizes of 0, of over 2^28 numbers in all, or for which there is no memory, are
  // rejected; the cache then has no room.
  Error reserve(std::size_t key_heads, std::size_t capacity, std::size_t key_width,
                std::size_t value_width, std::size_t batch = 1);
  std::size_t batch() const { return extents_.batch; }
  std::size_t key_heads() const { return extents_.key_heads; }
  std::size_t key_width() const { return extents_.key_width; }
  std::size_t value_width() const { return extents_.value_width; }
  std::size_t length() const { return extents_.length; }  // tokens held, of each batch
  std::size_t capacity() const { return extents_.capacity; }

  // Appends as many tokens to every batch as key and value have rows: (batch, key_heads, rows, key_width)
  // and (batch, key_heads, rows, value_width), neither within the cache. Refused, and nothing changed,
  // when they do not fit or there is no room.
  Error append(Heads<const float> key, Heads<const float> value);

  // Forgets the tokens from `length` on; more than it holds changes nothing.
  void truncate(std::size_t length);

  // Views of what is held, until the next reserve(); append() leaves their numbers in place.
  Heads<const float> keys() const;    // (batch, key_heads, length, key_width)
  Heads<const float> values() const;  // (batch, key_heads, length, value_width)

 private:
  struct Extents {
    std::size_t batch = 0, key_heads = 0, capacity = 0, key_width = 0, value_width = 0, length = 0;
  };

  Buffer memory_;
  Extents extents_;
};

}  // namespace attention
