// The step that fetches Zig, whose Clang builds what is published: it links against an old glibc on any machine, and
// builds for other platforms with nothing installed for them.

import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fetchWheel, fitsHere } from "./wheel.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

const VERSION = "0.15.2";
const FOLDER = `.deps/ziglang-${VERSION}`;

/** Relative to the root. */
export const ZIG = `${FOLDER}/ziglang/zig`;

/** @type {import("./wheel.mjs").Wheel} */
const WHEEL = {
  title: "Zig",
  project: "ziglang",
  version: VERSION,
  // Releases are made on this machine only.
  hashes: { "linux-x64": "806316453d1ede7174ed3fefb8e5348154629089c3bb5fe812dfd0e172fac130" },
  inside: "",
  folder: FOLDER,
  problem(folder) {
    const program = join(folder, "ziglang/zig");
    if (!existsSync(program)) return "ziglang/zig, found none";
    // What Python unpacks has no leave to be executed.
    chmodSync(program, 0o755);
    return undefined;
  },
  advice: "check the network",
};

export const zigStep = {
  name: "zig",
  title: `fetching Zig ${VERSION}`,
  required: true,
  applies: () => fitsHere(WHEEL),
  current: (/** @type {Context} */ { root }) => existsSync(join(root, ZIG)),
  work: (/** @type {Context} */ context) => fetchWheel(WHEEL, context),
};
