#include "host_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include <map>

#include "memory.h"
#include "mutex.h"

namespace cudart {
namespace {

/** Addresses of the emulator's memory: packages/emulator/src/run/memory.ts. */
constexpr uint64_t WINDOW_BEGIN = 0x7f0000000000ull;
constexpr uint64_t WINDOW_BYTES = 1ull << 32;
constexpr size_t PAGE = 4096;
/** More than this is moved back only when the program accesses it. */
constexpr size_t MOST_EAGER_BYTES = size_t{64} << 20;

struct Mirror {
  Sharing sharing;
  uint64_t address;
  size_t bytes;
  /** Whether kernels use it. */
  bool mapped;
  bool at_host;
};

struct Registration {
  size_t bytes;
  uint64_t address;
  bool mapped;
  bool at_host;
};

struct Mirrors {
  Mutex mutex;
  /** By address. */
  std::map<uint64_t, Mirror> all;
  std::map<uint64_t, Registration> registered;
  /** How many mapped mirrors are at the host, and the bytes of those that are not. */
  size_t mapped_at_host = 0;
  size_t away_bytes = 0;
  struct sigaction before {};
};

Mirrors& mirrors() {
  static Mirrors* made = new Mirrors;
  return *made;
}

size_t whole_pages(size_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

void protect(const Mirror& mirror, int protection) {
  mprotect(reinterpret_cast<void*>(mirror.address), whole_pages(mirror.bytes), protection);
}

CopyMessage plain_copy(uint64_t target, CopySide target_side, uint64_t source, CopySide source_side, size_t bytes) {
  return {target, source, target_side, source_side, bytes, 1, 1, bytes, bytes, bytes, bytes};
}

Mirror* mirror_at(uint64_t address) {
  auto& all = mirrors().all;
  auto after = all.upper_bound(address);
  if (after == all.begin()) return nullptr;
  Mirror& found = std::prev(after)->second;
  return address < found.address + found.bytes ? &found : nullptr;
}

Error fetch(Mirror& mirror) {
  if (mirror.at_host) return SUCCESS;
  if (device().direct == 0) protect(mirror, PROT_READ | PROT_WRITE);
  // The emulator writes to protected memory, so other threads never see a part of the bytes.
  const Error error = transfer(plain_copy(mirror.address, IN_PROGRAM, mirror.address, ON_DEVICE, mirror.bytes));
  protect(mirror, PROT_READ | PROT_WRITE);
  mirror.at_host = true;
  mirrors().away_bytes -= mirror.bytes;
  if (mirror.mapped) mirrors().mapped_at_host++;
  return error;
}

/** The program accessed memory that is on the device, or memory that it cannot access at all. */
void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<uint64_t>(info->si_addr);
  if (address >= WINDOW_BEGIN && address < WINDOW_BEGIN + WINDOW_BYTES) {
    const int before = errno;
    Hold hold(mirrors().mutex);
    // The last page of an allocation belongs to it.
    Mirror* mirror = mirror_at(address);
    if (mirror == nullptr) mirror = mirror_at(address / PAGE * PAGE);
    if (mirror != nullptr) {
      if (!mirror->at_host) fetch(*mirror);
      errno = before;
      return;
    }
    complain("expected the program to access its own memory, found an access to device memory at %p", info->si_addr);
  }
  const auto& before = mirrors().before;
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN && before.sa_handler != nullptr) {
    before.sa_handler(signal);
  } else {
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
  }
}

/** Starts the program again with addresses that are not random, because something is at those of the window. */
void restart() {
  if (personality(0xffffffff) & ADDR_NO_RANDOMIZE) return;
  static char text[1 << 20];
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t size = 0;
  for (ssize_t found; (found = read(file, text + size, sizeof text - static_cast<size_t>(size))) > 0;) size += found;
  close(file);
  std::vector<char*> words;
  for (char* word = text; word < text + size; word += strlen(word) + 1) words.push_back(word);
  words.push_back(nullptr);
  if (personality(personality(0xffffffff) | ADDR_NO_RANDOMIZE) == -1) return;
  execv("/proc/self/exe", words.data());
}

Error push(const std::vector<CopyMessage>& copies) {
  for (const auto& copy : copies) {
    const Error error = post_transfer(copy);
    if (error != SUCCESS) return error;
  }
  return SUCCESS;
}

}  // namespace

