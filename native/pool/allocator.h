// The C library's allocator, as far as compiling is slowed by it.
#pragma once

namespace mmptx {

// Makes the process keep freed memory for the next compile. The first call does it; a caller's own settings stay.
void keepFreedMemory();

}  // namespace mmptx
