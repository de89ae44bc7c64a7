// The step that fetches Zig, whose Clang builds the published binaries: on any machine, it can link against
// an old glibc, and it can build for other platforms without further tools.

import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fetchWheel, fitsHere } from "./wheel.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

export const ZIG_VERSION = "0.15.2";
const FOLDER = `.deps/ziglang-${ZIG_VERSION}`;

/** Relative to the root. */
export const ZIG = `${FOLDER}/ziglang/zig`;

/** @type {import("./wheel.mjs").Wheel} */
const WHEEL = {
  title: "Zig",
  project: "ziglang",
  version: ZIG_VERSION,
  // Releases are only built on this platform.
  hashes: { "linux-x64": "806316453d1ede7174ed3fefb8e5348154629089c3bb5fe812dfd0e172fac130" },
  inside: "",
  folder: FOLDER,
  problem(folder) {
    const program = join(folder, "ziglang/zig");
    if (!existsSync(program)) return "ziglang/zig, found none";
    // Python unpacks files without their execute permission.
    chmodSync(program, 0o755);
    return undefined;
  },
  advice: "check the network",
};

export const zigStep = {
  name: "zig",
  title: `fetching Zig ${ZIG_VERSION}`,
  required: true,
  applies: () => fitsHere(WHEEL),
  current: (/** @type {Context} */ { root }) => existsSync(join(root, ZIG)),
  work: (/** @type {Context} */ context) => fetchWheel(WHEEL, context),
};
