// Has run under Wine, but never on Windows itself.
#include "process.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// Needs windows.h to be included first.
#include <psapi.h>

#include <cstdlib>

#include "windows_common.h"

namespace mmptx {
namespace {

HANDLE ends[2] = {INVALID_HANDLE_VALUE, INVALID_HANDLE_VALUE};

HANDLE handleOf(End end) { return ends[end == End::data ? 0 : 1]; }

PROCESS_MEMORY_COUNTERS memoryOf(HANDLE process) {
  PROCESS_MEMORY_COUNTERS counters{};
  GetProcessMemoryInfo(process, &counters, sizeof counters);
  return counters;
}

HANDLE handleIn(const char *word) { return reinterpret_cast<HANDLE>(std::strtoull(word, nullptr, 10)); }

}  // namespace

std::wstring wide(const std::string &text) {
  const int size = MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), nullptr, 0);
  std::wstring result(static_cast<std::size_t>(size), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), result.data(), size);
  return result;
}

std::string failure(const std::string &what) { return what + ": error " + std::to_string(GetLastError()); }

uint64_t residentBytesOf(void *process) { return memoryOf(process).WorkingSetSize; }

void endProcess(int code) {
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(code));
  std::abort();
}

// On Windows, the exit handlers of a module run after the system has terminated all other threads, so nothing that
// waits for a thread could continue.
bool atEndOfProcess(void (*)(int code)) { return true; }

void nameThread(const char *name) { SetThreadDescription(GetCurrentThread(), wide(name).c_str()); }

void *openShared(const std::string &path, std::string &error) {
  HMODULE library = LoadLibraryW(wide(path).c_str());
  if (library == nullptr) error = failure(path);
  return library;
}

void *symbolOf(void *library, const char *name) {
  return reinterpret_cast<void *>(GetProcAddress(static_cast<HMODULE>(library), name));
}

void closeShared(void *library) { FreeLibrary(static_cast<HMODULE>(library)); }

uint64_t residentBytes() { return residentBytesOf(GetCurrentProcess()); }

uint64_t peakBytes() { return memoryOf(GetCurrentProcess()).PeakWorkingSetSize; }

void expectCrashes() { SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX); }

void closeInherited(int) {}

bool openEnds(int count, char **words) {
  if (count != 4) return false;
  ends[0] = handleIn(words[2]);
  ends[1] = handleIn(words[3]);
  DWORD flags = 0;
  return GetHandleInformation(ends[0], &flags) && GetHandleInformation(ends[1], &flags);
}

bool readAll(End from, void *into, std::size_t size) {
  auto *at = static_cast<char *>(into);
  while (size > 0) {
    DWORD count = 0;
    if (!ReadFile(handleOf(from), at, atOnce(size), &count, nullptr) || count == 0) return false;
    at += count;
    size -= count;
  }
  return true;
}

bool writeAll(const Piece *pieces, int count) {
  for (int i = 0; i < count; i++) {
    const auto *at = static_cast<const char *>(pieces[i].bytes);
    for (std::size_t left = pieces[i].size; left > 0;) {
      DWORD written = 0;
      if (!WriteFile(handleOf(End::data), at, atOnce(left), &written, nullptr)) return false;
      at += written;
      left -= written;
    }
  }
  return true;
}

}  // namespace mmptx
