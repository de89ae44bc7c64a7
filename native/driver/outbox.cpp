// The owner is woken with the mutex held, so `shut` never returns while a wake-up is in progress.
#include "outbox.h"

#include <utility>

#include "pause.h"

namespace mmptx {
namespace {

// The driver usually answers sooner than a thread can be woken.
constexpr std::chrono::microseconds kAwaitAwake{50};
// A million launches that failed and that nobody has heard of yet fit.
constexpr std::size_t kMostUnasked = std::size_t{256} << 20;

std::size_t sizeOf(const Reply &reply) {
  return sizeof reply + reply.values.size() * sizeof(uint64_t) + reply.payload.size() + reply.text.size();
}

}  // namespace

bool Outbox::expect(const std::vector<RecordHeader> &headers, bool awaited) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t i = 0; i < headers.size(); i++) {
    if (expected_.emplace(headers[i].ticket, Expected(headers[i], awaited)).second) continue;
    while (i-- > 0) expected_.erase(headers[i].ticket);
    return false;
  }
  if (awaited) hasAnswer_ = false;
  if (!lost_) return true;
  for (const RecordHeader &header : headers) putLoss(header.ticket, Expected(header, awaited));
  expected_.clear();
  return true;
}

void Outbox::put(Reply &&reply, bool awaited) {
  if (awaited) {
    answer_ = std::move(reply);
    hasAnswer_.store(true, std::memory_order_release);
    answered_.notify_one();
    return;
  }
  if (shut_) return;
  replies_.push_back(std::move(reply));
  if (announced_) return;
  announced_ = true;
  wake_();
}

void Outbox::putLoss(uint32_t ticket, const Expected &expected) {
  Reply reply;
  reply.ticket = ticket;
  reply.tag = expected.tag;
  reply.operation = expected.operation;
  reply.idle = expected.idle;
  reply.status = lossStatus_;
  reply.text = lossText_;
  put(std::move(reply), expected.awaited);
}

bool Outbox::deliver(Reply &&reply) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (reply.ticket == 0) {
    if (lost_ || shut_) return true;
    unaskedBytes_ += sizeOf(reply);
    put(std::move(reply), false);
    return unaskedBytes_ <= kMostUnasked;
  }
  const auto found = expected_.find(reply.ticket);
  if (found == expected_.end()) return true;
  const bool awaited = found->second.awaited;
  reply.idle = found->second.idle;
  expected_.erase(found);
  put(std::move(reply), awaited);
  return true;
}

bool Outbox::await(Clock::time_point until, Reply &reply) {
  for (const auto sleepAt = Clock::now() + kAwaitAwake; !hasAnswer_.load(std::memory_order_acquire);) {
    for (int i = 0; i < 32; i++) pauseThread();
    if (Clock::now() >= sleepAt) break;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  const auto there = [this] { return hasAnswer_.load(); };
  if (until == Clock::time_point::max()) answered_.wait(lock, there);
  else if (!answered_.wait_until(lock, until, there)) return false;
  hasAnswer_ = false;
  reply = std::move(answer_);
  return true;
}

void Outbox::take(std::vector<Reply> &into, std::size_t limit) {
  std::lock_guard<std::mutex> lock(mutex_);
  while (into.size() < limit && !replies_.empty()) {
    if (replies_.front().ticket == 0) unaskedBytes_ -= sizeOf(replies_.front());
    into.push_back(std::move(replies_.front()));
    replies_.pop_front();
  }
  if (replies_.empty()) announced_ = false;
}

void Outbox::lose(int32_t status, const std::string &text) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (lost_) return;
  lost_ = true;
  lossStatus_ = status;
  lossText_ = text;
  for (const auto &[ticket, expected] : expected_) putLoss(ticket, expected);
  expected_.clear();
}

void Outbox::shut() {
  std::deque<Reply> dropped;
  std::lock_guard<std::mutex> lock(mutex_);
  shut_ = true;
  dropped.swap(replies_);
  unaskedBytes_ = 0;
}

}  // namespace mmptx
