// Cancelled jobs: the addon is notified, nothing of them is kept, and the pool continues.

import { describe, expect, test, vi } from "vitest";
import { PtxCompiler } from "../../src/index.js";
import { loadNative } from "../../src/native/load.js";
import { IN_PROCESS } from "../support/backends.js";
import { module, slowModule } from "../support/ptx.js";

/** Blocks the event loop, so that finished results are not delivered. */
function block(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

describe.runIf(IN_PROCESS)("the addon's pool", () => {
  const make = () => new PtxCompiler({ cache: false, arch: "sm_90", backend: "in-process", workers: 1 });

  test("continues after its only result was cancelled between announcement and delivery", async () => {
    using compiler = make();
    const controller = new AbortController();
    const aborted = compiler.compile(module(), { signal: controller.signal }).catch(({ code }) => code);
    block(300);
    controller.abort();
    expect(await aborted).toBe("ABORTED");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { info } = await compiler.compile(module("after"));
    expect(info.kernels[0]?.name).toBe("after");
  });

  test("is notified of aborted jobs, whether they wait, run or are done", async () => {
    using compiler = make();
    const cancel = vi.spyOn(loadNative().native!.addon, "cancel");
    try {
      const codes = (jobs: readonly string[]) => {
        const controller = new AbortController();
        const pending = jobs.map((ptx) =>
          compiler.compile(ptx, { signal: controller.signal }).catch(({ code }) => code),
        );
        block(100);
        controller.abort();
        return Promise.all(pending);
      };
      expect(await codes([slowModule(4000), module()])).toEqual(["ABORTED", "ABORTED"]);
      expect(await codes([module()])).toEqual(["ABORTED"]);
      // The addon still had each of them, so none was lost or delivered.
      expect(cancel.mock.results.map(({ value }) => value)).toEqual([true, true, true]);
      expect(new Set(cancel.mock.calls.map(([, id]) => id)).size).toBe(3);
    } finally {
      cancel.mockRestore();
    }
    await compiler.compile(module());
  });
});
