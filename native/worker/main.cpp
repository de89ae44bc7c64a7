// mmptx-worker: compiles the jobs that arrive over a socket until its parent is gone. It may crash, hang or grow
// without harm: the process that started it kills it and starts another. It is started by
// native/pool/worker_process.cpp, never by hand.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

#include "allocator.h"
#include "confine.h"
#include "device.h"
#include "keeper.h"
#include "library.h"
#include "logs.h"
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
void listenForJobs(std::promise<void> started) {
  started.set_value();
  WorkerStop stop{};
  while (readAll(End::control, &stop, sizeof stop)) {
    Running &current = running();
    std::lock_guard<std::mutex> lock(current.mutex);
    if (stop.sequence == current.sequence) __atomic_store_n(&current.cancel, 1, __ATOMIC_RELAXED);
  }
  endProcess(0);
}

// Returns when the thread runs. False if there can be none.
bool startListening() {
  try {
    std::promise<void> started;
    std::future<void> running = started.get_future();
    std::thread(listenForJobs, std::move(started)).detach();
    running.wait();
    return true;
  } catch (const std::system_error &) {
    return false;
  }
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
  cutLogs(result, ptx.size());

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

constexpr char kProbe[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry probe(.param .u64 p) {\n\t.reg .b64 %a;\n"
    "\t.reg .f32 %f;\n\tld.param.u64 %a, [p];\n\tld.global.f32 %f, [%a];\n\tsin.approx.f32 %f, %f;\n"
    "\tst.global.f32 [%a], %f;\n\tret;\n}\n";

// Compiles a kernel, and an error, which takes other paths.
void probe(const Library &library) {
  for (const std::size_t size : {sizeof kProbe - 1, sizeof kProbe / 2}) {
    mmptxc_result result{};
    library.compile(kProbe, size, "--gpu-name=sm_75", nullptr, &result);
    library.release(&result);
  }
}

// Everything that needs more than a compile does is done here.
WorkerGreeting prepare(const char *libraryPath, const WorkerOpening &opening, const Library *&library) {
  WorkerGreeting greeting{};
  greeting.protocol = kWorkerProtocol;
  std::string problem;
  if (opening.protocol != kWorkerProtocol) problem = "it is of another build than the addon";
  else library = openLibrary(libraryPath, problem);
  if (library == nullptr) {
    greeting.state = WorkerState::unusable;
  } else if (!startListening()) {
    greeting.state = WorkerState::shortage;
    problem = "no thread could be started";
  } else if (opening.confine != 0) {
    // Opens the files that they read.
    residentBytes();
    peakBytes();
    const Opening files = library->looksForFiles() ? Opening::findsNothing : Opening::ends;
    problem = confine(files, opening.memoryLimit);
    greeting.confined = problem.empty() ? 1 : 0;
    if (problem.empty() && opening.probe != 0) probe(*library);
  }
  std::snprintf(greeting.problem, sizeof greeting.problem, "%s", problem.c_str());
  return greeting;
}

int run(const char *libraryPath) {
  expectCrashes();
  keepFreedMemory();
  WorkerOpening opening{};
  if (!readAll(End::data, &opening, sizeof opening)) return 1;
  const Library *library = nullptr;
  const WorkerGreeting greeting = prepare(libraryPath, opening, library);
  const Piece piece{&greeting, sizeof greeting};
  if (!writeAll(&piece, 1) || greeting.state != WorkerState::ready) return 1;
  while (serve(*library)) {
  }
  return 0;
}

}  // namespace
}  // namespace mmptx

int main(int count, char **words) {
  // `--toolkit`, followed by the maximum resident size in bytes and how to confine the process.
  if ((count == 2 || count == 4) && std::strcmp(words[1], "--toolkit") == 0) {
    mmptx::expectCrashes();
    mmptx::closeInherited(mmptx::kToolkitFiles);
    return mmptx::serveToolkit(count == 2 ? 0 : std::strtoull(words[2], nullptr, 10), count == 2 ? "no" : words[3]);
  }
  // `--keep` or `--keep-confined`, followed by what `keep` takes. Confined ones write nowhere else,
  // but read everything: nothing tells where a compiler driver has its programs.
  const bool confined = count >= 5 && std::strcmp(words[1], "--keep-confined") == 0;
  if (confined || (count >= 5 && std::strcmp(words[1], "--keep") == 0)) {
    mmptx::expectCrashes();
    mmptx::closeInherited(mmptx::kKeeperFiles);
    const std::string problem = confined ? mmptx::confineFiles({"/"}, {words[3], "/dev"}) : "";
    if (!problem.empty()) {
      std::fprintf(stderr, "it can't be confined here: %s\n", problem.c_str());
      return mmptx::kNotStarted;
    }
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
