#include "memory.h"

#include <string.h>

#include "host_memory.h"

namespace cudart {
namespace {

/** Smaller writes are sent with the message, so that nothing waits. */
constexpr uint64_t MOST_INLINE_BYTES = 64 << 10;
/** Of a message with bytes of a large copy. */
constexpr uint64_t PART_BYTES = 1 << 20;

uint64_t total_bytes(const CopyMessage& copy) { return copy.width * copy.height * copy.depth; }

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
  Answer answer;
  if (const Error error = request(message, &answer)) return error;
  memcpy(address, answer.data(), sizeof *address);
  return SUCCESS;
}

Error free_device(uint64_t address) {
  Message message(Operation::FREE);
  message.add(address);
  return request(message);
}

Error transfer(const CopyMessage& copy) {
  if (device().direct == 0 && copy.target_side != copy.source_side) {
    const auto move = copy.target_side == ON_DEVICE ? write_bytes : read_bytes;
    if (const Error error = for_each_row(copy, move)) return error;
    return copy.target_side == ON_DEVICE ? synchronize() : SUCCESS;
  }
  Message message(Operation::COPY);
  message.add(copy);
  return request(message);
}

Error post_transfer(const CopyMessage& copy) {
  if (device().direct == 0 && copy.source_side == IN_PROGRAM) return for_each_row(copy, write_bytes);
  Message message(Operation::COPY);
  message.add(copy);
  return post(message);
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
    return write_bytes(copy.target, copy.source, total_bytes(copy));
  return transfer(copy);
}

Error run_fill(const FillMessage& fill) {
  if (side_of(fill.target) == ON_DEVICE) {
    if (!in_window(reinterpret_cast<void*>(fill.target))) return INVALID_VALUE;
    Message message(Operation::FILL);
    message.add(fill);
    return post(message);
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
