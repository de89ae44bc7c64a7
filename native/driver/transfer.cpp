#include "transfer.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "call.h"

namespace mmptx {
namespace {

// Large enough that the callbacks in between are cheap compared with the copies.
constexpr std::size_t kBlockBytes = 4 << 20;
// Up to this number, copies that are queued while others are in flight get blocks of their own.
constexpr std::size_t kMostBlocks = 8;
// Smaller copies are moved to a block at once, because a callback from the driver takes longer.
constexpr std::size_t kAtOnce = 1 << 18;
constexpr std::chrono::milliseconds kLook{5};
constexpr int kNotReady = 600;
constexpr int kCaptureUnsupported = 900;

using HostFunction = void(MMPTX_DRIVER_CALL *)(void *);

// What the driver says of a stream. A stream that is capturing by now is not queried, because that would end the
// capture.
int stateOf(Driver &driver, uint64_t stream) {
  int capturing = 0;
  const int status = driver.call(Function::cuStreamIsCapturing, stream, &capturing);
  return status == kDone && capturing != 0 ? kNotReady : driver.call(Function::cuStreamQuery, stream);
}

}  // namespace

// A ticket that waits for a stream.
struct Transfers::Wait {
  std::shared_ptr<Outbox> outbox;
  Reply reply;
  uint64_t stream;
  std::atomic<bool> settled{false};

  // The caller that gets `true` sends the reply.
  bool claim() { return !settled.exchange(true); }
  void answer() {
    if (reply.ticket != 0 || reply.status != kDone) outbox->deliver(std::move(reply));
  }
};

// Shared with the driver's callbacks: pinned memory, idle or in use, and the steps that the driver holds.
struct Transfers::Shared {
  std::mutex mutex;
  std::vector<void *> idle;
  std::vector<void *> all;
  std::unordered_set<Step *> queued;
};

struct Transfers::Block {
  std::shared_ptr<Shared> owner;
  uint8_t *bytes;

