#include "inbox.h"

#include <cstring>
#include <utility>

#include "pause.h"

namespace mmptx {
namespace {

// The next launch of a sequence arrives within this time, and waking a sleeping thread costs its sender as much.
constexpr std::chrono::microseconds kServeAwake{20};
// Capacity that is kept from batch to batch.
constexpr std::size_t kKeptWords = 1 << 16;

}  // namespace

// Unlocks first: a reader that wakes up to a locked mutex goes back to sleep.
bool Inbox::rouse(std::unique_lock<std::mutex> &lock) {
  any_.store(true, std::memory_order_release);
  const bool slept = std::exchange(asleep_, false);
  lock.unlock();
  if (slept) came_.notify_one();
  return slept;
}

bool Inbox::append(const void *records, std::size_t size, Bytes &&apart) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (closed_) return false;
  if (waiting_.back().payload) waiting_.emplace_back();
  Batch &batch = waiting_.back();
  const std::size_t before = batch.words.size();
  batch.words.resize(before + size / 8);
  std::memcpy(batch.words.data() + before, records, size);
  batch.payload = std::move(apart);
  return rouse(lock);
}

bool Inbox::close() {
  std::vector<Batch> dropped(1);
  std::unique_lock<std::mutex> lock(mutex_);
  closed_ = true;
  dropped.swap(waiting_);
  return rouse(lock);
}

void Inbox::swap(std::vector<Batch> &into) {
  // Reuses the memory of the first batch.
  if (into.empty() || into[0].words.capacity() > kKeptWords) into.clear();
  into.resize(1);
  into[0].words.clear();
  into[0].payload = Bytes();
  into.swap(waiting_);
  any_.store(false, std::memory_order_relaxed);
}

bool Inbox::take(std::vector<Batch> &into, Clock::time_point until) {
  for (const auto sleepAt = Clock::now() + kServeAwake; !any_.load(std::memory_order_acquire);) {
    for (int i = 0; i < 32; i++) pauseThread();
    if (Clock::now() >= sleepAt) break;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  while (!any_ && Clock::now() < until) {
    asleep_ = true;
    if (until == Clock::time_point::max()) came_.wait(lock);
    else came_.wait_until(lock, until);
  }
  asleep_ = false;
  if (closed_) return false;
  swap(into);
  return true;
}

bool Inbox::takeAndSleep(std::vector<Batch> &into) {
  std::lock_guard<std::mutex> lock(mutex_);
  asleep_ = true;
  if (closed_) return false;
  swap(into);
  return true;
}

}  // namespace mmptx
