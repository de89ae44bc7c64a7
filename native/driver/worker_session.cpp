// A session in a separate process. The thread sends records and reads replies, whichever the process is ready for, so
// that the two sides cannot block each other.
#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

#include "child.h"
#include "operations.h"
#include "session.h"
#include "wire.h"

namespace mmptx {
namespace {

constexpr std::size_t kReadAtOnce = 1 << 16;
// No part of a reply is longer. The driver may have corrupted the memory of the process.
constexpr uint64_t kMostValues = 1 << 20;
constexpr uint64_t kLongestText = 1 << 20;
constexpr uint64_t kLongestPayload = uint64_t{1} << 40;

// What the process sends, cut into replies.
class ReplyReader {
 public:
  enum class Outcome { nothing, reply, garbled, ended };

  // Fills `reply` if one is complete.
  Outcome read(Child &child, Reply &reply) {
    for (;;) {
      while (got_ < wanted_) {
        const long count = take(child);
        if (count < 0) return Outcome::ended;
        if (count == 0) return Outcome::nothing;
        got_ += static_cast<std::size_t>(count);
      }
      if (!advance()) return Outcome::garbled;
      if (part_ != Part::head || !whole_) continue;
      whole_ = false;
      reply = std::move(reply_);
      reply_ = Reply();
      return Outcome::reply;
    }
  }

 private:
  enum class Part { protocol, head, values, text, payload };

  // Reads some of the requested bytes: from what was read already, or directly from the process.
  long take(Child &child) {
    const std::size_t left = wanted_ - got_;
    if (at_ == read_.size() && left >= kReadAtOnce) return child.receive(into_ + got_, left);
    if (at_ == read_.size()) {
      read_.resize(kReadAtOnce);
      const long count = child.receive(read_.data(), read_.size());
      at_ = 0;
      read_.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
      if (count <= 0) return count;
    }
    const std::size_t part = std::min(left, read_.size() - at_);
    std::memcpy(into_ + got_, read_.data() + at_, part);
    at_ += part;
    return static_cast<long>(part);
  }

  void want(Part part, void *into, std::size_t size) {
    part_ = part;
    into_ = static_cast<uint8_t *>(into);
    wanted_ = size;
    got_ = 0;
  }

  // Moves on to the next part; false if this one is invalid.
  bool advance() {
    switch (part_) {
      case Part::protocol:
        if (protocol_ != kDeviceProtocol) return false;
        want(Part::head, &head_, sizeof head_);
        return true;
      case Part::head:
        if (head_.values > kMostValues || head_.textBytes > kLongestText || head_.payloadBytes > kLongestPayload) return false;
        reply_.ticket = head_.ticket;
        reply_.tag = head_.tag;
        reply_.operation = head_.operation;
        reply_.status = head_.status;
        reply_.values.resize(head_.values);
        want(Part::values, reply_.values.data(), head_.values * sizeof(uint64_t));
        return true;
      case Part::values:
        reply_.text.resize(head_.textBytes);
        want(Part::text, reply_.text.data(), head_.textBytes);
        return true;
      case Part::text:
        if (head_.hasPayload != 0) reply_.payload = Bytes(head_.payloadBytes);
        want(Part::payload, reply_.payload.data(), head_.hasPayload != 0 ? head_.payloadBytes : 0);
        return true;
      case Part::payload:
        whole_ = true;
        want(Part::head, &head_, sizeof head_);
        return true;
    }
    return false;
  }

  std::vector<uint8_t> read_;
  std::size_t at_ = 0;
  uint64_t protocol_ = 0;
  ReplyHead head_{};
  Reply reply_;
  bool whole_ = false;
  Part part_ = Part::protocol;
  uint8_t *into_ = reinterpret_cast<uint8_t *>(&protocol_);
  std::size_t wanted_ = sizeof protocol_;
  std::size_t got_ = 0;
};

// What is sent to the process.
class RecordWriter {
 public:
  void add(Batch &&batch) {
    if (!batch.words.empty()) batches_.push_back(std::move(batch));
  }
  bool empty() const { return batches_.empty(); }

