// Runs command lines of a built program in this process, one after another, and sends what each printed and its exit code:
// starting a process and loading a program into it takes longer than most command lines. A command line counts as ended when
// its process would end, that is, when nothing it started keeps Node's event loop alive.

import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";

const { stdout, stderr } = process;

/** What the command line printed so far, by stream. @type {Record<"stdout" | "stderr", Uint8Array[]>} */
const printed = { stdout: [], stderr: [] };
for (const name of /** @type {const} */ (["stdout", "stderr"])) {
  process[name].write = (/** @type {any} */ text, /** @type {any[]} */ ...more) => {
    const done = more.pop();
    printed[name].push(typeof text === "string" ? Buffer.from(text) : Uint8Array.from(text));
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
}

let runs = 0;
process.on(
  "message",
  async (/** @type {import("./resident.js").Line} */ { main, words, folder, env, input }) => {
    const idle = active();
    process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.argv = [process.execPath, main, ...words];
    process.exitCode = undefined;
    printed.stdout = [];
    printed.stderr = [];
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
    process.send?.({ code, stdout: Buffer.concat(printed.stdout), stderr: Buffer.concat(printed.stderr) });
  },
);

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
