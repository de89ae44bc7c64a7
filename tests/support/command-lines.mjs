// Runs command lines of a built program in this process, one after another, and sends what each printed and its exit code.
// Only for command lines that end without leaving anything behind, such as wrong ones: loading a program takes longer than
// refusing them.

import { pathToFileURL } from "node:url";

const { stdout, stderr } = process;
for (const emitter of [process, stdout, stderr]) emitter.setMaxListeners(0);

process.once("message", async (/** @type {any} */ { main, lines }) => {
  const ended = [];
  const written = [stdout.write, stderr.write];
  for (const [number, words] of lines.entries()) {
    const printed = { stdout: "", stderr: "" };
    for (const name of /** @type {const} */ (["stdout", "stderr"])) {
      process[name].write = (/** @type {any} */ text) => {
        printed[name] += text;
        return true;
      };
    }
    process.argv = [process.execPath, main, ...words];
    process.exitCode = undefined;
    // Another query makes Node evaluate the module again, and what it imports only once.
    await import(`${pathToFileURL(main)}?run=${number}`);
    ended.push({ code: process.exitCode ?? 0, ...printed });
  }
  [stdout.write, stderr.write] = /** @type {any} */ (written);
  process.exitCode = 0;
  process.send?.(ended, () => process.disconnect());
});
