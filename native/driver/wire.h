// What travels between a session and the process that calls the driver for it. The session sends the number of the
// protocol, the driver's path, counted and padded to a whole word, and then records as they are. The process sends the
// number of the protocol, and then replies.
#pragma once

#include <cstdint>

namespace mmptx {

constexpr uint64_t kDeviceProtocol = 0x6d6d707478646501;

// The argument that the executable is started with.
constexpr const char *kDeviceWord = "--device";

// Followed by the values, the text, and the payload.
struct ReplyHead {
  uint64_t payloadBytes;
  uint64_t textBytes;
  uint32_t values;
  uint32_t ticket;
  uint32_t tag;
  int32_t status;
  uint16_t operation;
  // Whether there is a payload, possibly of no bytes.
  uint16_t hasPayload;
  uint32_t unused;
};

}  // namespace mmptx
