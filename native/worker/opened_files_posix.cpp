// The functions below replace those of the C library for every library that this process opens, because the dynamic
// linker looks names up in the executable first.
//
// <fcntl.h> and <stdio.h> are not included for `open` and `fopen`, which some systems define as inline functions there.
#include "opened_files.h"

#include <dlfcn.h>

#include <cerrno>
#include <cstdarg>
#include <mutex>
#include <utility>

struct _IO_FILE;

namespace mmptx {
namespace {

// O_ACCMODE, O_RDONLY, O_CREAT and the two bits of O_TMPFILE besides O_DIRECTORY, on every Linux that we build for.
constexpr int kAccess = 3;
constexpr int kRead = 0;
constexpr int kHasMode = 0100 | 020000000;

std::mutex mutex;
bool observing = false;
OpenedFiles files;

void note(const char *path, bool succeeded) {
  const int problem = errno;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (observing && path != nullptr) {
      const bool missing = !succeeded && (problem == ENOENT || problem == ENOTDIR);
      (missing ? files.missing : files.opened).emplace_back(path);
    }
  }
  errno = problem;
}

template <typename Function>
Function *next(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

}  // namespace

bool canObserveOpenedFiles() { return true; }

void observeOpenedFiles() {
  const std::lock_guard<std::mutex> lock(mutex);
  files = {};
  observing = true;
}

OpenedFiles takeOpenedFiles() {
  const std::lock_guard<std::mutex> lock(mutex);
  observing = false;
  return std::move(files);
}

}  // namespace mmptx

#define MMPTX_OPEN(name)                                                                   \
  extern "C" __attribute__((visibility("default"), used)) int name(const char *path, int flags, ...) { \
    static auto *const original = mmptx::next<int(const char *, int, ...)>(#name);         \
    int mode = 0;                                                                          \
    if ((flags & mmptx::kHasMode) != 0) {                                                  \
      va_list rest;                                                                        \
      va_start(rest, flags);                                                               \
      mode = va_arg(rest, int);                                                            \
      va_end(rest);                                                                        \
    }                                                                                      \
    const int file = original(path, flags, mode);                                          \
    if ((flags & mmptx::kAccess) == mmptx::kRead) mmptx::note(path, file >= 0);            \
    return file;                                                                           \
  }

#define MMPTX_FOPEN(name)                                                                               \
  extern "C" __attribute__((visibility("default"), used)) _IO_FILE *name(const char *path, const char *how) { \
    static auto *const original = mmptx::next<_IO_FILE *(const char *, const char *)>(#name);           \
    _IO_FILE *const file = original(path, how);                                                         \
    if (how != nullptr && how[0] == 'r') mmptx::note(path, file != nullptr);                            \
    return file;                                                                                        \
  }

MMPTX_OPEN(open)
MMPTX_OPEN(open64)
MMPTX_FOPEN(fopen)
MMPTX_FOPEN(fopen64)
