#include "session.h"

#include <thread>
#include <utility>

#include "patience.h"
#include "process.h"

namespace mmptx {
namespace {

// Checks consecutive records and collects the headers of those with a ticket. Returns what is wrong, or an empty
// string.
std::string check(const uint8_t *records, std::size_t size, const Bytes &apart, std::vector<RecordHeader> &ticketed) {
  if (size == 0 || size % 8 != 0) return "expected records of whole words";
  for (std::size_t at = 0; at < size;) {
    RecordHeader header;
    if (size - at < sizeof header) return "expected a whole record";
    std::memcpy(&header, records + at, sizeof header);
    const std::size_t head = sizeof header + std::size_t{8} * header.slots;
    const std::size_t left = size - at;
    if (head > left || header.payloadBytes > SIZE_MAX / 2 || header.size != wholeWords(head + header.payloadBytes)) {
      return "expected a record of the size that it states";
    }
    const bool last = apart && head == left;
    if (last && header.payloadBytes != apart.size()) return "expected the payload of the last record";
    if (!last && header.size > left) return "expected a whole record";
    if (header.ticket != 0) ticketed.push_back(header);
    at += last ? head : header.size;
    if (apart && !last && at == size) return "expected the last record without its payload";
  }
  return {};
}

}  // namespace

void Session::start() {
  ended_ = false;
  try {
    std::thread([self = shared_from_this()] {
      nameThread("mmptx-device");
      self->serve();
      self->outbox_->lose(kClosed, "");
      std::lock_guard<std::mutex> lock(self->mutex_);
      self->ended_ = true;
      self->changed_.notify_all();
    }).detach();
  } catch (...) {
    ended_ = true;
    throw;
  }
  closeAtExit(shared_from_this());
}

std::string Session::submit(const uint8_t *records, std::size_t size, Bytes &&payload, uint32_t &tickets) {
  std::vector<RecordHeader> ticketed;
  tickets = 0;
  const std::string problem = check(records, size, payload, ticketed);
  if (!problem.empty()) return problem;
  if (!ticketed.empty() && !outbox_->expect(ticketed, false)) return "expected tickets that nothing waits for";
  for (const RecordHeader &header : ticketed) {
    if ((header.flags & kIdle) == 0) tickets++;
  }
  if (inbox_.append(records, size, std::move(payload))) rouse();
  return {};
}

std::string Session::call(const uint8_t *record, std::size_t size, Clock::time_point until, Reply &reply,
                          const std::function<bool()> &leaves) {
  std::vector<RecordHeader> ticketed;
  const std::string problem = check(record, size, Bytes(), ticketed);
  if (!problem.empty()) return problem;
  if (ticketed.size() != 1 || ticketed[0].size != size) return "expected one record with a ticket";
  if (!outbox_->expect(ticketed, true)) return "expected a ticket that nothing waits for";
  if (inbox_.append(record, size, Bytes())) rouse();
  const auto wait = [this, &reply](Clock::time_point next) { return outbox_->await(next, reply); };
  if (waitUnless(until, wait, leaves)) return {};
  kill(kKilled, "");
  outbox_->await(Clock::time_point::max(), reply);
  return {};
}

void Session::kill(int32_t status, const std::string &text) {
  outbox_->lose(status, text);
  if (inbox_.close()) rouse();
}

bool Session::close(Clock::time_point deadline) {
  outbox_->shut();
  if (inbox_.close()) rouse();
  std::unique_lock<std::mutex> lock(mutex_);
  if (deadline > Clock::now() && !abandoned_) {
    abandoned_ = !changed_.wait_until(lock, deadline, [this] { return ended_; });
  }
  return ended_;
}

}  // namespace mmptx
