// Ctrl-C is not lost while a command takes over the signal from the framework, nor while it hands it back.

import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const INTERRUPT = new URL("../dist/interrupt.js", import.meta.url).href;

/** What a process prints that gets the signal without a turn of its event loop. */
function printed(name: string, body: string) {
  const script = `
    import { interruptible } from ${JSON.stringify(INTERRUPT)};
    const raise = () => process.kill(process.pid, "${name}");
    const later = () => new Promise((resolve) => setTimeout(resolve, 20));
    process.on("${name}", () => console.log("the framework's"));
    ${body}
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  return `${stderr}${stdout}`;
}

it.each(["SIGINT", "SIGTERM"])("%s that came just before aborts the work", (name) => {
  const body = `
    raise();
    await interruptible(async (signal) => {
      await later();
      console.log(signal.reason?.message);
    });
  `;
  expect(printed(name, body)).toBe(`${name}\n`);
});

it("a signal at the end of the work is left to the framework", () => {
  const body = `
    await interruptible(async () => raise());
    await later();
  `;
  expect(printed("SIGINT", body)).toBe("the framework's\n");
});
