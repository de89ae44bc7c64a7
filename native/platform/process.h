// What the systems have in common of processes, threads and shared libraries: one header, and a file for each system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mmptx {

struct Piece {
  const void *bytes;
  std::size_t size;
};

// That are sent together.
constexpr int kMostPieces = 4;

// Ends this process with nothing destroyed.
[[noreturn]] void endProcess(int code);

// Calls `handler` at the end of the process with its exit code, before what was registered earlier; nowhere where no thread is
// left by then.
bool atEndOfProcess(void (*handler)(int code));

void nameThread(const char *name);

// A shared library stays open for the life of the process. Null, with the reason in `error`.
void *openShared(const std::string &path, std::string &error);
void *symbolOf(void *library, const char *name);
void closeShared(void *library);

// Bytes of this process in memory, and the most there ever were.
uint64_t residentBytes();
uint64_t peakBytes();

// A crash of this process leaves nothing behind and asks nobody; when memory runs out, it goes first.
void expectCrashes();

// A worker's ends of what `Child::start` made: requests and replies on one, stops on the other.
enum class End { data, control };

// From the words that the process was started with; false when it was not started by a `Child`.
bool openEnds(int count, char **words);
// False when the other side is gone.
bool readAll(End from, void *into, std::size_t size);
bool writeAll(const Piece *pieces, int count);

}  // namespace mmptx
