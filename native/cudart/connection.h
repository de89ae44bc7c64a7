// The socket to the emulator. Messages are sent in the order of the calls; a thread that waits for an answer holds the
// connection.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "abi.h"
#include "wire.h"

namespace cudart {

/** A message under construction. */
class Message {
 public:
  explicit Message(Operation operation) : bytes_(sizeof(MessageHeader)), operation_(operation) {}

  template <typename T>
  Message& add(const T& value) {
    static_assert(std::is_trivially_copyable<T>::value, "only plain data is sent");
    return add(&value, sizeof(T));
  }
  Message& add(const void* data, size_t size) {
    if (size > 0) std::memcpy(reserve(size), data, size);
    return *this;
  }
  Message& add_text(const char* text) { return add(text, std::strlen(text)); }

  /** Room for bytes that the caller fills in. */
  uint8_t* reserve(size_t size) {
    bytes_.resize(bytes_.size() + size);
    return bytes_.data() + bytes_.size() - size;
  }
  const std::vector<uint8_t>& finish(bool wants_answer);

 private:
  std::vector<uint8_t> bytes_;
  Operation operation_;
};

using Answer = std::vector<uint8_t>;

/** The program's device: what the emulator said when it was greeted. Connects on the first call. */
const HelloAnswer& device();

/** Sends a message and returns at once. */
Error post(Message& message);

/** Sends a message, waits for its answer and writes what kernels have printed since. */
Error request(Message& message, Answer* answer = nullptr);

/** Waits for all work. */
Error synchronize();

/** Takes the connection's error, if there is one: the device stays failed until it is reset. */
Error device_error();

/** Clears the device's error after a reset. */
void clear_device_error();

/** Whether this process can talk to the emulator; if it can't, the reason has been written to standard error. */
bool connected();

/** Writes a sentence to standard error. */
void complain(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace cudart
