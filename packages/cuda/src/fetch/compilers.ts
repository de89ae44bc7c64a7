// NVIDIA's PTX compilers in the Python package index. Other versions are not fetched, because machine code and messages
// depend on them.

import type { Distribution } from "./wheel.js";

/** What can be fetched. */
export type CompilerName = "ptxas" | "nvjitlink";

const VERSION = "13.0.88";
const INSIDE = "nvidia/cu13";

export const COMPILERS: Readonly<Record<CompilerName, Distribution>> = {
  ptxas: {
    project: "nvidia-cuda-nvcc",
    version: VERSION,
    inside: INSIDE,
    isProgram: true,
    files: {
      "linux-x64": {
        tags: "manylinux2014_x86_64.manylinux_2_17_x86_64",
        sha256: "56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03",
        bytes: 37_384_532,
        library: "bin/ptxas",
      },
      "linux-arm64": {
        tags: "manylinux2014_aarch64.manylinux_2_17_aarch64",
        sha256: "c7ff28f86a24effdc6c034fa15230c549a273e4771b10a7fec14996f8cf3307f",
        bytes: 32_455_430,
        library: "bin/ptxas",
      },
      "win32-x64": {
        tags: "win_amd64",
        sha256: "7c3a32c8ca9866addfd784da363ddee2f6874d560027a296f583e86a61f2d543",
        bytes: 29_792_773,
        library: "bin/ptxas.exe",
      },
    },
  },
  nvjitlink: {
    project: "nvidia-nvjitlink",
    version: VERSION,
    inside: INSIDE,
    isProgram: false,
    files: {
      "linux-x64": {
        tags: "manylinux2010_x86_64.manylinux_2_12_x86_64",
        sha256: "13a74f429e23b921c1109976abefacc69835f2f433ebd323d3946e11d804e47b",
        bytes: 40_713_933,
        library: "lib/libnvJitLink.so.13",
      },
      "linux-arm64": {
        tags: "manylinux2014_aarch64.manylinux_2_17_aarch64",
        sha256: "e931536ccc7d467a98ba1d8b89ff7fa7f1fa3b13f2b0069118cd7f47bff07d0c",
        bytes: 38_768_748,
        library: "lib/libnvJitLink.so.13",
      },
      "win32-x64": {
        tags: "win_amd64",
        sha256: "634e96e3da9ef845ae744097a1f289238ecf946ce0b82e93cdce14b9782e682f",
        bytes: 36_035_115,
        library: "bin/x86_64/nvJitLink_130_0.dll",
      },
    },
  },
};

export const COMPILER_NAMES = Object.keys(COMPILERS) as readonly CompilerName[];
