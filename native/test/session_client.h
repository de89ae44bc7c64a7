// A client of a session: records made of names and numbers, and replies by ticket. Each client has its own driver, and
// expects at its end that the driver has logged no violation.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "check.h"
#include "driver_copy.h"
#include "operations.h"
#include "session.h"

namespace session_test {

using mmptx::Bytes;
using mmptx::Clock;
using mmptx::RecordHeader;
using mmptx::Reply;
using mmptx::Session;
using std::chrono::milliseconds;

constexpr Clock::time_point kNever = Clock::time_point::max();

inline uint16_t numberOf(const std::string &name) {
  for (uint16_t i = 0; i < mmptx::operationCount(); i++) {
    if (name == mmptx::operationOf(i)->name) return i;
  }
  check::fail(__FILE__, __LINE__, "no operation " + name);
  return 0;
}

using Slots = std::vector<uint64_t>;

inline std::vector<uint8_t> record(const std::string &name, const Slots &slots, uint32_t ticket,
                                   const std::string &payload = "", uint64_t apart = 0) {
  RecordHeader header{};
  const std::size_t head = sizeof header + 8 * slots.size();
  header.payloadBytes = payload.size() + apart;
  header.size = mmptx::wholeWords(head + header.payloadBytes);
  header.operation = numberOf(name);
  header.slots = static_cast<uint16_t>(slots.size());
  header.ticket = ticket;
  header.tag = ticket + 1000;
  std::vector<uint8_t> bytes(apart > 0 ? head : header.size);
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!slots.empty()) std::memcpy(bytes.data() + sizeof header, slots.data(), 8 * slots.size());
  if (!payload.empty()) std::memcpy(bytes.data() + head, payload.data(), payload.size());
  return bytes;
}

enum class Where { thread, process };

// A session with its own driver.
class Client {
 public:
  explicit Client(Where where, const std::string &control = "") : driver(control), where_(where) { start(); }
  explicit Client(const std::string &executable) : where_(Where::process), executable_(executable) { start(); }
  ~Client() {
    EXPECT(session->close(Clock::now() + std::chrono::seconds(20)));
    EXPECT(!driver.logged("VIOLATION"));
  }

  Reply call(const std::string &name, const Slots &slots = {}, const std::string &payload = "") {
    Reply reply;
    const std::vector<uint8_t> bytes = record(name, slots, ++last_, payload);
    EXPECT_EQUAL(session->call(bytes.data(), bytes.size(), kNever, reply), std::string());
    EXPECT_EQUAL(reply.ticket, last_);
    EXPECT_EQUAL(reply.tag, last_ + 1000);
    return reply;
  }
  // The first value of an operation that must succeed.
  uint64_t get(const std::string &name, const Slots &slots = {}, const std::string &payload = "") {
    const Reply reply = call(name, slots, payload);
    EXPECT_EQUAL(reply.status, 0);
    return reply.values.empty() ? 0 : reply.values[0];
  }

  // Returns its ticket.
  uint32_t submit(const std::string &name, const Slots &slots = {}, const std::string &payload = "") {
    const std::vector<uint8_t> bytes = record(name, slots, ++last_, payload);
    return send(bytes, Bytes());
  }
  uint32_t submitApart(const std::string &name, const Slots &slots, const std::string &payload) {
    const std::vector<uint8_t> bytes = record(name, slots, ++last_, "", payload.size());
    return send(bytes, Bytes(payload.data(), payload.size()));
  }
  void submitWithoutTicket(const std::string &name, const Slots &slots) {
    const std::vector<uint8_t> bytes = record(name, slots, 0);
    uint32_t tickets = 1;
    EXPECT_EQUAL(session->submit(bytes.data(), bytes.size(), Bytes(), tickets), std::string());
    EXPECT_EQUAL(tickets, 0u);
  }

  // Ticket 0 is the first failure of a record without a ticket.
  Reply answer(uint32_t ticket) {
    for (;;) {
      // Not under the mutex: `wake` locks it while the session holds its own.
      session->take(replies_, SIZE_MAX);
      const auto found = std::find_if(replies_.begin(), replies_.end(),
                                      [ticket](const Reply &reply) { return reply.ticket == ticket; });
      if (found != replies_.end()) {
        Reply reply = std::move(*found);
        replies_.erase(found);
        return reply;
      }
      std::unique_lock<std::mutex> lock(mutex_);
      woken_.wait(lock, [this] { return any_; });
      any_ = false;
    }
  }
  bool anyReply() {
    session->take(replies_, SIZE_MAX);
    return !replies_.empty();
  }

  const DriverCopy driver;
  std::shared_ptr<Session> session;

 private:
  void start() {
    const auto wake = [this] {
      std::lock_guard<std::mutex> lock(mutex_);
      any_ = true;
      woken_.notify_one();
    };
    session = where_ == Where::thread ? mmptx::threadSession(driver.path(), wake)
                                      : mmptx::workerSession(driver.path(), {executable_, {}}, wake);
  }
  uint32_t send(const std::vector<uint8_t> &bytes, Bytes &&payload) {
    uint32_t tickets = 0;
    EXPECT_EQUAL(session->submit(bytes.data(), bytes.size(), std::move(payload), tickets), std::string());
    EXPECT_EQUAL(tickets, 1u);
    return last_;
  }

  const Where where_;
  const std::string executable_ = check::setting("MMPTX_TEST_WORKER", MMPTX_TEST_WORKER);
  uint32_t last_ = 0;
  std::mutex mutex_;
  std::condition_variable woken_;
  bool any_ = false;
  std::vector<Reply> replies_;
};

constexpr Where kBoth[] = {Where::thread, Where::process};

inline std::string randomBytes(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; i += 8) {
    const uint64_t word = check::random()();
    std::memcpy(bytes.data() + i, &word, std::min<std::size_t>(8, size - i));
  }
  return bytes;
}

inline std::string textOf(const Bytes &bytes) { return std::string(reinterpret_cast<const char *>(bytes.data()), bytes.size()); }

}  // namespace session_test
