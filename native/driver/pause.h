// How a thread waits for a moment without sleeping.
#pragma once

namespace mmptx {

inline void pauseThread() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace mmptx
