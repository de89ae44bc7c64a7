// The job object that `Child::start` puts every worker into has the limits.
#include "confine.h"

namespace mmptx {

std::string confine() { return "Windows has no filter for system calls"; }

}  // namespace mmptx