  Block(std::shared_ptr<Shared> shared, void *memory) : owner(std::move(shared)), bytes(static_cast<uint8_t *>(memory)) {}
  ~Block() {
    std::lock_guard<std::mutex> lock(owner->mutex);
    owner->idle.push_back(bytes);
  }
};

struct Transfers::Transfer {
  std::shared_ptr<Wait> wait;
  Bytes payload;
  std::shared_ptr<Block> block;
};

// What the driver is to do when a stream gets there.
struct Transfers::Step {
  std::shared_ptr<Shared> shared;
  std::shared_ptr<Transfer> transfer;
  Move move;
  std::size_t offset;
  std::size_t size;
  // Whether it completes the transfer.
  bool last;
};

Transfers::Transfers(std::shared_ptr<Outbox> outbox) : outbox_(std::move(outbox)), shared_(std::make_shared<Shared>()) {}

// The driver may still call back for steps of a broken context, although it never seems to.
Transfers::~Transfers() {
  static auto *mutex = new std::mutex;
  static auto *kept = new std::vector<std::shared_ptr<Shared>>;
  std::lock_guard<std::mutex> lock(shared_->mutex);
  if (shared_->queued.empty()) return;
  std::lock_guard<std::mutex> keeping(*mutex);
  kept->push_back(shared_);
}

Clock::time_point Transfers::lookAt() const { return lookAt_; }

void Transfers::look(Driver &driver) {
  const auto settled = [](const std::shared_ptr<Wait> &wait) { return wait->settled.load(); };
  waits_.erase(std::remove_if(waits_.begin(), waits_.end(), settled), waits_.end());
  std::unordered_map<uint64_t, int> asked;
  for (const std::shared_ptr<Wait> &wait : waits_) {
    const auto [entry, first] = asked.emplace(wait->stream, kDone);
    if (first) entry->second = stateOf(driver, wait->stream);
    // A stream that has finished makes its callbacks within a moment.
    if (entry->second == kDone || entry->second == kNotReady || !wait->claim()) continue;
    wait->reply.status = entry->second;
    wait->reply.text = driver.words(entry->second, Function::cuStreamQuery);
    wait->answer();
  }
  lookAt_ = waits_.empty() ? Clock::time_point::max() : Clock::now() + kLook;
}

// A callback that a stream captures would be made by each launch of the graph, and never be the one that is waited for.
int Transfers::begin(Call &call, uint64_t stream, Transfer &transfer) {
  int capturing = 0;
  const int status = call.call(Function::cuStreamIsCapturing, stream, &capturing);
  if (status != kDone && status != kMissingFunction) return status;
  if (capturing != 0) return kCaptureUnsupported;
  auto wait = std::make_shared<Wait>();
  wait->outbox = outbox_;
  wait->reply.ticket = call.reply.ticket;
  wait->reply.tag = call.reply.tag;
  wait->reply.operation = call.reply.operation;
  wait->stream = stream;
  transfer.wait = std::move(wait);
  return kDone;
}

// An unused block, or, if that would take too much memory, the block that the stream's latest copy uses: whatever is
// queued after that copy runs after it.
std::shared_ptr<Transfers::Block> Transfers::block(Call &call, uint64_t stream, bool &unused, int &status) {
  std::vector<void *> &all = shared_->all;
  void *memory = nullptr;
  {
    std::lock_guard<std::mutex> lock(shared_->mutex);
    if (!shared_->idle.empty()) {
      memory = shared_->idle.back();
      shared_->idle.pop_back();
    }
  }
  unused = true;
  if (memory == nullptr && all.size() >= kMostBlocks) {
    if (std::shared_ptr<Block> block = inUse_[stream].lock()) {
      unused = false;
      return block;
    }
  }
  if (memory == nullptr) {
    status = call.call(Function::cuMemHostAlloc, &memory, kBlockBytes, 0u);
    if (status != kDone) return nullptr;
    all.push_back(memory);
  }
  auto block = std::make_shared<Block>(shared_, memory);
  // Blocks of streams that are gone or idle.
  for (auto each = inUse_.begin(); inUse_.size() > all.size() && each != inUse_.end();) {
    each = each->second.expired() ? inUse_.erase(each) : std::next(each);
  }
  inUse_[stream] = block;
  return block;
}

void Transfers::freeBlocks(Driver &driver) {
  kept_.clear();
  for (void *memory : shared_->all) driver.call(Function::cuMemFreeHost, memory);
  shared_->all.clear();
  std::lock_guard<std::mutex> lock(shared_->mutex);
  shared_->idle.clear();
}

void MMPTX_DRIVER_CALL Transfers::arrived(void *data) {
  const std::unique_ptr<Step> step(static_cast<Step *>(data));
  {
    std::lock_guard<std::mutex> lock(step->shared->mutex);
    step->shared->queued.erase(step.get());
  }
  Transfer &transfer = *step->transfer;
  if (step->move != Move::none && step->size > 0) {
    uint8_t *ours = transfer.payload.data() + step->offset;
    if (step->move == Move::toBlock) std::memcpy(transfer.block->bytes, ours, step->size);
    else std::memcpy(ours, transfer.block->bytes, step->size);
  }
  if (!step->last || !transfer.wait->claim()) return;
  if (step->move == Move::fromBlock) transfer.wait->reply.payload = std::move(transfer.payload);
  // The next copy may get the block before the caller learns of this one.
  transfer.block.reset();
  transfer.wait->answer();
}

// The driver owns the step until it calls back. In a broken context it never does.
int Transfers::enqueue(Call &call, uint64_t stream, const std::shared_ptr<Transfer> &transfer, Move move,
                       std::size_t offset, std::size_t size, bool last) {
  Transfers &transfers = call.transfers();
  Shared &shared = *transfers.shared_;
  const std::shared_ptr<Wait> wait = transfer->wait;
  auto *step = new Step{transfers.shared_, transfer, move, offset, size, last};
  {
    std::lock_guard<std::mutex> lock(shared.mutex);
    shared.queued.insert(step);
  }
  const int status = call.call(Function::cuLaunchHostFunc, stream, HostFunction{arrived}, static_cast<void *>(step));
  if (status != kDone) {
    std::lock_guard<std::mutex> lock(shared.mutex);
    shared.queued.erase(step);
    delete step;
    return status;
  }
  if (!last) return status;
  call.later = true;
  transfers.waits_.push_back(wait);
  if (transfers.lookAt_ == Clock::time_point::max()) transfers.lookAt_ = Clock::now() + kLook;
  return status;
}

int Transfers::notify(Call &call) {
  const uint64_t stream = call.slot();
  const auto transfer = std::make_shared<Transfer>();
  const int status = call.transfers().begin(call, stream, *transfer);
  return status == kDone ? enqueue(call, stream, transfer, Move::none, 0, 0, true) : status;
}

int Transfers::copyIn(Call &call) {
  const uint64_t destination = call.slot();
  const uint64_t stream = call.slot();
  const std::size_t size = call.record.header.payloadBytes;
  const auto transfer = std::make_shared<Transfer>();
  int status = call.transfers().begin(call, stream, *transfer);
  if (status != kDone) return status;
  transfer->payload = call.record.apart != nullptr ? std::move(*call.record.apart) : Bytes(call.record.payload, size);
  bool unused = false;
  const std::shared_ptr<Block> block = call.transfers().block(call, stream, unused, status);
  transfer->block = block;
  for (std::size_t offset = 0; status == kDone && offset < size; offset += kBlockBytes) {
    const std::size_t part = std::min(kBlockBytes, size - offset);
    if (unused && size <= kAtOnce) std::memcpy(block->bytes, transfer->payload.data(), size);
    else status = enqueue(call, stream, transfer, Move::toBlock, offset, part, false);
    if (status != kDone) break;
    status = call.call(Function::cuMemcpyHtoDAsync, destination + offset, static_cast<const void *>(block->bytes), part,
                       stream);
  }
  if (status == kDone) status = enqueue(call, stream, transfer, Move::none, 0, 0, true);
  if (status != kDone && block != nullptr) call.transfers().kept_.push_back(block);
  return status;
}

int Transfers::copyOut(Call &call) {
  const uint64_t source = call.slot();
  const std::size_t size = call.slot();
  const uint64_t stream = call.slot();
  const auto transfer = std::make_shared<Transfer>();
  int status = call.transfers().begin(call, stream, *transfer);
  if (status != kDone) return status;
  transfer->payload = Bytes(size);
  bool unused = false;
  const std::shared_ptr<Block> block = call.transfers().block(call, stream, unused, status);
  transfer->block = block;
  std::size_t offset = 0;
  while (status == kDone) {
    const std::size_t part = std::min(kBlockBytes, size - offset);
    if (part > 0) {
      status = call.call(Function::cuMemcpyDtoHAsync, static_cast<void *>(block->bytes), source + offset, part,
                         stream);
    }
    if (status != kDone) break;
    const bool last = offset + part == size;
    status = enqueue(call, stream, transfer, Move::fromBlock, offset, part, last);
    if (last) break;
    offset += part;
  }
  if (status != kDone && block != nullptr) call.transfers().kept_.push_back(block);
  return status;
}

}  // namespace mmptx
