// The CUDA header compiled by NVRTC finds the same sites as nvcc. CUDA toolkits and the Python wheel
// `nvidia-cuda-nvrtc` contain the library; MM_PTX_NVRTC can name another one.
import { describe, expect, test } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { parsePtx } from "../../src/index.js";
import { CUDA_INCLUDE, fixture, NVRTC, nvrtc } from "../support/header-compilers.js";
import { KINDS, OPTIONS, summary } from "../support/header-sites.js";
import { hasTool } from "../support/helpers.js";

const STANDARDS = ["c++14", "c++17", "c++20"];
/** Outside of a soak, the two fixtures share them. */
const [FIRST, LAST] = SOAK ? [STANDARDS, STANDARDS] : [["c++17"], ["c++20"]];
const ARCH = "--gpu-architecture=compute_75";

describe.skipIf(NVRTC === undefined || !hasTool("python3"))("with NVRTC", { timeout: 120_000 }, () => {
  test.skipIf(CUDA_INCLUDE === undefined).each(FIRST!)(
    "has the sites of the fixture with half types, %s",
    (standard) => {
      const { log, ptx } = nvrtc(fixture("kinds.cu"), ARCH, `--std=${standard}`);
      expect(log).toBe("");
      expect(summary(parsePtx(ptx))).toEqual(KINDS);
      // A header that declares variables would add them to every module.
      expect(ptx).not.toContain("ptx_inject");
    },
  );

  test.skipIf(CUDA_INCLUDE === undefined).each(LAST!)("applies options, %s", (standard) => {
    const options = [ARCH, `--std=${standard}`, "-default-device", "-diag-suppress=550"];
    const { log, ptx } = nvrtc(fixture("options.cu"), ...options);
    expect(log).toBe("");
    expect(summary(parsePtx(ptx))).toEqual(OPTIONS);
    expect(ptx).not.toContain("ptx_inject");
  });

  test("compiles without any other header, and with a function object where a lambda needs an option", () => {
    const { log, ptx } = nvrtc(
      `#include <ptx_inject.h>
struct Site {
  float x;
  float* z;
  template <class Number>
  __device__ void operator()(Number n) const {
    PTX_INJECT("func", PTX_NUMBER(n), PTX_IN(F32, x), PTX_OUT(F32, z, *z));
  }
};
extern "C" __global__ void k(float* f, int index) {
  float z = 0;
  ptx_inject::choose<3>(index, Site{f[0], &z});
  f[1] = z;
}\n`,
      ARCH,
    );
    expect(log).toBe("");
    expect(
      parsePtx(ptx)
        .injections.map(({ name }) => name)
        .toSorted(),
    ).toEqual(["func_0", "func_1", "func_2"]);
  });

  test("reports mistakes in the same words", () => {
    const { status, log } = nvrtc(
      `#include <ptx_inject.h>
__global__ void k(float x) { PTX_INJECT("type", PTX_OUT(F31, x)); PTX_INJECT("%1", PTX_OUT(F32, x)); }\n`,
      ARCH,
    );
    expect(status).not.toBe(0);
    expect(log).toContain("PTX_INJECT: unknown type F31, define PTX_TYPE_INFO_F31 as PTX_TYPES_DESC(...)");
    expect(log).toContain("PTX_INJECT: in names % is written %%");
  });
});
