// mmptx-worker: compiles the jobs that arrive over a socket until its parent is gone. It may crash, hang or grow
// without harm: the process that started it kills it and starts another. It is started by
// native/pool/worker_process.cpp, never by hand.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#include "allocator.h"
#include "device.h"
#include "keeper.h"
#include "library.h"
#include "process.h"
#include "protocol.h"
#include "toolkit.h"

namespace mmptx {
namespace {

// The compile in progress, and the flag that the compiler polls.
struct Running {
  std::mutex mutex;
  uint64_t sequence = 0;
  int32_t cancel = 0;
};

// Never destroyed: the listening thread uses it until the process ends.
Running &running() {
  static auto *instance = new Running;
  return *instance;
}

// The control pipe is closed when the parent ends, however it ends.
void listenForJobs() {
  WorkerStop stop{};
  while (readAll(End::control, &stop, sizeof stop)) {
    Running &current = running();
    std::lock_guard<std::mutex> lock(current.mutex);
    if (stop.sequence == current.sequence) __atomic_store_n(&current.cancel, 1, __ATOMIC_RELAXED);
  }
  endProcess(0);
}

constexpr std::chrono::milliseconds kWorthAsking{10};

bool serve(const Library &library) {
  WorkerRequest request{};
  if (!readAll(End::data, &request, sizeof request)) return false;
  request.arguments[sizeof request.arguments - 1] = '\0';
  std::string ptx(request.size, '\0');
  if (!readAll(End::data, ptx.data(), ptx.size())) return false;

  Running &current = running();
  {
    std::lock_guard<std::mutex> lock(current.mutex);
    current.sequence = request.sequence;
    __atomic_store_n(&current.cancel, 0, __ATOMIC_RELAXED);
  }
  mmptxc_result result{};
  const auto start = std::chrono::steady_clock::now();
  library.compile(ptx.data(), ptx.size(), request.arguments, &current.cancel, &result);

  WorkerReply reply{};
  reply.sequence = request.sequence;
  reply.cubinSize = result.cubin_size;
  reply.infoSize = result.info_log_size;
  reply.errorSize = result.error_log_size;
  reply.residentBytes = residentBytes();
  // Reading the memory size takes a while, and compiles that use a lot of memory take a long time.
  reply.peakBytes = std::chrono::steady_clock::now() - start > kWorthAsking ? peakBytes() : 0;
  reply.status = result.status;
  reply.nativeStatus = result.native_status;
  const Piece pieces[] = {{&reply, sizeof reply},
                    {result.cubin, result.cubin_size},
                    {result.info_log, result.info_log_size},
                    {result.error_log, result.error_log_size}};
  const bool sent = writeAll(pieces, 4);
  library.release(&result);
  return sent;
}

int run(const char *libraryPath) {
  expectCrashes();
  keepFreedMemory();

  WorkerGreeting greeting{};
  greeting.protocol = kWorkerProtocol;
  std::string problem;
  const Library *library = openLibrary(libraryPath, problem);
  std::snprintf(greeting.problem, sizeof greeting.problem, "%s", problem.c_str());
  const Piece piece{&greeting, sizeof greeting};
  if (!writeAll(&piece, 1) || library == nullptr) return 1;
  std::thread(listenForJobs).detach();
  while (serve(*library)) {
  }
  return 0;
}

}  // namespace
}  // namespace mmptx

int main(int count, char **words) {
  // `--toolkit`, followed by the maximum resident size in bytes.
  if ((count == 2 || count == 3) && std::strcmp(words[1], "--toolkit") == 0) {
    mmptx::expectCrashes();
    return mmptx::serveToolkit(count == 2 ? 0 : std::strtoull(words[2], nullptr, 10));
  }
  // `--keep`, followed by a folder and a program with its arguments.
  if (count >= 4 && std::strcmp(words[1], "--keep") == 0) {
    mmptx::expectCrashes();
    return mmptx::keep(words + 2);
  }
  if (!mmptx::openEnds(count, words)) {
    std::fputs("mmptx-worker is started by @mm-ptx/cuda; it does nothing by itself\n", stderr);
    return 2;
  }
  // The value of `kDeviceWord`: calls the driver for a session until the session is over.
  if (std::strcmp(words[1], mmptx::kDeviceWord) == 0) mmptx::endProcess(mmptx::serveDevice());
  // The end of the process does everything that destructors would.
  mmptx::endProcess(mmptx::run(words[1]));
}
