// Requests and replies are lists of lists of byte strings. Every length is a u32 in the machine's byte order: the
// number of lists, then for each list the number of its items, then each item's length and bytes.
// packages/cuda/src/toolkit/helper.ts has the other side.
#include "toolkit.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "confine.h"
#include "file_times.h"
#include "jitlink.h"
#include "nvrtc.h"
#include "opened_files.h"
#include "process.h"

namespace mmptx {
namespace {

constexpr int kRequest = 0;
constexpr int kAnswer = 3;
// The maximum size of a request. Requests come from our own code, so a larger one is corrupt.
constexpr uint32_t kMostLists = 16;
constexpr std::chrono::milliseconds kMemoryCheck{10};

using Pieces = std::vector<std::string>;
using Lists = std::vector<Pieces>;

bool readExactly(void *into, std::size_t size) {
  auto *at = static_cast<char *>(into);
  while (size > 0) {
    const ssize_t count = read(kRequest, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool readLists(Lists &lists) {
  uint32_t listCount = 0;
  if (!readExactly(&listCount, sizeof listCount) || listCount > kMostLists) return false;
  lists.resize(listCount);
  for (Pieces &pieces : lists) {
    uint32_t pieceCount = 0;
    if (!readExactly(&pieceCount, sizeof pieceCount)) return false;
    for (uint32_t i = 0; i < pieceCount; i++) {
      uint32_t size = 0;
      if (!readExactly(&size, sizeof size)) return false;
      std::string piece(size, '\0');
      if (!readExactly(piece.data(), size)) return false;
      pieces.push_back(std::move(piece));
    }
  }
  return true;
}

void append(std::string &bytes, std::size_t number) {
  const auto value = static_cast<uint32_t>(number);
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

bool writeLists(const Lists &lists) {
  std::string bytes;
  append(bytes, lists.size());
  for (const Pieces &pieces : lists) {
    append(bytes, pieces.size());
    for (const std::string &piece : pieces) {
      append(bytes, piece.size());
      bytes += piece;
    }
  }
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = write(kAnswer, bytes.data() + at, bytes.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    at += static_cast<std::size_t>(count);
  }
  return true;
}

Pieces toText(std::initializer_list<int> numbers) {
  Pieces texts;
  for (const int number : numbers) texts.push_back(std::to_string(number));
  return texts;
}

// The maximum resident size of this process in bytes; zero means no limit.
uint64_t memoryLimit = 0;

// For operations that may take a long time or a lot of memory: this process ends with the one that asked, and at its limit.
void watch();

// Each operation takes the lists of its request and returns those of its reply. The first list of a request is the
// operation's name and the library's path. The first list of a reply is empty, or has the reason why the library cannot
// be used.

Lists refusal(const std::string &reason) { return {{reason}}; }

// `how` is "no", "auto" or "required". False if the process has to be confined and can't.
bool confined(const std::string &how, const std::function<std::string()> &confine, std::string &error) {
  if (how == "no") return true;
  const std::string problem = confine();
  error = "it can't be confined here: " + problem;
  return problem.empty() || how != "required";
}

// [[name, path], companions] -> [[], [major, minor, architecture…]]
Lists nvrtcVersion(Lists &request) {
  std::string error;
  const auto nvrtc = Nvrtc::open(request[0][1], request[1], error);
  if (nvrtc == nullptr) return refusal(error);
  const auto [major, minor] = nvrtc->version();
  Pieces numbers = toText({major, minor});
  for (const int architecture : nvrtc->architectures()) numbers.push_back(std::to_string(architecture));
  return {{}, numbers};
}

// [[name, path], companions, [source, file name, output's number], options, headers' names and texts in turn, C++
// names, folders that may be read, [how to confine]] -> [[], [status, its name, operation, log], [output], names in PTX, files opened, files missing]; the last two
// lists are absent if they are unknown
Lists nvrtcCompile(Lists &request) {
  std::string error;
  const auto nvrtc = Nvrtc::open(request[0][1], request[1], error);
  if (nvrtc == nullptr) return refusal(error);
  // Opens the file that the watch of the memory reads.
  residentBytes();
  const auto confine = [&request] {
    std::string problem = confineFiles(request[6], {});
    return problem.empty() ? confineReach(memoryLimit) : problem;
  };
  // Landlock confines this thread, and so those that it starts from now on.
  if (!confined(request[7][0], confine, error)) return refusal(error);
  watch();
  NvrtcRequest compile;
  compile.source = std::move(request[2].at(0));
  compile.name = std::move(request[2].at(1));
  compile.output = static_cast<NvrtcOutput>(std::stoi(request[2].at(2)));
  compile.options = std::move(request[3]);
  for (std::size_t i = 0; i + 1 < request[4].size(); i += 2) {
    compile.headers.emplace_back(std::move(request[4][i]), std::move(request[4][i + 1]));
  }
  compile.nameExpressions = std::move(request[5]);
  observeOpenedFiles();
  NvrtcReply reply = nvrtc->compile(compile);
  OpenedFiles files = takeOpenedFiles();
  Lists answer{{},
               {std::to_string(reply.status), reply.statusName, reply.operation, reply.log},
               {std::move(reply.output)},
               std::move(reply.loweredNames)};
  if (canObserveOpenedFiles()) {
    answer.push_back(std::move(files.opened));
    answer.push_back(std::move(files.missing));
  }
  return answer;
}

// [[name, path]] -> [[], [major, minor]]
Lists linkVersion(Lists &request) {
  std::string error;
  const auto linker = JitLink::open(request[0][1], error);
  if (linker == nullptr) return refusal(error);
  const auto [major, minor] = linker->version();
  return {{}, toText({major, minor})};
}

// [[name, path], options, types, names, bytes, [how to confine]] -> [[], [status, operation, input, info log, error log], [cubin]]
Lists link(Lists &request) {
  std::string error;
  const auto linker = JitLink::open(request[0][1], error);
  if (linker == nullptr) return refusal(error);
  // Opens the file that the watch of the memory reads.
  residentBytes();
  // The filter confines all threads, and lets no more start.
  watch();
  if (!confined(request[5][0], [] { return confine(Opening::findsNothing, memoryLimit); }, error)) return refusal(error);
  LinkRequest link;
  link.options = std::move(request[1]);
  for (std::size_t i = 0; i < request[4].size(); i++) {
    const int type = std::stoi(request[2].at(i));
    if (type == kLinkedPtx) stateFileTimes(request[4][i]);
    link.inputs.push_back({type, std::move(request[4][i]), std::move(request[3].at(i))});
  }
  LinkReply reply = linker->link(link);
  return {{},
          {std::to_string(reply.status), reply.operation, std::to_string(reply.input), reply.infoLog, reply.errorLog},
          {std::move(reply.cubin)}};
}

// [[name, ""]] -> [[], [version]]
Lists landlock(Lists &) {
  std::string error;
  const int version = landlockVersion(error);
  return version == 0 ? refusal(error) : Lists{{}, toText({version})};
}

struct Operation {
  Lists (*run)(Lists &);
  // The number of lists in its request.
  std::size_t lists;
  // Whether its last list says how to confine the process.
  bool confines;
};

const std::map<std::string, Operation> &operations() {
  static const std::map<std::string, Operation> all{
      {"landlock version", {landlock, 1, false}},
      {"nvrtc version", {nvrtcVersion, 2, false}},
      {"nvrtc compile", {nvrtcCompile, 8, true}},
      {"nvjitlink version", {linkVersion, 1, false}},
      {"nvjitlink link", {link, 6, true}},
  };
  return all;
}

// Standard input is closed when the process that asked ends.
void watchInput() {
  char byte = 0;
  while (readExactly(&byte, 1)) {
  }
  _exit(1);
}

void watchMemory() {
  while (residentBytes() <= memoryLimit) std::this_thread::sleep_for(kMemoryCheck);
  _exit(kToolkitOutgrown);
}

// Returns when the thread runs: one that has not started needs calls that a confined process can't make.
void startWatch(std::function<void()> watch) {
  std::promise<void> started;
  std::future<void> running = started.get_future();
  std::thread([watch = std::move(watch), started = std::move(started)]() mutable {
    started.set_value();
    watch();
  }).detach();
  running.wait();
}

void watch() {
  startWatch([] { watchInput(); });
  if (memoryLimit != 0) startWatch([] { watchMemory(); });
}

}  // namespace

int serveToolkit(uint64_t limit, const char *howToConfine) {
  memoryLimit = limit;
  Lists request;
  if (!readLists(request) || request.empty() || request[0].size() != 2) return 1;
  const auto operation = operations().find(request[0][0]);
  if (operation == operations().end()) return 1;
  if (operation->second.confines) request.push_back({howToConfine});
  if (request.size() != operation->second.lists) return 1;
  const bool answered = writeLists(operation->second.run(request));
  // Libraries of this size take a while to clean up, and some crash while they do.
  _exit(answered ? 0 : 1);
}

}  // namespace mmptx
