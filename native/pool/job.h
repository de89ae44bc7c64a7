// What is compiled, and how: a text or a template with its stubs, and the compiler's arguments.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "at_exit.h"

namespace mmptx {

// PTX with holes: a segment, the stub of hole 0, a segment, and so on. There is one more segment than holes.
struct Template {
  std::string text;
  // The end of each segment in `text`.
  std::vector<uint32_t> segmentEnds;
  // The index of the stub that fills each hole.
  std::vector<uint32_t> holes;
  uint32_t stubs = 0;

  // False if the parts are inconsistent.
  bool valid() const;
};

// A text, or the concatenated stubs of a template.
struct Source {
  std::string text;
  std::shared_ptr<const Template> form;
  std::vector<uint32_t> stubEnds;

  bool valid() const;
  // The size in bytes of the text that `take` returns.
  std::size_t size() const;
  // Returns the text to compile, and leaves this empty.
  std::string take();
};

struct Job {
  uint64_t id = 0;
  Source source;
  // As `mmptxc_compile` takes them; shared by all jobs that have the same.
  std::shared_ptr<const std::string> arguments;
  int32_t priority = 0;
  std::chrono::milliseconds timeout{0};
  Clock::time_point deadline{};
  // The compiler polls it between its phases.
  int32_t cancel = 0;
  // The job was cancelled, or the watchdog has reported it: nobody uses what the compiler returns.
  bool settled = false;
};

}  // namespace mmptx
