// Takes from this process everything that compiling does not need, so that PTX that takes over the compiler reaches
// nothing else: no file, no network, no other process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mmptx {

// What happens when a confined process opens a file.
enum class Opening {
  // It ends, as at any other call that is not allowed.
  ends,
  // It finds none. nvJitLink looks for the driver, which it does not need.
  findsNothing,
};

// For compilers that read files by design, besides `confineFiles`: they start no programs, open no sockets, and send
// signals to nobody else. The calls fail. Unless `memoryLimit` is zero, the address space is limited. Empty, or why this
// system can't.
std::string confineReach(uint64_t memoryLimit);

// Confines all threads of this process for good. Empty, or why this system can't; the process then only has its limits.
// A thread that has not run yet must not exist: starting one needs calls that are no longer allowed.
//
// The parent checks the resident size, which does not contain everything that a process can take: page tables, for example.
// So unless `memoryLimit` is zero, the address space is limited, too, to a size that a compile within that limit
// never needs.
std::string confine(Opening opening, uint64_t memoryLimit);

// The largest address space of a confined process whose resident size has this limit.
constexpr uint64_t addressSpace(uint64_t memoryLimit) {
  return 2 * (memoryLimit < (1ull << 60) ? memoryLimit : 1ull << 60) + (16ull << 30);
}

// The version of Landlock; 0, with the reason in `error`, if this system has none.
int landlockVersion(std::string &error);

// For compilers that read files by design: this thread, and threads and processes that it starts, can read
// only what is in these folders and in those of the system's libraries, and write only into `writable`; no TCP. Files that are open stay so. Empty, or
// why this system can't.
std::string confineFiles(const std::vector<std::string> &readable, const std::vector<std::string> &writable);

}  // namespace mmptx
