// One call of a library of NVIDIA's that may crash or hang, in a process of its own.
#pragma once

namespace mmptx {

// Reads a request from standard input, answers on descriptor 3, and returns the process's exit code. The end of standard
// input before the answer ends the process, because whoever asked is gone then.
int serveToolkit();

}  // namespace mmptx
