// Windows binds a library's calls to the library that it names, so nothing can be observed from here.
#include "opened_files.h"

namespace mmptx {

bool canObserveOpenedFiles() { return false; }

void observeOpenedFiles() {}

OpenedFiles takeOpenedFiles() { return {}; }

}  // namespace mmptx
