// Calls the driver for a session of another process.
#pragma once

#include "wire.h"

namespace mmptx {

// Until the other side is gone; the exit code.
int serveDevice();

}  // namespace mmptx