void reserve_window() {
  static bool reserved = false;
  if (reserved) return;
  reserved = true;
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
  void* wanted = reinterpret_cast<void*>(WINDOW_BEGIN);
  void* found = mmap(wanted, WINDOW_BYTES, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (found != wanted) {
    if (found != MAP_FAILED) munmap(found, WINDOW_BYTES);
    restart();
    complain("expected free addresses from %p on, found them in use", wanted);
    return;
  }
  madvise(wanted, WINDOW_BYTES, MADV_DONTDUMP);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, &mirrors().before);
}

bool in_window(const void* pointer) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  return address >= WINDOW_BEGIN && address < WINDOW_BEGIN + WINDOW_BYTES;
}

Error allocate_shared(size_t bytes, Sharing sharing, void** pointer) {
  reserve_window();
  uint64_t address = 0;
  if (const Error error = allocate_device(bytes, PAGE, &address)) return error;
  Hold hold(mirrors().mutex);
  Mirror mirror{sharing, address, bytes, sharing == Sharing::MANAGED, true};
  // Earlier contents of these pages must not come back.
  madvise(reinterpret_cast<void*>(address), whole_pages(bytes), MADV_DONTNEED);
  protect(mirror, PROT_READ | PROT_WRITE);
  mirrors().all[address] = mirror;
  if (mirror.mapped) mirrors().mapped_at_host++;
  *pointer = reinterpret_cast<void*>(address);
  return SUCCESS;
}

Error free_shared(void* pointer, Sharing sharing) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  {
    Hold hold(mirrors().mutex);
    const auto found = mirrors().all.find(address);
    if (found == mirrors().all.end() || found->second.sharing != sharing) return INVALID_VALUE;
    Mirror& mirror = found->second;
    if (!mirror.at_host) mirrors().away_bytes -= mirror.bytes;
    else if (mirror.mapped) mirrors().mapped_at_host--;
    protect(mirror, PROT_NONE);
    madvise(pointer, whole_pages(mirror.bytes), MADV_DONTNEED);
    mirrors().all.erase(found);
  }
  return free_device(address);
}

Error mirror_variable(uint64_t address, size_t bytes) {
  Hold hold(mirrors().mutex);
  Mirror mirror{Sharing::VARIABLE, address, bytes, true, false};
  mirrors().away_bytes += bytes;
  return fetch(mirrors().all[address] = mirror);
}

bool find_shared(const void* pointer, SharedFacts* facts) {
  if (!in_window(pointer)) return false;
  Hold hold(mirrors().mutex);
  const Mirror* mirror = mirror_at(reinterpret_cast<uint64_t>(pointer));
  if (mirror == nullptr) return false;
  *facts = {mirror->sharing, mirror->address, mirror->bytes, mirror->at_host};
  return true;
}

void map_pinned(const void* pointer) {
  Hold hold(mirrors().mutex);
  Mirror* mirror = mirror_at(reinterpret_cast<uint64_t>(pointer));
  if (mirror == nullptr || mirror->mapped) return;
  mirror->mapped = true;
  if (mirror->at_host) mirrors().mapped_at_host++;
}

