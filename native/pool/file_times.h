// The compiler looks up the time and the size of every file that a `.file` directive names without them, and writes both
// into the line table. A cubin would then tell about files of the machine, and differ from machine to machine.
#pragma once

#include <string>

namespace mmptx {

// Adds the time 1 and the size 1 to every such directive in a text; paths and line breaks stay. A time of 0, or one of 64
// bits or more, also has the compiler look the file up, or crashes it, so it becomes 1. Other directives, and
// malformed ones, stay as they are.
void stateFileTimes(std::string &ptx);

}  // namespace mmptx
