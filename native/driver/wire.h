// What travels between a session and the process that calls the driver for it. There records go as they are, after the
// number of the protocol and the driver's path, which is counted and filled up to a whole word. Back comes the number of the
// protocol, and then replies.
#pragma once

#include <cstdint>

namespace mmptx {

constexpr uint64_t kDeviceProtocol = 0x6d6d707478646501;

// What the executable is started with.
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
  // Whether there is a payload, be it of no bytes.
  uint16_t hasPayload;
  uint32_t unused;
};

}  // namespace mmptx
