// Runs command lines of built programs in this process, one after another, and returns what each printed and its exit code:
// starting a process and loading a program into it takes longer than most command lines. A command line counts as ended when
// its process would end, that is, when nothing it started keeps Node's event loop alive. Command lines come as messages, or,
// if the process is started with the path of a pipe, from the script of `install` in command-line.ts.

import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";

const { stdout, stderr } = process;

/** @typedef {{ stream: "stdout" | "stderr", bytes: Uint8Array }} Piece */

/** What the command line printed so far. @type {Piece[]} */
let printed = [];
for (const name of /** @type {const} */ (["stdout", "stderr"])) {
  process[name].write = (/** @type {any} */ text, /** @type {any[]} */ ...more) => {
    const done = more.pop();
    printed.push({
      stream: name,
      bytes: typeof text === "string" ? Buffer.from(text) : Uint8Array.from(text),
    });
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
}

let runs = 0;

/**
 * @param {import("./resident.js").Line} line
 * @returns {Promise<{ code: number, pieces: readonly Piece[] }>}
 */
async function run({ main, words, folder, env, input }) {
  const idle = active();
  process.chdir(folder);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, main, ...words];
  process.exitCode = undefined;
  printed = [];
  Object.defineProperty(process, "stdin", {
    value: Readable.from([Buffer.from(input)]),
    configurable: true,
  });
  // Another query makes Node evaluate the module again, and what it imports only once.
  runs++;
  await import(`${pathToFileURL(main)}?run=${runs}`);
  while (!isWithin(active(), idle)) await new Promise((resolve) => setTimeout(resolve, 2));
  const code = Number(process.exitCode ?? 0);
  process.exitCode = 0;
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
  for (const stream of [stdout, stderr]) stream.removeAllListeners("error");
  return { code, pieces: printed };
}

process.on("message", async (/** @type {import("./resident.js").Line} */ line) => {
  const { code, pieces } = await run(line);
  const of = (/** @type {string} */ name) =>
    Buffer.concat(pieces.flatMap(({ stream, bytes }) => (stream === name ? [bytes] : [])));
  process.send?.({ code, stdout: of("stdout"), stderr: of("stderr") });
});

const [pipe, main = ""] = process.argv.slice(2);
if (pipe !== undefined) {
  // Opened for writing as well, so that it does not end with the first writer.
  for await (const call of createInterface(createReadStream(pipe, { flags: "r+" }))) await answer(call, main);
}

/**
 * Runs a call of the script of `install`: a folder with its words, folder, environment and input. The answer is a script
 * that prints what the program printed, in the same order, and exits with its code.
 *
 * @param {string} call
 * @param {string} main
 */
async function answer(call, main) {
  const list = (/** @type {string} */ name) =>
    readFileSync(join(call, name), "utf8").split("\0").slice(0, -1);
  const env = Object.fromEntries(list("env").map((entry) => entry.split(/=(.*)/s)));
  const [folder = "", ...words] = list("words");
  const { code, pieces } = await run({ main, words, folder, env, input: readFileSync(join(call, "input")) });
  const lines = pieces.map(({ stream, bytes }, index) => {
    const file = join(call, `${index}`);
    writeFileSync(file, bytes);
    return `cat '${file}' >&${stream === "stdout" ? 1 : 2}`;
  });
  writeFileSync(join(call, "answer"), [...lines, `exit ${code}`, ""].join("\n"));
  writeFileSync(join(call, "answered"), "\n");
}

/** How many of each kind of resources keep the event loop alive. */
function active() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/**
 * @param {ReadonlyMap<string, number>} some
 * @param {ReadonlyMap<string, number>} limits
 */
function isWithin(some, limits) {
  return [...some].every(([kind, count]) => count <= (limits.get(kind) ?? 0));
}
