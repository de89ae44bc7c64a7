// What a session is asked and what it answers. Both sides of a session are built together and run on one machine, so
// structs are sent as they are, little-endian, in whole words.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace mmptx {

// Followed by `slots` words and by the payload, which is padded to a whole word.
struct RecordHeader {
  // The size of the whole record, including the payload.
  uint64_t size;
  uint16_t operation;
  uint16_t slots;
  // Zero: answered only if it fails.
  uint32_t ticket;
  // The caller's own value, which is returned.
  uint32_t tag;
  // A combination of `RecordFlag`.
  uint32_t flags;
  uint64_t payloadBytes;
};
static_assert(sizeof(RecordHeader) == 32, "JavaScript writes it");

enum RecordFlag : uint32_t {
  // The caller wants the reply but keeps nothing alive for it.
  kIdle = 1,
};

// Statuses that no driver returns. Positive ones are CUresult.
enum Status : int32_t {
  kDone = 0,
  kMissingFunction = -1,
  kNoDriver = -2,
  kClosed = -3,
  kMalformed = -4,
  kDied = -5,
  kKilled = -6,
};

// Memory whose ownership can be transferred, above all to JavaScript.
class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::size_t size) : data_(static_cast<uint8_t *>(std::malloc(size == 0 ? 1 : size))), size_(size) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  Bytes(const void *from, std::size_t size) : Bytes(size) {
    if (size > 0) std::memcpy(data_.get(), from, size);
  }
  Bytes(Bytes &&other) noexcept : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  Bytes &operator=(Bytes &&other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  // Whether there is a payload, possibly of no bytes.
  explicit operator bool() const { return data_ != nullptr; }
  uint8_t *data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  // To be freed with `free`.
  uint8_t *release() {
    size_ = 0;
    return data_.release();
  }

 private:
  struct Free {
    void operator()(uint8_t *data) const { std::free(data); }
  };
  std::unique_ptr<uint8_t, Free> data_;
  std::size_t size_ = 0;
};

struct Reply {
  uint32_t ticket = 0;
  uint32_t tag = 0;
  uint16_t operation = 0;
  int32_t status = kDone;
  // Whether it answers a record that keeps nothing alive.
  bool idle = false;
  std::vector<uint64_t> values;
  Bytes payload;
  std::string text;
};

// Records one after another; the payload of the last one may be separate.
struct Batch {
  std::vector<uint64_t> words;
  Bytes payload;
};

// A record in place.
struct Record {
  RecordHeader header;
  const uint64_t *slots;
  const uint8_t *payload;
  // The payload itself if it is separate, for a caller that wants to keep it.
  Bytes *apart;
};

constexpr std::size_t wholeWords(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

// The record at `at`, and the position after it. `words` are records that were checked.
inline Record recordAt(Batch &batch, std::size_t &at) {
  Record record{};
  const uint64_t *start = batch.words.data() + at;
  std::memcpy(&record.header, start, sizeof record.header);
  record.slots = start + sizeof record.header / 8;
  const uint64_t *behind = record.slots + record.header.slots;
  at = static_cast<std::size_t>(behind - batch.words.data());
  if (at == batch.words.size() && batch.payload) {
    record.payload = batch.payload.data();
    record.apart = &batch.payload;
  } else {
    record.payload = reinterpret_cast<const uint8_t *>(behind);
    at += wholeWords(record.header.payloadBytes) / 8;
  }
  return record;
}

}  // namespace mmptx
