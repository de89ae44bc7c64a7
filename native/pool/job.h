// What is compiled, and how: a text or a template with its stubs, and the options that a target stands for.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "at_exit.h"

namespace mmptx {

// The options of a compile, shared by all jobs that have them.
struct Target {
  std::string arch;
  int32_t effort = 0;
  int32_t maxRegisters = 0;
  uint32_t flags = 0;
};

// PTX with holes: a segment, what fills hole 0, a segment, and so on, one segment more than holes.
struct Template {
  std::string text;
  // Where each segment ends in `text`.
  std::vector<uint32_t> segmentEnds;
  // Which stub fills each hole.
  std::vector<uint32_t> holes;
  uint32_t stubs = 0;

  // False when the parts do not fit together.
  bool valid() const;
};

// A text, or the stubs of a template one after the other.
struct Source {
  std::string text;
  std::shared_ptr<const Template> form;
  std::vector<uint32_t> stubEnds;

  bool valid() const;
  // The bytes of the text that `take` gives.
  std::size_t size() const;
  // The text to compile; leaves this empty.
  std::string take();
};

struct Job {
  uint64_t id = 0;
  Source source;
  std::shared_ptr<const Target> target;
  int32_t priority = 0;
  std::chrono::milliseconds timeout{0};
  Clock::time_point deadline{};
  // Polled by the compiler between its phases.
  int32_t cancel = 0;
  // Cancelled, or reported by the watchdog: what the compiler returns is nobody's any more.
  bool settled = false;
};

}  // namespace mmptx
