// Takes from this process everything that compiling does not need, so that PTX that takes over the compiler reaches
// nothing else: no file, no network, no other process.
#pragma once

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

// Confines all threads of this process for good. Empty, or why this system can't; the process then only has its limits.
// A thread that has not run yet must not exist: starting one needs calls that are no longer allowed.
std::string confine(Opening opening);

// The version of Landlock; 0, with the reason in `error`, if this system has none.
int landlockVersion(std::string &error);

// For compilers that read files by design: this process, and those that it starts, can read only what is in these folders
// and in those of the system's libraries, and write only into `writable`; no TCP. Files that are open stay so. Empty, or
// why this system can't.
std::string confineFiles(const std::vector<std::string> &readable, const std::vector<std::string> &writable);

}  // namespace mmptx
