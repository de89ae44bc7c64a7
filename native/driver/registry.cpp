#include "registry.h"

namespace mmptx {
namespace {

// In the order of `Kind`.
constexpr Function kDestroyers[] = {
    Function::cuMemFree,       Function::cuMemFreeHost,  Function::cuMemPoolDestroy, Function::cuModuleUnload,
    Function::cuStreamDestroy, Function::cuEventDestroy, Function::cuGraphDestroy,   Function::cuGraphExecDestroy,
};
static_assert(sizeof kDestroyers / sizeof *kDestroyers == static_cast<std::size_t>(Kind::count));

}  // namespace

void Registry::add(Kind kind, uint64_t handle) {
  // If the driver returns a handle that was not destroyed, it means the same object.
  forget(kind, handle);
  numbers_[{kind, handle}] = next_;
  byAge_[next_++] = {kind, handle};
}

void Registry::forget(Kind kind, uint64_t handle) {
  const auto found = numbers_.find({kind, handle});
  if (found == numbers_.end()) return;
  byAge_.erase(found->second);
  numbers_.erase(found);
}

std::array<uint64_t, static_cast<std::size_t>(Kind::count)> Registry::counts() const {
  std::array<uint64_t, static_cast<std::size_t>(Kind::count)> counts{};
  for (const auto &entry : numbers_) counts[static_cast<std::size_t>(entry.first.first)]++;
  return counts;
}

Function Registry::destroyerOf(Kind kind) { return kDestroyers[static_cast<std::size_t>(kind)]; }

void Registry::destroyAll(Driver &driver) {
  for (auto each = byAge_.rbegin(); each != byAge_.rend(); ++each) {
    // Handles are pointers or 64-bit addresses; both are passed in the same way.
    driver.call(destroyerOf(each->second.first), each->second.second);
  }
  byAge_.clear();
  numbers_.clear();
}

}  // namespace mmptx