  // Sends as much as there is room for; false if the process is gone.
  bool send(Child &child) {
    while (!batches_.empty()) {
      const Batch &batch = batches_.front();
      static const uint8_t filling[8] = {};
      const Piece parts[] = {{batch.words.data(), batch.words.size() * sizeof(uint64_t)},
                             {batch.payload.data(), batch.payload.size()},
                             {filling, wholeWords(batch.payload.size()) - batch.payload.size()}};
      Piece pieces[3];
      int count = 0;
      std::size_t left = 0;
      std::size_t skip = sent_;
      for (const Piece &part : parts) {
        const std::size_t skipped = std::min(skip, part.size);
        skip -= skipped;
        if (part.size == skipped) continue;
        pieces[count++] = {static_cast<const uint8_t *>(part.bytes) + skipped, part.size - skipped};
        left += part.size - skipped;
      }
      const long taken = child.send(pieces, count);
      if (taken < 0) return false;
      if (static_cast<std::size_t>(taken) < left) {
        sent_ += static_cast<std::size_t>(taken);
        return true;
      }
      sent_ = 0;
      batches_.pop_front();
    }
    return true;
  }

 private:
  std::deque<Batch> batches_;
  // The bytes of the first one that were sent.
  std::size_t sent_ = 0;
};

// The number of the protocol, and the path after its length.
Batch greeting(const std::string &driverPath) {
  Batch batch;
  batch.words.resize(2 + wholeWords(driverPath.size()) / 8);
  batch.words[0] = kDeviceProtocol;
  batch.words[1] = driverPath.size();
  std::memcpy(batch.words.data() + 2, driverPath.data(), driverPath.size());
  return batch;
}

class WorkerSession final : public Session {
 public:
  WorkerSession(std::string driverPath, DeviceWorker worker, std::function<void()> wake)
      : Session(std::move(wake)), driverPath_(std::move(driverPath)), worker_(std::move(worker)) {}

  bool inProcess() const override { return false; }

 protected:
  void serve() override {
    bool transient = false;
    const std::string problem = child_.start({worker_.executable, kDeviceWord, worker_.environment}, transient);
    if (!problem.empty()) return outbox_->lose(kDied, "could not be started: " + problem);
    std::string lost;
    try {
      lost = converse();
    } catch (const std::bad_alloc &) {
      lost = "answered more than this process can have in memory";
    }
    const Child::Ended ended = child_.end();
    // A process that was killed or closed is already lost, or is no longer needed.
    if (lost.empty()) return;
    outbox_->lose(kDied, lost == kGone ? ended.words() : lost);
  }
  void rouse() override { child_.wake(); }

 private:
  static constexpr const char *kGone = "gone";
  static constexpr const char *kGarbled = "answered what nobody could have asked";

  // Runs until the process is no longer needed or has failed, and returns the reason.
  std::string converse() {
    ReplyReader reader;
    RecordWriter writer;
    writer.add(greeting(driverPath_));
    std::vector<Batch> batches;
    while (inbox_.takeAndSleep(batches)) {
      for (Batch &batch : batches) writer.add(std::move(batch));
      if (!writer.send(child_)) return kGone;
      const Child::Ready ready = child_.wait(!writer.empty(), -1);
      if (ready.failed) return "can't be waited for";
      if (!ready.toRead) continue;
      for (;;) {
        Reply reply;
        const ReplyReader::Outcome outcome = reader.read(child_, reply);
        if (outcome == ReplyReader::Outcome::nothing) break;
        if (outcome == ReplyReader::Outcome::ended) return kGone;
        if (outcome == ReplyReader::Outcome::garbled) return kGarbled;
        const bool closed = reply.operation == kCloseOperation && reply.status == kDone && reply.ticket != 0;
        if (!outbox_->deliver(std::move(reply))) return kGarbled;
        // A process that answers without end must not keep this thread from ending it.
        if (closed || inbox_.closed()) return {};
      }
    }
    return {};
  }

  const std::string driverPath_;
  const DeviceWorker worker_;
  Child child_;
};

}  // namespace

std::shared_ptr<Session> workerSession(const std::string &driverPath, DeviceWorker worker, std::function<void()> wake) {
  auto session = std::make_shared<WorkerSession>(driverPath, std::move(worker), std::move(wake));
  session->start();
  return session;
}

}  // namespace mmptx
