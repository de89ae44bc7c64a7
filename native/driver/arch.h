// The architecture of a device.
#pragma once

#include <string>

namespace mmptx {

// As compilers name it, for example "sm_90"; empty, with the reason in `error`, when it cannot be had. `library` is what to
// open; empty: where the system has its driver.
std::string deviceArch(const std::string &library, int ordinal, std::string &error);

}  // namespace mmptx
