// Has run under Wine, but never on Windows itself. Windows pipes report when a transfer is complete, not when one could
// start, so one read and one write are always in flight, through buffers on this side.
#include "child.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "windows_common.h"

namespace mmptx {
namespace {

constexpr DWORD kBuffer = 64 * 1024;

class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle &operator=(Handle &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() {
    if (handle_ != nullptr) CloseHandle(handle_);
  }

  explicit operator bool() const { return handle_ != nullptr; }
  HANDLE get() const { return handle_; }

 private:
  HANDLE handle_ = nullptr;
};

// One direction of the data pipe: a buffer and the transfer that fills or empties it.
struct Transfer {
  Handle event{CreateEventW(nullptr, TRUE, FALSE, nullptr)};
  OVERLAPPED overlapped{};
  char buffer[kBuffer];
  // The part of `buffer` that was received and not yet taken.
  DWORD from = 0;
  DWORD to = 0;
  bool underWay = false;
  bool broken = false;

  OVERLAPPED *begin() {
    overlapped = OVERLAPPED{};
    overlapped.hEvent = event.get();
    underWay = true;
    return &overlapped;
  }
  void began(BOOL done) {
    if (!done && GetLastError() != ERROR_IO_PENDING) {
      underWay = false;
      broken = true;
    }
  }
  // The number of bytes sent, once the transfer is complete.
  DWORD finish(HANDLE pipe, bool wait) {
    DWORD count = 0;
    if (!underWay || GetOverlappedResult(pipe, &overlapped, &count, wait)) {
      underWay = false;
    } else if (GetLastError() != ERROR_IO_INCOMPLETE) {
      underWay = false;
      broken = true;
    }
    return count;
  }
};

// The two ends of a pipe, the second one for the child. Only our end is asynchronous.
bool makeDataPipe(Handle &ours, Handle &theirs) {
  static std::atomic<unsigned> made{0};
  wchar_t name[96];
  std::swprintf(name, sizeof name / sizeof name[0], L"\\\\.\\pipe\\mmptx-%lu-%u", GetCurrentProcessId(), made++);
  ours = Handle(CreateNamedPipeW(name, PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                                 PIPE_TYPE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, kBuffer, kBuffer, 0, nullptr));
  if (!ours) return false;
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  theirs = Handle(CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, &inherited, OPEN_EXISTING, 0, nullptr));
  return static_cast<bool>(theirs);
}

bool makeControlPipe(Handle &ours, Handle &theirs) {
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  HANDLE reading = nullptr;
  HANDLE writing = nullptr;
  if (!CreatePipe(&reading, &writing, &inherited, 0)) return false;
  theirs = Handle(reading);
  ours = Handle(writing);
  return SetHandleInformation(ours.get(), HANDLE_FLAG_INHERIT, 0) != 0;
}

// A job for one process: it starts no other, ends without a dialog, has no clipboard and no desktop but its own, and ends
// when the job's last handle is closed, however this process ends.
Handle makeJob() {
  Handle job(CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_ACTIVE_PROCESS | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION |
                                            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  limits.BasicLimitInformation.ActiveProcessLimit = 1;
  JOBOBJECT_BASIC_UI_RESTRICTIONS windows{};
  windows.UIRestrictionsClass = JOB_OBJECT_UILIMIT_DESKTOP | JOB_OBJECT_UILIMIT_DISPLAYSETTINGS |
                                JOB_OBJECT_UILIMIT_EXITWINDOWS | JOB_OBJECT_UILIMIT_GLOBALATOMS |
                                JOB_OBJECT_UILIMIT_HANDLES | JOB_OBJECT_UILIMIT_READCLIPBOARD |
                                JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS | JOB_OBJECT_UILIMIT_WRITECLIPBOARD;
  const bool limited =
      job && SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits) &&
      SetInformationJobObject(job.get(), JobObjectBasicUIRestrictions, &windows, sizeof windows);
  return limited ? std::move(job) : Handle();
}

// A block for CreateProcess: each entry ends with a NUL, and the block with another.
std::wstring blockOf(const std::vector<std::string> &environment) {
  std::wstring block;
  for (const std::string &entry : environment) block += wide(entry) + L'\0';
  return block + L'\0';
}

std::wstring numberOf(const Handle &handle) { return std::to_wstring(reinterpret_cast<uintptr_t>(handle.get())); }

}  // namespace

struct Child::State {
  // Destroyed after the process that it ends.
  Handle job;
  Handle process;
  Handle data;
  Handle control;
  Handle woken{CreateEventW(nullptr, FALSE, FALSE, nullptr)};
  Transfer reading;
  Transfer writing;

  void read() {
    if (reading.underWay || reading.broken || reading.from < reading.to) return;
    OVERLAPPED *overlapped = reading.begin();
    reading.began(ReadFile(data.get(), reading.buffer, kBuffer, nullptr, overlapped));
  }
};

Child::Child() : state_(std::make_unique<State>()) {}

Child::~Child() { end(); }

bool Child::running() const { return static_cast<bool>(state_->process); }

bool Child::quiet() { return running() && WaitForSingleObject(state_->process.get(), 0) == WAIT_TIMEOUT; }

