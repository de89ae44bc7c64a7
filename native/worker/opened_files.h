// The files that libraries in this process open, so that a caller can tell when the result of a compile is out of date:
// NVRTC does not list the headers that it reads or looks for.
#pragma once

#include <string>
#include <vector>

namespace mmptx {

struct OpenedFiles {
  // As the library named them, relative to the working folder if not absolute; may repeat.
  std::vector<std::string> opened;
  // Files that do not exist.
  std::vector<std::string> missing;
};

// Whether this system can observe them.
bool canObserveOpenedFiles();

// Observes the files that any thread opens for reading from now on.
void observeOpenedFiles();

// The files since `observeOpenedFiles`, and ends the observation.
OpenedFiles takeOpenedFiles();

}  // namespace mmptx
