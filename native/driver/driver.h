// NVIDIA's driver, found at run time. Nothing here fails because there is none: it is asked for, and says so.
#pragma once

#include <string>

namespace mmptx {

// The architecture of a device as compilers name it, for example "sm_90"; empty, with the reason in `error`, when it cannot
// be had. `library` is what to open, for example "libcuda.so.1".
std::string deviceArch(const std::string &library, int ordinal, std::string &error);

}  // namespace mmptx
