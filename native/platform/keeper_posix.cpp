#include "keeper.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>

extern char **environ;

namespace mmptx {
namespace {

// The program, as long as its process number is certain to be its own.
struct Kept {
  std::mutex mutex;
  pid_t pid = 0;
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
  pid_t pid = 0;
  if (const int error = start(words + 1, pid); error != 0) {
    std::fprintf(stderr, "%s: %s\n", words[1], std::strerror(error));
    return kNotStarted;
  }
  kept().pid = pid;
  std::thread(endWithInput, words[0]).detach();
  // Waits without reaping, so that the process number stays its own as long as the lock is not taken.
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  std::lock_guard<std::mutex> lock(kept().mutex);
  kept().pid = 0;
  if (ended.si_code == CLD_EXITED) return ended.si_status;
  signal(ended.si_status, SIG_DFL);
  raise(ended.si_status);
  return 1;
}

}  // namespace mmptx
