// Signals during set-up: none is lost, neither when set-up has nothing to wait for nor while the next module
// is still loading. Each case is a separate process, because its handlers stay for its lifetime.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/workspace.js";

const PROCESS = pathToFileURL(join(ROOT, "scripts/lib/process.mjs")).href;
const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

/**
 * Runs a script that has `interruptible`, and `raise` to send itself a signal without a turn of the event
 * loop.
 */
function run(name: string, body: string) {
  const script = `
    import { Interrupted, interruptible } from ${JSON.stringify(PROCESS)};
    const raise = () => process.kill(process.pid, ${JSON.stringify(name)});
    const later = () => new Promise((resolve) => setTimeout(resolve, 20));
    ${body}
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe.each(SIGNALS)("%s", (name, code) => {
  it("ends a set-up that finishes without waiting for anything", () => {
    const body = `
      await interruptible(async () => raise()).then(
        () => console.log("went on"),
        (error) => console.log(error instanceof Interrupted, error.exitCode),
      );
    `;
    expect(run(name, body)).toEqual({ status: 0, stdout: `true ${code}\n`, stderr: "" });
  });

  it("ends a module that is still loading after set-up", () => {
    const body = `
      await interruptible(async () => {});
      raise();
      await later();
      console.log("went on");
    `;
    expect(run(name, body)).toEqual({ status: code, stdout: "", stderr: "" });
  });

  it("is left to listeners that were added after set-up, although it came before", () => {
    const body = `
      await interruptible(async () => {});
      raise();
      process.on(${JSON.stringify(name)}, () => console.log("heard"));
      await later();
      console.log("went on");
    `;
    expect(run(name, body)).toEqual({ status: 0, stdout: "heard\nwent on\n", stderr: "" });
  });
});
