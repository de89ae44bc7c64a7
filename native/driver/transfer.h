// Operations that are answered only when a stream has reached them: notifications, and copies between device memory and
// our bytes. The driver copies only to and from pinned memory; callbacks in between move the bytes on. The session's
// thread therefore never waits for a stream, and a few blocks of pinned memory serve all queued copies.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "driver.h"
#include "outbox.h"
#include "record.h"

namespace mmptx {

struct Call;

class Transfers {
 public:
  explicit Transfers(std::shared_ptr<Outbox> outbox);
  ~Transfers();

  // Operations.
  static int notify(Call &call);
  static int copyIn(Call &call);
  static int copyOut(Call &call);

  // The driver makes no callbacks when a context is broken, so streams that are waited for are polled now and then.
  Clock::time_point lookAt() const;
  void look(Driver &driver);

  // For a context whose work is done.
  void freeBlocks(Driver &driver);

 private:
  struct Wait;
  struct Block;
  struct Shared;
  struct Transfer;
  struct Step;

  int begin(Call &call, uint64_t stream, Transfer &transfer);
  std::shared_ptr<Block> block(Call &call, uint64_t stream, bool &unused, int &status);
  // What happens to our bytes and those of a block when a stream gets there.
  enum class Move { none, toBlock, fromBlock };
  static int enqueue(Call &call, uint64_t stream, const std::shared_ptr<Transfer> &transfer, Move move, std::size_t offset,
                     std::size_t size, bool last);
  static void MMPTX_DRIVER_CALL arrived(void *step);

  const std::shared_ptr<Outbox> outbox_;
  const std::shared_ptr<Shared> shared_;
  // Blocks that are used by copies in flight, by stream.
  std::unordered_map<uint64_t, std::weak_ptr<Block>> inUse_;
  // Blocks of copies that could not be queued completely: nobody reports when the driver has finished with them.
  std::vector<std::shared_ptr<Block>> kept_;
  std::vector<std::shared_ptr<Wait>> waits_;
  Clock::time_point lookAt_ = Clock::time_point::max();
};

}  // namespace mmptx
