// Replies of a session, and the tickets that wait for one. Any thread delivers; the session's owner takes. Knows nothing of
// Node: the owner is told by a function that replies wait.
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
  // `wake` is called when replies wait, and not again before `take` left none; never after `shut` returned.
  explicit Outbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  // From now on these are waited for; `awaited`: by `await`, and not by `take`. False, with nothing changed, where a ticket
  // is waited for already.
  bool expect(const std::vector<RecordHeader> &headers, bool awaited);

  // Drops what answers a ticket that nobody waits for any more.
  void deliver(Reply &&reply);

  // Whether the reply that `await` is for came before `until`.
  bool await(Clock::time_point until, Reply &reply);

  // Appends at most `limit` replies.
  void take(std::vector<Reply> &into, std::size_t limit);

  // The session is gone: each ticket, also those to come, gets this for an answer. Only the first call counts.
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
  Reply answer_;
  // Whether `answer_` is there; read without the mutex by one that is about to sleep.
  std::atomic<bool> hasAnswer_{false};
  bool announced_ = false;
  bool shut_ = false;
  std::atomic<bool> lost_{false};
  int32_t lossStatus_ = kClosed;
  std::string lossText_;
};

}  // namespace mmptx
