// The architecture of a device.
#pragma once

#include <string>

namespace mmptx {

// The name that compilers use, for example "sm_90". Empty if it cannot be determined; `error` then has the reason.
// `library` is the library to open; if it is empty, the system's driver is used.
std::string deviceArch(const std::string &library, int ordinal, std::string &error);

}  // namespace mmptx
