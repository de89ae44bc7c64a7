#include "state.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace fake {
namespace {

constexpr uint64_t kAlignment = 512;
constexpr uint64_t kPage = 4096;
// Fresh memory has no known contents.
constexpr int kFresh = 0xcd;
constexpr uint64_t kMostFresh = 65536;

uint64_t roundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

uint64_t pages(uint64_t bytes) { return roundUp(std::max<uint64_t>(bytes, 1), kPage); }

}  // namespace

State &state() {
  static auto *instance = new State;
  return *instance;
}

void readAgain() {
  State &all = state();
  if (!readControl(all.control)) return;
  all.calls.clear();
  all.launches = 0;
  for (const std::string &line : all.control.unknown) violation("control line not understood: " + line);
  all.changed.notify_all();
}

uint64_t threadNumber() { return static_cast<uint64_t>(syscall(SYS_gettid)); }

void writeLog(const std::string &line) {
  static const int file = open((ownFolder() + "log").c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  const std::string whole = std::to_string(getpid()) + " " + std::to_string(threadNumber()) + " " + line + "\n";
  // Written in one piece, so that lines of several processes do not mix.
  (void)!write(file, whole.data(), whole.size());
}

void violation(const std::string &what) { writeLog("VIOLATION " + what); }

std::string hex(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

std::string hexBytes(const void *bytes, size_t count) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < count; i++) {
    const unsigned char byte = static_cast<const unsigned char *>(bytes)[i];
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

const char *Allocation::nameOf(Kind kind) {
  static const char *const names[] = {"memory", "memory of a pool", "variable", "host memory"};
  return names[kind];
}

Allocation *State::allocationAt(Address address) {
  auto found = allocations.upper_bound(address);
  if (found == allocations.begin()) return nullptr;
  Allocation &allocation = *(--found)->second;
  return address - allocation.address < std::max<uint64_t>(allocation.bytes, 1) ? &allocation : nullptr;
}

uint64_t State::used(const Context *context) const {
  uint64_t sum = 0;
  for (const auto &[address, allocation] : allocations) {
    if (!allocation->freed && allocation->kind != Allocation::host && allocation->context == context) {
      sum += allocation->bytes;
    }
  }
  return sum;
}

uint64_t State::used(const Pool *pool) const {
  uint64_t sum = 0;
  for (const auto &[address, allocation] : allocations) {
    if (!allocation->freed && allocation->of == pool) sum += allocation->bytes;
  }
  return sum;
}

Allocation *State::allocate(Allocation::Kind kind, Context *context, uint64_t bytes) {
  if (kind != Allocation::host && bytes > control.memory - std::min(control.memory, used(context))) return nullptr;
  void *memory = mmap(nullptr, pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  std::memset(memory, kFresh, std::min(bytes, kMostFresh));
  auto made = std::make_unique<Allocation>();
  made->kind = kind;
  made->context = context;
  made->bytes = bytes;
  made->memory = static_cast<char *>(memory);
  if (kind == Allocation::host) {
    made->address = reinterpret_cast<Address>(memory);
  } else {
    // Each is followed by a gap, so that an overrun hits nothing. No address is used twice.
    made->address = lastAddress;
    lastAddress += roundUp(bytes, kAlignment) + kAlignment;
  }
  Allocation *allocation = made.get();
  allocations[made->address] = std::move(made);
  return allocation;
}

void State::release(Allocation &allocation) {
  // Nobody can use it again, not even the system: code that still uses pinned memory crashes, and no address is reused.
  if (allocation.kind == Allocation::host) {
    mprotect(allocation.memory, pages(allocation.bytes), PROT_NONE);
    madvise(allocation.memory, pages(allocation.bytes), MADV_DONTNEED);
  } else {
    munmap(allocation.memory, pages(allocation.bytes));
  }
  allocation.memory = nullptr;
  allocation.freed = true;
}

Stream *State::defaultStream(Context *context) {
  for (Stream *stream : streams) {
    if (stream->context == context && stream->handle == 0) return stream;
  }
  auto *stream = create<Stream>(context);
  stream->handle = 0;
  streams.insert(stream);
  return stream;
}

// The last release of a context must find everything destroyed that was created in it; in a broken context nothing can
// be.
void State::destroyContext(Context &context) {
  context.destroyed = true;
  if (context.broken != 0) return;
  for (Stream *stream : streams) {
    if (stream->context == &context && !stream->idle()) violation("context released with work in flight");
  }
  for (const auto &[handle, object] : objects) {
    const bool owned = dynamic_cast<Function *>(object.get()) == nullptr && dynamic_cast<Context *>(object.get()) == nullptr;
    const auto *pool = dynamic_cast<Pool *>(object.get());
    const auto *stream = dynamic_cast<Stream *>(object.get());
    if (object->context != &context || object->destroyed || !owned || (pool != nullptr && pool->ofDevice) ||
        (stream != nullptr && stream->handle == 0)) {
      continue;
    }
    violation(std::string("left: ") + object->kind() + " " + hex(handle));
    object->destroyed = true;
  }
  for (const auto &[address, allocation] : allocations) {
    if (allocation->context != &context || allocation->freed || allocation->kind == Allocation::variable) continue;
    violation(std::string("left: ") + Allocation::nameOf(allocation->kind) + " " + hex(address));
    release(*allocation);
  }
}

}  // namespace fake
