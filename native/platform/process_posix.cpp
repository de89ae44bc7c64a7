#include "process.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "child_posix.h"
#include "file.h"

// Newer than the headers of some systems that we build on.
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace mmptx {
namespace {

int numberOf(End end) { return end == End::data ? kChildData : kChildControl; }

}  // namespace

void endProcess(int code) { _exit(code); }

bool atEndOfProcess(void (*handler)(int code)) {
  // `on_exit` rather than `atexit`, because the exit code is needed.
  return on_exit([](int code, void *to) { reinterpret_cast<void (*)(int)>(to)(code); },
                 reinterpret_cast<void *>(handler)) == 0;
}

void nameThread(const char *name) { pthread_setname_np(pthread_self(), name); }

void *openShared(const std::string &path, std::string &error) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char *reason = dlerror();
    error = reason == nullptr ? "dlopen failed" : reason;
  }
  return library;
}

void *symbolOf(void *library, const char *name) { return dlsym(library, name); }

void closeShared(void *library) { dlclose(library); }

uint64_t residentBytesIn(int statm) {
  char text[128];
  const ssize_t size = pread(statm, text, sizeof text - 1, 0);
  if (size <= 0) return 0;
  text[size] = '\0';
  unsigned long long pages = 0;
  if (std::sscanf(text, "%*u %llu", &pages) != 1) return 0;
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// Files of /proc can be read again and again, so they stay open: a confined process can't open any.
uint64_t residentBytes() {
  static const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  return residentBytesIn(statm);
}

// Not the value of `getrusage`, which starts at the size of the parent process.
uint64_t peakBytes() {
  static const int status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  char text[4096];
  const ssize_t size = pread(status, text, sizeof text - 1, 0);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char *line = std::strstr(text, "VmHWM:");
  unsigned long long kilobytes = 0;
  if (line == nullptr || std::sscanf(line, "VmHWM: %llu", &kilobytes) != 1) return 0;
  return static_cast<uint64_t>(kilobytes) * 1024;
}

void expectCrashes() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); score >= 0) {
    (void)!write(score, "1000", 4);
    close(score);
  }
}

void closeInherited(int from) {
  if (syscall(SYS_close_range, static_cast<unsigned>(from), ~0U, 0U) == 0) return;
  // Before Linux 5.9. The list is complete before anything in it is closed, its own file included.
  std::vector<int> files;
  if (DIR *folder = opendir("/proc/self/fd")) {
    while (const dirent *entry = readdir(folder)) files.push_back(std::atoi(entry->d_name));
    closedir(folder);
  }
  for (const int file : files) {
    if (file >= from) close(file);
  }
}

bool openEnds(int count, char **) {
  if (count != 2 || fcntl(kChildData, F_GETFD) < 0 || fcntl(kChildControl, F_GETFD) < 0) return false;
  closeInherited(kChildControl + 1);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return true;
}

bool readAll(End from, void *into, std::size_t size) {
  auto *at = static_cast<char *>(into);
  while (size > 0) {
    const ssize_t count = read(numberOf(from), at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

// In as few calls as possible, because each one may wake the reader.
bool writeAll(const Piece *pieces, int count) {
  iovec vectors[kMostPieces];
  for (int i = 0; i < count; i++) vectors[i] = {const_cast<void *>(pieces[i].bytes), pieces[i].size};
  iovec *at = vectors;
  while (count > 0) {
    const ssize_t written = writev(kChildData, at, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    auto left = static_cast<std::size_t>(written);
    for (; count > 0 && left >= at->iov_len; at++, count--) left -= at->iov_len;
    if (count == 0) break;
    at->iov_base = static_cast<char *>(at->iov_base) + left;
    at->iov_len -= left;
  }
  return true;
}

}  // namespace mmptx
