#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <mutex>
#include <utility>

#include "child_posix.h"
#include "file.h"

namespace mmptx {
namespace {

std::string failure(const char *what, int error) { return std::string(what) + ": " + std::strerror(error); }

// Above the numbers that the child's own ends get, so that none is overwritten before it is moved.
File above(int number) { return File(fcntl(number, F_DUPFD_CLOEXEC, 16)); }

bool forNow(int error) { return error == EAGAIN || error == EINTR; }

// Shortages that may be over in a moment.
bool mayPass(int error) { return error == EMFILE || error == ENFILE || error == EAGAIN || error == ENOMEM; }

// Signals that a program raises by mistake. Others come from outside.
bool isFault(int signal) {
  constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  return std::find(std::begin(kFaults), std::end(kFaults), signal) != std::end(kFaults);
}

}  // namespace

struct Child::State {
  pid_t pid = 0;
  File data;
  File control;
  File statm;
  File wakeRead;
  // Guards `wakeWrite`, which is the only member that other threads use.
  std::mutex wakeMutex;
  File wakeWrite;

  // Created with the first process, and kept. Zero, or the number of the error.
  int makeWake() {
    if (wakeRead) return 0;
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK) != 0) return errno;
    std::lock_guard<std::mutex> lock(wakeMutex);
    wakeRead = File(pipes[0]);
    wakeWrite = File(pipes[1]);
    return 0;
  }
};

Child::Child() : state_(std::make_unique<State>()) {}

Child::~Child() { end(); }

bool Child::running() const { return state_->pid > 0; }

bool Child::quiet() {
  char byte;
  return running() && recv(state_->data.number(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && forNow(errno);
}

std::string Child::start(const Command &command, bool &transient) {
  State &state = *state_;
  const auto failed = [&transient](const char *what, int error) {
    transient = mayPass(error);
    return failure(what, error);
  };
  transient = false;
  int sockets[2];
  int pipes[2];
  if (const int error = state.makeWake(); error != 0) return failed("pipe", error);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return failed("socketpair", errno);
  state.data = File(sockets[0]);
  File theirs(sockets[1]);
  if (pipe2(pipes, O_CLOEXEC) != 0) return failed("pipe", errno);
  state.control = File(pipes[1]);
  File theirPipe(pipes[0]);
  File childData = above(theirs.number());
  File childControl = above(theirPipe.number());
  if (!childData || !childControl) return failed("fcntl", errno);
  fcntl(state.data.number(), F_SETFL, O_NONBLOCK);
  fcntl(state.control.number(), F_SETFL, O_NONBLOCK);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  posix_spawn_file_actions_adddup2(&actions, childData.number(), kChildData);
  posix_spawn_file_actions_adddup2(&actions, childControl.number(), kChildControl);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  // A process group of its own: signals from a terminal go to our group, and we handle them.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  const auto text = [](const std::string &value) { return const_cast<char *>(value.c_str()); };
  char *words[] = {text(command.executable), text(command.word), nullptr};
  std::vector<char *> environment;
  for (const std::string &each : command.environment) environment.push_back(text(each));
  environment.push_back(nullptr);
  const int error =
      posix_spawn(&state.pid, command.executable.c_str(), &actions, &attributes, words, environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    state.pid = 0;
    return failed(command.executable.c_str(), error);
  }
  char path[48];
  std::snprintf(path, sizeof path, "/proc/%d/statm", static_cast<int>(state.pid));
  state.statm = File(open(path, O_RDONLY | O_CLOEXEC));
  return {};
}

Child::Ready Child::wait(bool forRoom, int milliseconds) {
  constexpr short kGone = POLLERR | POLLHUP;
  pollfd waiting[] = {{state_->data.number(), static_cast<short>(forRoom ? POLLIN | POLLOUT : POLLIN), 0},
                      {state_->wakeRead.number(), POLLIN, 0}};
  const int ready = poll(waiting, 2, milliseconds);
  Ready result;
  if (ready < 0) {
    result.failed = errno != EINTR;
    return result;
  }
  char bytes[64];
  while (waiting[1].revents != 0 && read(state_->wakeRead.number(), bytes, sizeof bytes) > 0) {
  }
  result.timedOut = ready == 0;
  result.toRead = (waiting[0].revents & (POLLIN | kGone)) != 0;
  result.toWrite = forRoom && (waiting[0].revents & (POLLOUT | kGone)) != 0;
  return result;
}

void Child::wake() {
  const char byte = 0;
  std::lock_guard<std::mutex> lock(state_->wakeMutex);
  (void)!write(state_->wakeWrite.number(), &byte, 1);
}

long Child::send(const Piece *pieces, int count) {
  iovec vectors[kMostPieces];
  for (int i = 0; i < count; i++) vectors[i] = {const_cast<void *>(pieces[i].bytes), pieces[i].size};
  msghdr message{};
  message.msg_iov = vectors;
  message.msg_iovlen = static_cast<std::size_t>(count);
  const ssize_t written = sendmsg(state_->data.number(), &message, MSG_NOSIGNAL);
  if (written >= 0) return written;
  return forNow(errno) ? 0 : -1;
}

long Child::receive(void *into, std::size_t size) {
  const ssize_t count = read(state_->data.number(), into, size);
  if (count > 0) return count;
  return count < 0 && forNow(errno) ? 0 : -1;
}

void Child::tell(const void *message, std::size_t size) { (void)!write(state_->control.number(), message, size); }

uint64_t Child::residentBytes() const { return residentBytesIn(state_->statm.number()); }

std::chrono::nanoseconds Child::cpuTime() const {
  clockid_t clock;
  timespec time{};
  if (state_->pid <= 0 || clock_getcpuclockid(state_->pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

Child::Ended Child::end() {
  int status = 0;
  if (state_->pid > 0) {
    // A process that is already dead keeps the status that it died with.
    kill(state_->pid, SIGKILL);
    while (waitpid(state_->pid, &status, 0) < 0 && errno == EINTR) {
    }
    state_->pid = 0;
  }
  state_->data = File();
  state_->control = File();
  state_->statm = File();
  Ended ended;
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  else ended.code = WEXITSTATUS(status);
  ended.killed = ended.signal != 0 && !isFault(ended.signal);
  return ended;
}

std::string Child::Ended::words(const std::string &where) const {
  return signal != 0 ? "died " + where + "of " + strsignal(signal) : "ended " + where + "with code " + std::to_string(code);
}

}  // namespace mmptx