std::string Child::start(const Command &command, bool &transient) {
  State &state = *state_;
  const std::string &executable = command.executable;
  const std::string &word = command.word;
  transient = false;
  Handle theirData;
  Handle theirControl;
  if (!makeDataPipe(state.data, theirData) || !makeControlPipe(state.control, theirControl)) return failure("pipe");

  // The child inherits only these two handles.
  HANDLE inherited[] = {theirData.get(), theirControl.get()};
  SIZE_T size = 0;
  InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
  std::vector<char> room(size);
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof startup;
  startup.lpAttributeList = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(room.data());
  if (!InitializeProcThreadAttributeList(startup.lpAttributeList, 1, 0, &size)) return failure("attributes");
  UpdateProcThreadAttribute(startup.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited, sizeof inherited,
                            nullptr, nullptr);
  // Neither can contain a quotation mark, because both are paths.
  std::wstring line = L"\"" + wide(executable) + L"\" \"" + wide(word) + L"\" " + numberOf(theirData) + L" " + numberOf(theirControl);
  std::wstring environment = blockOf(command.environment);
  PROCESS_INFORMATION made{};
  const BOOL started = CreateProcessW(wide(executable).c_str(), line.data(), nullptr, nullptr, TRUE,
                                      EXTENDED_STARTUPINFO_PRESENT | CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP |
                                          CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT,
                                      environment.data(), nullptr, &startup.StartupInfo, &made);
  const std::string problem = started ? "" : failure(executable);
  DeleteProcThreadAttributeList(startup.lpAttributeList);
  if (!started) return problem;
  state.process = Handle(made.hProcess);
  const Handle thread(made.hThread);
  // It runs without limits where its job can't have any.
  state.job = makeJob();
  if (state.job) AssignProcessToJobObject(state.job.get(), state.process.get());
  ResumeThread(thread.get());
  for (Transfer *each : {&state.reading, &state.writing}) {
    each->from = 0;
    each->to = 0;
    each->broken = false;
  }
  return {};
}

Child::Ready Child::wait(bool forRoom, int milliseconds) {
  State &state = *state_;
  state.read();
  Ready result;
  const auto look = [&] {
    if (state.reading.underWay) state.reading.to = state.reading.finish(state.data.get(), false);
    if (state.writing.underWay) state.writing.finish(state.data.get(), false);
    result.toRead = !state.reading.underWay;
    result.toWrite = forRoom && !state.writing.underWay;
  };
  look();
  if (result.toRead || result.toWrite) return result;
  HANDLE events[3] = {state.woken.get(), state.reading.event.get(), state.writing.event.get()};
  const DWORD until = milliseconds < 0 ? INFINITE : static_cast<DWORD>(milliseconds);
  const DWORD came = WaitForMultipleObjects(forRoom ? 3 : 2, events, FALSE, until);
  result.failed = came == WAIT_FAILED;
  result.timedOut = came == WAIT_TIMEOUT;
  look();
  return result;
}

void Child::wake() { SetEvent(state_->woken.get()); }

long Child::send(const Piece *pieces, int count) {
  Transfer &writing = state_->writing;
  if (writing.underWay) writing.finish(state_->data.get(), false);
  if (writing.broken) return -1;
  if (writing.underWay) return 0;
  DWORD filled = 0;
  for (int i = 0; i < count; i++) {
    const auto size = static_cast<DWORD>(std::min<std::size_t>(pieces[i].size, kBuffer - filled));
    std::memcpy(writing.buffer + filled, pieces[i].bytes, size);
    filled += size;
  }
  OVERLAPPED *overlapped = writing.begin();
  writing.began(WriteFile(state_->data.get(), writing.buffer, filled, nullptr, overlapped));
  return writing.broken ? -1 : static_cast<long>(filled);
}

long Child::receive(void *into, std::size_t size) {
  Transfer &reading = state_->reading;
  if (reading.underWay) return 0;
  if (reading.from == reading.to) {
    if (reading.broken) return -1;
    reading.from = reading.to = 0;
    state_->read();
    reading.to = reading.finish(state_->data.get(), false);
    if (reading.underWay) return 0;
    if (reading.broken) return -1;
  }
  const auto count = static_cast<DWORD>(std::min<std::size_t>(size, reading.to - reading.from));
  std::memcpy(into, reading.buffer + reading.from, count);
  reading.from += count;
  if (reading.from == reading.to) reading.from = reading.to = 0;
  return static_cast<long>(count);
}

void Child::tell(const void *message, std::size_t size) {
  DWORD written = 0;
  WriteFile(state_->control.get(), message, static_cast<DWORD>(size), &written, nullptr);
}

uint64_t Child::residentBytes() const { return residentBytesOf(state_->process.get()); }

std::chrono::nanoseconds Child::cpuTime() const {
  FILETIME created, exited, kernel, user;
  if (!state_->process || !GetProcessTimes(state_->process.get(), &created, &exited, &kernel, &user)) return {};
  const auto ticks = [](const FILETIME &time) { return uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime; };
  // They are units of 100 ns.
  return std::chrono::nanoseconds(100 * (ticks(kernel) + ticks(user)));
}

Child::Ended Child::end() {
  State &state = *state_;
  Ended ended;
  if (state.process) {
    // A process that is already dead keeps its exit code.
    TerminateProcess(state.process.get(), 1);
    WaitForSingleObject(state.process.get(), INFINITE);
    DWORD code = 0;
    GetExitCodeProcess(state.process.get(), &code);
    ended.code = static_cast<int>(code);
  }
  for (Transfer *each : {&state.reading, &state.writing}) {
    if (!each->underWay) continue;
    CancelIoEx(state.data.get(), &each->overlapped);
    each->finish(state.data.get(), true);
  }
  state.data = Handle();
  state.control = Handle();
  state.process = Handle();
  return ended;
}

// Windows reports crashes as exit codes as well; 0xc0000005, for example, is an access violation.
std::string Child::Ended::words(const std::string &where) const {
  char text[32];
  std::snprintf(text, sizeof text, code < 0 ? "0x%08x" : "%d", static_cast<unsigned>(code));
  return "ended " + where + "with code " + text;
}

}  // namespace mmptx
