// One exit handler for everything that all environments have running.
#include "at_exit.h"

#include <algorithm>
#include <initializer_list>
#include <mutex>
#include <vector>

#include "process.h"

namespace mmptx {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<std::weak_ptr<EndsWithProcess>> members;
};

// Never destroyed, because threads may outlive static destructors.
Registry &registry() {
  static auto *instance = new Registry;
  return *instance;
}

void closeAll(int status) {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  const Clock::time_point deadline = Clock::now() + kShutDownWait;
  bool left = false;
  // Tell all of them to stop before waiting for any.
  for (const Clock::time_point until : {Clock::time_point::min(), deadline}) {
    left = false;
    for (const auto &each : all.members) {
      if (const auto member = each.lock()) left = !member->close(until) || left;
    }
  }
  // Otherwise `exit` would go on to destroy what a running compile still uses.
  if (left) endProcess(status);
}

}  // namespace

void closeAtExit(const std::shared_ptr<EndsWithProcess> &each) {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  // Registered after the compiler library was opened, so it runs before that library's own destructors.
  static const bool registered = atEndOfProcess(closeAll);
  (void)registered;
  all.members.erase(
      std::remove_if(all.members.begin(), all.members.end(), [](const auto &member) { return member.expired(); }),
      all.members.end());
  all.members.push_back(each);
}

// Closing twice is safe.
void closeFirstAtExit() { atEndOfProcess(closeAll); }

}  // namespace mmptx
