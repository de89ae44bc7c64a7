// The CUDA header in host code, and with clang as a CUDA parser: editors and host builds accept files with
// sites.
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { clangCuda, fixture, host, INCLUDE, inFolder } from "../support/header-compilers.js";
import { hasTool } from "../support/helpers.js";

const STANDARDS = ["c++11", "c++14", "c++17", "c++20"];
const SITES = `#include <ptx_inject.h>
struct half { unsigned short bits; };
float run(const float* values, volatile float* shared, half h) {
  float x = values[0], z, sum = 0.0f;
  half result;
  PTX_INJECT("func", PTX_IN(F32, x), PTX_OUT(F32, z), PTX_MOD(F32, sum), PTX_IN(F32, two, 2.0f), PTX_OUT(F16, result));
  PTX_INJECT_TOK(func, PTX_IN(F16, h), PTX_MOD(F32, *shared), PTX_VOLATILE, PTX_MEMORY, PTX_NUMBER(3));
#if __cplusplus >= 201402L
  ptx_inject::choose<8>(3, [&](auto n) { PTX_INJECT("func", PTX_NUMBER(n), PTX_OUT(F32, z), PTX_IN(F32, x)); });
#endif
  return sum;
}\n`;

/** Prints the results of a program whose sites do something in host code. */
const FALLBACK = `#include <cstdio>
#include <ptx_inject.h>
int main() {
  float x = 3, z = 0, sum = 0;
  PTX_INJECT("nothing", PTX_IN(F32, x), PTX_MOD(F32, sum));
  PTX_INJECT("square", PTX_IN(F32, x), PTX_OUT(F32, z), PTX_HOST(z = x * x));
  for (int i = 0; i < 3; i++)
    ptx_inject::choose<3>(i, [&](auto n) {
      PTX_INJECT("add", PTX_NUMBER(n), PTX_MOD(F32, sum), PTX_HOST(float term = n + 1; sum += term, sum *= 2));
    });
  ptx_inject::choose<3>(3, [&](auto n) { PTX_INJECT("add", PTX_NUMBER(n), PTX_MOD(F32, sum), PTX_HOST(sum = -1)); });
  ptx_inject::choose<3>(-1, [&](auto n) { PTX_INJECT("add", PTX_NUMBER(n), PTX_MOD(F32, sum), PTX_HOST(sum = -1)); });
  std::printf("%g %g", z, sum);
}\n`;

describe.skipIf(!hasTool("g++"))("with g++", { timeout: 60_000 }, () => {
  test.each(STANDARDS)("a site compiles without warnings, %s", (standard) => {
    expect(host("g++", SITES, `-std=${standard}`, "-Wall", "-Wextra", "-Werror").log).toBe("");
  });

  test.each(STANDARDS)("as a system header it has no pedantic warnings either, %s", (standard) => {
    const flags = [`-std=${standard}`, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-isystem", INCLUDE];
    expect(host("g++", SITES, ...flags).log).toBe("");
  });

  test("a site does nothing, or runs what PTX_HOST contains", () => {
    const program = inFolder("program");
    const { log } = host("g++", FALLBACK);
    expect(log).toBe("");
    const built = spawnSync("g++", ["-I", INCLUDE, "-o", program, inFolder("source.cpp")], {
      encoding: "utf8",
    });
    expect(built.stderr).toBe("");
    expect(spawnSync(program, { encoding: "utf8" }).stdout).toBe("9 22");
  });

  test("C is refused with an explanation", () => {
    const { log } = host("g++", "#include <ptx_inject.h>\n", "-x", "c");
    expect(log).toContain("ptx_inject.h needs C++11 or later");
    expect(host("g++", "#include <ptx_inject.h>\n", "-std=c++98").log).toContain("needs C++11 or later");
  });
});

describe.skipIf(!hasTool("clang"))("with clang", { timeout: 60_000 }, () => {
  test.each(STANDARDS)("a site compiles without warnings in host code, %s", (standard) => {
    expect(host("clang", SITES, `-std=${standard}`, "-Wall", "-Wextra", "-Werror").log).toBe("");
  });

  test.each([
    ["host", "c++14"],
    ["host", "c++20"],
    ["device", "c++14"],
    ["device", "c++20"],
  ] as const)("an editor takes a kernel without any header of CUDA, %s side, %s", (side, standard) => {
    const kernel = `#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
struct __half { unsigned short bits; };
struct __half2 { unsigned bits; };
${fixture("options.cu").replace("#include <cuda_fp16.h>\n", "")}`;
    expect(clangCuda(kernel, side, `-std=${standard}`, "-Wall", "-Wextra").log).toBe("");
  });
});
