// What the files for Windows share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace mmptx {

std::wstring wide(const std::string &text);

// With the number of the last error.
std::string failure(const std::string &what);

// Of a process handle.
uint64_t residentBytesOf(void *process);

// Windows counts what goes in one call with 32 bits.
inline unsigned long atOnce(std::size_t size) {
  return static_cast<unsigned long>(std::min<std::size_t>(size, 1u << 20));
}

}  // namespace mmptx