Error before_launch(const uint8_t* parameters, size_t bytes) {
  auto& shared = mirrors();
  if (shared.all.empty() && shared.registered.empty()) return SUCCESS;
  Hold hold(mirrors().mutex);
  for (size_t at = 0; at + 8 <= bytes; at += 8) {
    uint64_t word;
    memcpy(&word, parameters + at, 8);
    if (in_window(reinterpret_cast<void*>(word))) map_pinned(reinterpret_cast<void*>(word));
  }
  std::vector<CopyMessage> copies;
  if (shared.mapped_at_host > 0) {
    for (auto& [address, mirror] : shared.all) {
      if (!mirror.mapped || !mirror.at_host) continue;
      copies.push_back(plain_copy(address, ON_DEVICE, address, IN_PROGRAM, mirror.bytes));
      // Without access to our memory, the emulator gets the bytes now.
      if (device().direct == 0) {
        if (const Error error = push(copies)) return error;
        copies.clear();
      }
      protect(mirror, PROT_NONE);
      mirror.at_host = false;
      shared.away_bytes += mirror.bytes;
    }
    shared.mapped_at_host = 0;
  }
  for (auto& [address, one] : shared.registered) {
    if (!one.mapped || !one.at_host) continue;
    one.at_host = false;
    copies.push_back(plain_copy(one.address, ON_DEVICE, address, IN_PROGRAM, one.bytes));
  }
  return push(copies);
}

Error after_synchronization() {
  auto& shared = mirrors();
  if (shared.away_bytes == 0 && shared.registered.empty()) return SUCCESS;
  Hold hold(mirrors().mutex);
  Error error = SUCCESS;
  if (shared.away_bytes <= MOST_EAGER_BYTES) {
    for (auto& [address, mirror] : shared.all) {
      const Error failed = fetch(mirror);
      if (error == SUCCESS) error = failed;
    }
  }
  for (auto& [address, one] : shared.registered) {
    if (one.at_host || !one.mapped) continue;
    one.at_host = true;
    const Error failed = transfer(plain_copy(address, IN_PROGRAM, one.address, ON_DEVICE, one.bytes));
    if (error == SUCCESS) error = failed;
  }
  return error;
}

Error register_host(void* pointer, size_t bytes) {
  Hold hold(mirrors().mutex);
  auto& all = mirrors().registered;
  const auto address = reinterpret_cast<uint64_t>(pointer);
  if (all.count(address) != 0) return HOST_MEMORY_ALREADY_REGISTERED;
  uint64_t place = 0;
  if (const Error error = allocate_device(bytes, 256, &place)) return error;
  all[address] = {bytes, place, false, true};
  return SUCCESS;
}

Error unregister_host(void* pointer) {
  uint64_t place;
  {
    Hold hold(mirrors().mutex);
    auto& all = mirrors().registered;
    const auto found = all.find(reinterpret_cast<uint64_t>(pointer));
    if (found == all.end()) return HOST_MEMORY_NOT_REGISTERED;
    place = found->second.address;
    all.erase(found);
  }
  return free_device(place);
}

Error registered_address(const void* pointer, uint64_t* address) {
  Hold hold(mirrors().mutex);
  auto& all = mirrors().registered;
  const auto wanted = reinterpret_cast<uint64_t>(pointer);
  auto after = all.upper_bound(wanted);
  if (after == all.begin()) return INVALID_VALUE;
  auto& [begin, one] = *std::prev(after);
  if (wanted >= begin + one.bytes) return INVALID_VALUE;
  one.mapped = true;
  *address = one.address + (wanted - begin);
  return SUCCESS;
}

void forget_shared() {
  Hold hold(mirrors().mutex);
  auto& shared = mirrors();
  for (auto& [address, mirror] : shared.all) protect(mirror, PROT_NONE);
  shared.all.clear();
  shared.registered.clear();
  shared.mapped_at_host = 0;
  shared.away_bytes = 0;
}

void finish_program() {
  static bool finished = false;
  if (finished || !connected()) return;
  finished = true;
  Message message(Operation::SYNCHRONIZE);
  request(message);
  fflush(stdout);
}

}  // namespace cudart
