// What processes, threads and shared libraries have in common on all systems: one header, with an implementation file
// per system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mmptx {

struct Piece {
  const void *bytes;
  std::size_t size;
};

// Buffers that are sent together.
constexpr int kMostPieces = 4;

// Ends this process without destroying anything.
[[noreturn]] void endProcess(int code);

// Calls `handler` with the exit code when the process exits, before handlers that were registered earlier. Does nothing
// on systems where no thread is left by then.
bool atEndOfProcess(void (*handler)(int code));

void nameThread(const char *name);

// A shared library stays open for the life of the process. Null, with the reason in `error`, if it cannot be opened.
void *openShared(const std::string &path, std::string &error);
void *symbolOf(void *library, const char *name);
void closeShared(void *library);

// The resident size of this process, and its maximum so far.
uint64_t residentBytes();
uint64_t peakBytes();

// Makes a crash of this process leave no core file and show no dialog, and makes it the first candidate when memory
// runs out.
void expectCrashes();

// Closes what this process has inherited, except files with numbers below `from`. Does nothing on systems where a process
// inherits only what it is given.
void closeInherited(int from);

// A worker's ends of the channels that `Child::start` created: requests and replies on one, stop messages on the other.
enum class End { data, control };

// Read from the arguments that the process was started with; false if no `Child` started it. This process then has no
// other files, and is killed when the thread that started it ends, however that ends.
bool openEnds(int count, char **words);
// False if the other side is gone.
bool readAll(End from, void *into, std::size_t size);
bool writeAll(const Piece *pieces, int count);

}  // namespace mmptx
