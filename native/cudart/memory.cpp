#include "memory.h"

#include <string.h>

#include <iterator>
#include <map>

#include "calls.h"
#include "host_memory.h"
#include "mutex.h"

namespace cudart {
namespace {

/** Smaller writes are sent with the message, so that nothing waits. */
constexpr uint64_t MOST_INLINE_BYTES = 64 << 10;
/** Of a message with bytes of a large copy. */
constexpr uint64_t PART_BYTES = 1 << 20;

uint64_t total_bytes(const CopyMessage& copy) { return copy.width * copy.height * copy.depth; }

/** The bytes of each allocation and each variable of the device, by its address. */
struct Allocations {
  Mutex mutex;
  std::map<uint64_t, uint64_t> all;
};
Allocations& allocations() {
  static auto* made = new Allocations;
  return *made;
}

/** Whether bytes lie within one known allocation or variable. Programs can have other memory, such as the heap of kernels. */
bool is_allocated(uint64_t address, uint64_t bytes) {
  auto& made = allocations();
  Hold hold(made.mutex);
  const auto after = made.all.upper_bound(address);
  if (after == made.all.begin()) return false;
  const auto& [start, length] = *std::prev(after);
  return address - start <= length && bytes <= length - (address - start);
}

/** The bytes from the first to the last of rows. */
uint64_t span(uint64_t width, uint64_t height, uint64_t depth, uint64_t pitch, uint64_t slice) {
  return (depth - 1) * slice + (height - 1) * pitch + width;
}

/** Finds out whether bytes are allocated: by reading them, if they are not known to be. */
Error expect_allocated(uint64_t address, uint64_t bytes) {
  if (is_allocated(address, bytes)) return SUCCESS;
  Message message(Operation::RECEIVE_BYTES);
  message.add(address).add(bytes);
  Answer answer;
  return request(message, &answer);
}

/** Sends a message that fails only if its memory isn't allocated: only then is there an answer to wait for. */
Error deliver(Message& message, bool allocated) { return allocated ? post(message) : request(message); }

/** Whether rows and slices follow each other without a gap. */
bool is_plain(const CopyMessage& copy) {
  if (copy.height == 1 && copy.depth == 1) return true;
  return copy.target_pitch == copy.width && copy.source_pitch == copy.width &&
         (copy.depth == 1 ||
          (copy.target_slice == copy.width * copy.height && copy.source_slice == copy.width * copy.height));
}

template <typename Work>
Error for_each_row(const CopyMessage& copy, Work work) {
  if (is_plain(copy)) return work(copy.target, copy.source, total_bytes(copy));
  for (uint64_t z = 0; z < copy.depth; z++) {
    for (uint64_t y = 0; y < copy.height; y++) {
      const Error error = work(copy.target + z * copy.target_slice + y * copy.target_pitch,
                               copy.source + z * copy.source_slice + y * copy.source_pitch, copy.width);
      if (error != SUCCESS) return error;
    }
  }
  return SUCCESS;
}

Error write_bytes(uint64_t target, uint64_t source, uint64_t bytes) {
  for (uint64_t done = 0; done < bytes; done += PART_BYTES) {
    const uint64_t part = bytes - done < PART_BYTES ? bytes - done : PART_BYTES;
    Message message(Operation::WRITE_BYTES);
    message.add(target + done).add(reinterpret_cast<const void*>(source + done), part);
    if (const Error error = post(message)) return error;
  }
  return SUCCESS;
}

/** Sends rows. Nothing is written if one of them isn't allocated. */
Error write_rows(const CopyMessage& copy) {
  const uint64_t bytes = span(copy.width, copy.height, copy.depth, copy.target_pitch, copy.target_slice);
  if (const Error error = expect_allocated(copy.target, bytes)) return error;
  return for_each_row(copy, write_bytes);
}

Error read_bytes(uint64_t target, uint64_t source, uint64_t bytes) {
  for (uint64_t done = 0; done < bytes; done += PART_BYTES) {
    const uint64_t part = bytes - done < PART_BYTES ? bytes - done : PART_BYTES;
    Message message(Operation::RECEIVE_BYTES);
    message.add(source + done).add(part);
    Answer answer;
    if (const Error error = request(message, &answer)) return error;
    memcpy(reinterpret_cast<void*>(target + done), answer.data(), answer.size());
  }
  return SUCCESS;
}

/** Where the bytes at an address are now. */
CopySide side_of(uint64_t address) {
  const void* pointer = reinterpret_cast<void*>(address);
  if (!in_window(pointer)) return IN_PROGRAM;
  SharedFacts facts;
  return find_shared(pointer, &facts) && facts.at_host ? IN_PROGRAM : ON_DEVICE;
}

}  // namespace

Error allocate_device(size_t bytes, uint32_t alignment, uint64_t* address) {
  Message message(Operation::ALLOCATE);
  message.add(static_cast<uint64_t>(bytes)).add(alignment);
  add_calls(message);
  Answer answer;
  if (const Error error = request(message, &answer)) return error;
  memcpy(address, answer.data(), sizeof *address);
  remember_memory(*address, bytes);
  return SUCCESS;
}

void remember_memory(uint64_t address, uint64_t bytes) {
  auto& made = allocations();
  Hold hold(made.mutex);
  made.all[address] = bytes;
}

Error free_device(uint64_t address) {
  {
    auto& made = allocations();
    Hold hold(made.mutex);
    made.all.erase(address);
  }
  Message message(Operation::FREE);
  message.add(address);
  return request(message);
}

void forget_allocations() {
  auto& made = allocations();
  Hold hold(made.mutex);
  made.all.clear();
}

Error transfer(const CopyMessage& copy) {
  if (device().direct == 0 && copy.target_side != copy.source_side) {
    if (copy.target_side != ON_DEVICE) return for_each_row(copy, read_bytes);
    const Error error = write_rows(copy);
    return error != SUCCESS ? error : synchronize();
  }
  Message message(Operation::COPY);
  message.add(copy);
  return request(message);
}

Error post_transfer(const CopyMessage& copy) {
  if (device().direct == 0 && copy.source_side == IN_PROGRAM) return write_rows(copy);
  Message message(Operation::COPY);
  message.add(copy);
  const auto allocated = [&](uint32_t side, uint64_t address, uint64_t pitch, uint64_t slice) {
    return side == IN_PROGRAM || is_allocated(address, span(copy.width, copy.height, copy.depth, pitch, slice));
  };
  return deliver(message, allocated(copy.target_side, copy.target, copy.target_pitch, copy.target_slice) &&
                           allocated(copy.source_side, copy.source, copy.source_pitch, copy.source_slice));
}

Error check_kind(CopyMessage& copy, MemcpyKind kind) {
  if (kind < HOST_TO_HOST || kind > DEFAULT_KIND) return INVALID_MEMCPY_DIRECTION;
  copy.target_side = side_of(copy.target);
  copy.source_side = side_of(copy.source);
  const bool target_is_host = !in_window(reinterpret_cast<void*>(copy.target));
  const bool source_is_host = !in_window(reinterpret_cast<void*>(copy.source));
  if (target_is_host && (kind == HOST_TO_DEVICE || kind == DEVICE_TO_DEVICE)) return INVALID_VALUE;
  if (source_is_host && (kind == DEVICE_TO_HOST || kind == DEVICE_TO_DEVICE)) return INVALID_VALUE;
  return SUCCESS;
}

Error run_copy(CopyMessage copy) {
  if (total_bytes(copy) == 0) return device_error();
  copy.target_side = side_of(copy.target);
  copy.source_side = side_of(copy.source);
  if (copy.target_side == IN_PROGRAM && copy.source_side == IN_PROGRAM) {
    if (const Error error = synchronize()) return error;
    return for_each_row(copy, [](uint64_t target, uint64_t source, uint64_t bytes) {
      memmove(reinterpret_cast<void*>(target), reinterpret_cast<void*>(source), bytes);
      return SUCCESS;
    });
  }
  if (copy.target_side == ON_DEVICE && copy.source_side == ON_DEVICE) return post_transfer(copy);
  if (copy.target_side == ON_DEVICE && is_plain(copy) && total_bytes(copy) <= MOST_INLINE_BYTES)
    return write_rows(copy);
  return transfer(copy);
}

Error run_fill(const FillMessage& fill) {
  if (side_of(fill.target) == ON_DEVICE) {
    if (!in_window(reinterpret_cast<void*>(fill.target))) return INVALID_VALUE;
    Message message(Operation::FILL);
    message.add(fill);
    const uint64_t bytes = span(fill.width, fill.height, fill.depth, fill.pitch, fill.slice);
    return deliver(message, is_allocated(fill.target, bytes));
  }
  if (!in_window(reinterpret_cast<void*>(fill.target))) return INVALID_VALUE;
  if (const Error error = synchronize()) return error;
  for (uint64_t z = 0; z < fill.depth; z++) {
    for (uint64_t y = 0; y < fill.height; y++) {
      auto* row = reinterpret_cast<uint8_t*>(fill.target + z * fill.slice + y * fill.pitch);
      for (uint64_t x = 0; x < fill.width; x += fill.value_bytes) memcpy(row + x, &fill.value, fill.value_bytes);
    }
  }
  return SUCCESS;
}

}  // namespace cudart
