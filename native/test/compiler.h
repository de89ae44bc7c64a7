// The real compiler for tests, and PTX for it.
#pragma once

#include <string>

#include "check.h"

inline std::string libraryPath() { return check::setting("MM_PTX_TEST_LIBRARY", MMPTX_TEST_LIBRARY); }
inline std::string workerPath() { return check::setting("MM_PTX_TEST_WORKER", MMPTX_TEST_WORKER); }

inline std::string module(const std::string &name, const std::string &body = "") {
  return ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry " + name + "() {\n" + body + "\tret;\n}\n";
}

// One kernel of `count` instructions on `live` values that are all used to the end, so that no phase of the compiler is
// short.
inline std::string stubborn(int count, int live) {
  std::string text = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) {\n\t.reg .f32 %f<" +
                     std::to_string(live) + ">;\n\t.reg .b64 %p;\n\tld.param.u64 %p, [p];\n";
  const auto f = [live](int i) { return "%f" + std::to_string(i % live); };
  for (int i = 0; i < live; i++) text += "\tld.global.f32 " + f(i) + ", [%p+" + std::to_string(4 * i) + "];\n";
  for (int i = 0; i < count; i++) text += "\tfma.rn.f32 " + f(i * 7) + ", " + f(i * 13 + 1) + ", " + f(i * 5 + 2) + ", " + f(i * 7) + ";\n";
  for (int i = 0; i < live; i++) text += "\tst.global.f32 [%p+" + std::to_string(4 * i) + "], " + f(i) + ";\n";
  return text + "\tret;\n}\n";
}
