// Calls the driver on behalf of a session in another process.
#pragma once

#include "wire.h"

namespace mmptx {

// Runs until the other side is gone, and returns the exit code.
int serveDevice();

}  // namespace mmptx
