// Programs that must end together with the process that started them, however that process ended.
#pragma once

namespace mmptx {

// The exit code if the program could not be started; standard error has the reason.
constexpr int kNotStarted = 78;

// The exit code if the program and what it started took more memory than they may.
constexpr int kKeptOutgrown = 79;

// The number of files that it is given: the standard ones.
constexpr int kKeeperFiles = 3;

// Runs a program and exits with its exit code. `words` is the number of bytes that the program and what it started may
// have in memory together, or 0 for no limit; a folder; the path of the program and its arguments, up to a null. If
// standard input is closed before the program ends, the program, everything that it started, and the folder that they
// work in are removed.
int keep(char **words);

}  // namespace mmptx
