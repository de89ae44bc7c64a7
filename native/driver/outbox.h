// The replies of a session, and the tickets that wait for one. Any thread may deliver; the session's owner takes. Knows
// nothing of Node: a callback tells the owner that there are replies.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "at_exit.h"
#include "record.h"

namespace mmptx {

class Outbox {
 public:
  // `wake` is called when there are replies, not again before `take` has left none, and never after `shut` has
  // returned.
  explicit Outbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Starts waiting for these tickets; `awaited` is the one that `await` waits for, and that `take` skips. Returns
  // false, with nothing changed, if a ticket is already being waited for.
  bool expect(const std::vector<RecordHeader> &headers, bool awaited);

  // A reply is dropped if its ticket is no longer waited for. Returns false if more replies without a ticket are waiting
  // to be taken than any driver sends.
  bool deliver(Reply &&reply);

  // Whether the reply that `await` waits for came before `until`.
  bool await(Clock::time_point until, Reply &reply);

  // Appends at most `limit` replies.
  void take(std::vector<Reply> &into, std::size_t limit);

  // The session is gone: each ticket, including future ones, is answered with this. Only the first call counts.
  void lose(int32_t status, const std::string &text);
  bool lost() const { return lost_.load(std::memory_order_relaxed); }

  // Nobody takes replies any more.
  void shut();

 private:
  struct Expected {
    Expected(const RecordHeader &header, bool sync)
        : tag(header.tag), operation(header.operation), idle((header.flags & kIdle) != 0), awaited(sync) {}
    uint32_t tag;
    uint16_t operation;
    bool idle;
    bool awaited;
  };
  void put(Reply &&reply, bool awaited);
  void putLoss(uint32_t ticket, const Expected &expected);

  std::mutex mutex_;
  std::condition_variable answered_;
  std::function<void()> wake_;
  std::unordered_map<uint32_t, Expected> expected_;
  std::deque<Reply> replies_;
  // The memory that those of them have that have no ticket.
  std::size_t unaskedBytes_ = 0;
  Reply answer_;
  // Whether `answer_` has arrived; a thread that is about to sleep reads it without the mutex.
  std::atomic<bool> hasAnswer_{false};
  bool announced_ = false;
  bool shut_ = false;
  std::atomic<bool> lost_{false};
  int32_t lossStatus_ = kClosed;
  std::string lossText_;
};

}  // namespace mmptx
