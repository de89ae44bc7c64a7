// The job object that `Child::start` puts every worker into has the limits.
#include "confine.h"

namespace mmptx {

std::string confine(Opening, uint64_t) { return "Windows has no filter for system calls"; }

std::string confineReach(uint64_t) { return "Windows has no filter for system calls"; }

int landlockVersion(std::string &error) {
  error = "Windows has no Landlock";
  return 0;
}

std::string confineFiles(const std::vector<std::string> &, const std::vector<std::string> &) {
  return "Windows has no way to confine a process to folders";
}

}  // namespace mmptx
