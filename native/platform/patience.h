// Waiting in a blocked thread whose owner may want to leave, and has no way to wake it.
#pragma once

#include <algorithm>
#include <chrono>

#include "at_exit.h"

namespace mmptx {

// How often the owner is asked whether it leaves.
constexpr std::chrono::milliseconds kAsk{100};

// Calls `wait` with times to wait until, until it returns true, or `until` has passed, or `leaves` returns true between
// two waits. Returns whether `wait` did.
template <typename Wait, typename Leaves>
bool waitUnless(Clock::time_point until, Wait wait, Leaves leaves) {
  do {
    if (wait(std::min(until, Clock::now() + kAsk))) return true;
  } while (Clock::now() < until && !leaves());
  return false;
}

}  // namespace mmptx
