// What the files for Windows share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace mmptx {

std::wstring wide(const std::string &text);

// Appends the number of the last error.
std::string failure(const std::string &what);

// The resident size of a process, by its handle.
uint64_t residentBytesOf(void *process);

// Windows limits the size of one call to 32 bits.
inline unsigned long atOnce(std::size_t size) {
  return static_cast<unsigned long>(std::min<std::size_t>(size, 1u << 20));
}

}  // namespace mmptx
