// Settings of the C library's allocator that matter for compiling.
#pragma once

namespace mmptx {

// Makes the process keep freed memory for the next compile. The first call does it; settings that the user made are
// left alone.
void keepFreedMemory();

}  // namespace mmptx
