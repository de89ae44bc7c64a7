// Takes from this process everything that compiling does not need, so that PTX that takes over the compiler reaches
// nothing else: no file, no network, no other process.
#pragma once

#include <string>

namespace mmptx {

// Confines all threads of this process for good. Empty, or why this system can't; the process then only has its limits.
// A thread that has not run yet must not exist: starting one needs calls that are no longer allowed.
std::string confine();

}  // namespace mmptx
