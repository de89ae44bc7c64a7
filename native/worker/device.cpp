// The session in this process is like any other: records arrive through a pipe, and a thread writes the replies.
#include "device.h"

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "process.h"
#include "record.h"
#include "session.h"

namespace mmptx {
namespace {

// A larger payload is not copied again.
constexpr uint64_t kApart = 1 << 16;
constexpr std::size_t kBatch = 64;

// Never destroyed: threads use it until the process ends.
struct Replies {
  std::mutex mutex;
  std::condition_variable came;
  bool any = false;

  void announce() {
    std::lock_guard<std::mutex> lock(mutex);
    any = true;
    came.notify_one();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    came.wait(lock, [this] { return any; });
    any = false;
  }
};

bool writeReply(const Reply &reply) {
  ReplyHead head{};
  head.payloadBytes = reply.payload.size();
  head.textBytes = reply.text.size();
  head.values = static_cast<uint32_t>(reply.values.size());
  head.ticket = reply.ticket;
  head.tag = reply.tag;
  head.status = reply.status;
  head.operation = reply.operation;
  head.hasPayload = reply.payload ? 1 : 0;
  const Piece pieces[] = {{&head, sizeof head},
                          {reply.values.data(), reply.values.size() * sizeof(uint64_t)},
                          {reply.text.data(), reply.text.size()},
                          {reply.payload.data(), reply.payload.size()}};
  return writeAll(pieces, 4);
}

void writeReplies(Session &session, Replies &replies) {
  std::vector<Reply> batch;
  for (;;) {
    replies.wait();
    do {
      batch.clear();
      session.take(batch, kBatch);
      for (const Reply &reply : batch) {
        if (!writeReply(reply)) endProcess(1);
      }
    } while (batch.size() == kBatch);
  }
}

// The control pipe is closed when the parent ends, however it ends.
void listenForRequests() {
  char byte;
  while (readAll(End::control, &byte, 1)) {
  }
  endProcess(0);
}

// False if the other side is gone, or sends something that it never would.
bool pass(Session &session) {
  RecordHeader header;
  if (!readAll(End::data, &header, sizeof header)) return false;
  const std::size_t head = sizeof header + std::size_t{8} * header.slots;
  if (header.size < head || header.payloadBytes > header.size) return false;
  const bool apart = header.payloadBytes > kApart;
  std::vector<uint8_t> record(apart ? head : header.size);
  std::memcpy(record.data(), &header, sizeof header);
  if (!readAll(End::data, record.data() + sizeof header, record.size() - sizeof header)) return false;
  Bytes payload;
  if (apart) {
    payload = Bytes(header.payloadBytes);
    uint8_t filling[8];
    if (!readAll(End::data, payload.data(), payload.size()) ||
        !readAll(End::data, filling, wholeWords(payload.size()) - payload.size())) {
      return false;
    }
  }
  uint32_t tickets = 0;
  return session.submit(record.data(), record.size(), std::move(payload), tickets).empty();
}

}  // namespace

int serveDevice() {
  expectCrashes();
  uint64_t opening[2];
  if (!readAll(End::data, opening, sizeof opening) || opening[0] != kDeviceProtocol) return 1;
  std::string path(wholeWords(opening[1]), '\0');
  if (!readAll(End::data, path.data(), path.size())) return 1;
  path.resize(opening[1]);
  const Piece protocol{&kDeviceProtocol, sizeof kDeviceProtocol};
  if (!writeAll(&protocol, 1)) return 1;
  std::thread(listenForRequests).detach();
  auto *replies = new Replies;
  const std::shared_ptr<Session> session = threadSession(path, [replies] { replies->announce(); });
  std::thread([session, replies] { writeReplies(*session, *replies); }).detach();
  while (pass(*session)) {
  }
  return 0;
}

}  // namespace mmptx
