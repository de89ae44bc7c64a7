#include "keeper.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>

#include "file.h"

extern char **environ;

namespace mmptx {
namespace {

// The program, as long as its process number is certain to be its own.
struct Kept {
  std::mutex mutex;
  pid_t pid = 0;
  bool outgrown = false;
};

// Never destroyed: the thread that waits for the end of the input uses it until the process ends.
Kept &kept() {
  static auto *instance = new Kept;
  return *instance;
}

void endWithInput(const char *folder) {
  char byte = 0;
  ssize_t count = 0;
  do {
    count = read(0, &byte, 1);
  } while (count > 0 || (count < 0 && errno == EINTR));
  std::lock_guard<std::mutex> lock(kept().mutex);
  if (kept().pid == 0) return;
  kill(-kept().pid, SIGKILL);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  _exit(1);
}

// The time between two checks of the memory. If a check takes long, the pause after it is this many times as long, so that
// checking takes a small part of a core.
constexpr std::chrono::milliseconds kMemoryCheck{10};
constexpr int kLeastPause = 20;

// The resident bytes of a process, if it belongs to the group.
uint64_t bytesIn(const char *name, pid_t group) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%.20s/stat", name);
  const File file(open(path, O_RDONLY | O_CLOEXEC));
  char text[1024];
  const ssize_t size = file ? read(file.number(), text, sizeof text - 1) : -1;
  if (size <= 0) return 0;
  text[size] = '\0';
  // The name of the program, in parentheses, may contain anything.
  const char *at = std::strrchr(text, ')');
  int itsGroup = 0;
  long pages = 0;
  // Fields 5 and 24 of proc(5).
  if (at == nullptr || std::sscanf(at + 1, " %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
                                   "%*d %*u %*u %ld", &itsGroup, &pages) != 2) {
    return 0;
  }
  return itsGroup == group ? static_cast<uint64_t>(std::max(0l, pages)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

uint64_t groupBytes(pid_t group) {
  DIR *folder = opendir("/proc");
  if (folder == nullptr) return 0;
  uint64_t bytes = 0;
  while (const dirent *entry = readdir(folder)) {
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') bytes += bytesIn(entry->d_name, group);
  }
  closedir(folder);
  return bytes;
}

void watchMemory(pid_t group, uint64_t limit) {
  for (;;) {
    const auto before = std::chrono::steady_clock::now();
    const bool outgrown = groupBytes(group) > limit;
    std::unique_lock<std::mutex> lock(kept().mutex);
    if (kept().pid == 0) return;
    if (outgrown) {
      kept().outgrown = true;
      kill(-group, SIGKILL);
      return;
    }
    lock.unlock();
    const auto took = std::chrono::steady_clock::now() - before;
    std::this_thread::sleep_for(std::max<std::chrono::nanoseconds>(kMemoryCheck, kLeastPause * took));
  }
}

int start(char **words, pid_t &pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A process group of its own, which also contains the programs that it starts.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawn(&pid, words[0], &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

int keep(char **words) {
  const uint64_t limit = std::strtoull(*words++, nullptr, 10);
  pid_t pid = 0;
  if (const int error = start(words + 1, pid); error != 0) {
    std::fprintf(stderr, "%s: %s\n", words[1], std::strerror(error));
    return kNotStarted;
  }
  kept().pid = pid;
  std::thread(endWithInput, words[0]).detach();
  if (limit != 0) std::thread(watchMemory, pid, limit).detach();
  // Waits without reaping, so that the process number stays its own as long as the lock is not taken.
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  std::lock_guard<std::mutex> lock(kept().mutex);
  kept().pid = 0;
  if (kept().outgrown) return kKeptOutgrown;
  if (ended.si_code == CLD_EXITED) return ended.si_status;
  signal(ended.si_status, SIG_DFL);
  raise(ended.si_status);
  return 1;
}

}  // namespace mmptx
