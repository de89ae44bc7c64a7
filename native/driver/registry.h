// What a session has created and not destroyed. Destroy functions are called only through this class.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "driver.h"

namespace mmptx {

enum class Kind : uint8_t { memory, hostMemory, pool, module, stream, event, graph, graphExec, count };

class Registry {
 public:
  void add(Kind kind, uint64_t handle);
  bool has(Kind kind, uint64_t handle) const { return numbers_.count({kind, handle}) != 0; }
  void forget(Kind kind, uint64_t handle);

  std::array<uint64_t, static_cast<std::size_t>(Kind::count)> counts() const;

  // The function that destroys one of them and takes only the handle.
  static Function destroyerOf(Kind kind);

  // Youngest first. The driver's results are ignored.
  void destroyAll(Driver &driver);

 private:
  using Entry = std::pair<Kind, uint64_t>;

  uint64_t next_ = 0;
  std::map<Entry, uint64_t> numbers_;
  std::map<uint64_t, Entry> byAge_;
};

}  // namespace mmptx
