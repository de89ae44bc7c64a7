// mmptx-worker: compiles what comes in over a socket until its parent is gone. It may crash, hang or grow without harm:
// whoever started it ends it and starts another. Started by native/pool/worker_process.cpp, never by hand.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#include "allocator.h"
#include "library.h"
#include "protocol.h"
#include "toolkit.h"

namespace mmptx {
namespace {

bool readAll(int from, void *into, std::size_t size) {
  auto *at = static_cast<char *>(into);
  while (size > 0) {
    const ssize_t count = read(from, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

// In as few calls as it takes: each may wake the reader.
bool writeAll(int to, iovec *pieces, int count) {
  while (count > 0) {
    const ssize_t written = writev(to, pieces, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    auto left = static_cast<std::size_t>(written);
    for (; count > 0 && left >= pieces->iov_len; pieces++, count--) left -= pieces->iov_len;
    if (count == 0) break;
    pieces->iov_base = static_cast<char *>(pieces->iov_base) + left;
    pieces->iov_len -= left;
  }
  return true;
}

// The compile that is under way, and the flag that the compiler asks.
struct Running {
  std::mutex mutex;
  uint64_t sequence = 0;
  int32_t cancel = 0;
};

// Never destroyed: the thread that listens uses it until the process ends.
Running &running() {
  static auto *instance = new Running;
  return *instance;
}

// The end of the control pipe is the end of the parent, however it died.
void listen() {
  WorkerStop stop{};
  while (readAll(kWorkerControl, &stop, sizeof stop)) {
    Running &current = running();
    std::lock_guard<std::mutex> lock(current.mutex);
    if (stop.sequence == current.sequence) __atomic_store_n(&current.cancel, 1, __ATOMIC_RELAXED);
  }
  _exit(0);
}

uint64_t residentBytes() {
  static const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  char text[128];
  const ssize_t size = pread(statm, text, sizeof text - 1, 0);
  if (size <= 0) return 0;
  text[size] = '\0';
  unsigned long long pages = 0;
  if (std::sscanf(text, "%*u %llu", &pages) != 1) return 0;
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t peakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

bool serve(const Library &library) {
  WorkerRequest request{};
  if (!readAll(kWorkerData, &request, sizeof request)) return false;
  request.arch[sizeof request.arch - 1] = '\0';
  std::string ptx(request.size, '\0');
  if (!readAll(kWorkerData, ptx.data(), ptx.size())) return false;

  Running &current = running();
  {
    std::lock_guard<std::mutex> lock(current.mutex);
    current.sequence = request.sequence;
    __atomic_store_n(&current.cancel, 0, __ATOMIC_RELAXED);
  }
  const mmptxc_options options{request.arch, request.effort, request.maxRegisters, request.flags};
  mmptxc_result result{};
  library.compile(ptx.data(), ptx.size(), &options, &current.cancel, &result);

  WorkerReply reply{};
  reply.sequence = request.sequence;
  reply.cubinSize = result.cubin_size;
  reply.infoSize = result.info_log_size;
  reply.errorSize = result.error_log_size;
  reply.residentBytes = residentBytes();
  reply.peakBytes = peakBytes();
  reply.status = result.status;
  reply.nativeStatus = result.native_status;
  iovec pieces[] = {{&reply, sizeof reply},
                    {result.cubin, result.cubin_size},
                    {result.info_log, result.info_log_size},
                    {result.error_log, result.error_log_size}};
  const bool sent = writeAll(kWorkerData, pieces, 4);
  library.release(&result);
  return sent;
}

// A crash is expected here: no core files, and when memory runs out, this process goes first.
void expectTheWorst() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); score >= 0) {
    (void)!write(score, "1000", 4);
    close(score);
  }
}

int run(const char *libraryPath) {
  expectTheWorst();
  keepFreedMemory();

  WorkerGreeting greeting{};
  greeting.protocol = kWorkerProtocol;
  std::string problem;
  const Library *library = openLibrary(libraryPath, problem);
  std::snprintf(greeting.problem, sizeof greeting.problem, "%s", problem.c_str());
  iovec piece{&greeting, sizeof greeting};
  if (!writeAll(kWorkerData, &piece, 1) || library == nullptr) return 1;
  std::thread(listen).detach();
  while (serve(*library)) {
  }
  return 0;
}

}  // namespace
}  // namespace mmptx

int main(int count, char **words) {
  if (count == 2 && std::strcmp(words[1], "--toolkit") == 0) {
    mmptx::expectTheWorst();
    return mmptx::serveToolkit();
  }
  if (count != 2 || fcntl(mmptx::kWorkerData, F_GETFD) < 0 || fcntl(mmptx::kWorkerControl, F_GETFD) < 0) {
    std::fputs("mmptx-worker is started by @mm-ptx/cuda; it does nothing by itself\n", stderr);
    return 2;
  }
  // Destructors have nothing to do that the end of the process does not.
  _exit(mmptx::run(words[1]));
}
