// Programs to stubs.

import type { StackProgram } from "@mm-ptx/stack";
import type { Finisher } from "../finisher.js";
import type { Job } from "../job.js";
import type { Monitor } from "../monitor.js";
import type { StubMaker } from "../stubs.js";

export class StubStage {
  readonly #stubs: StubMaker;
  readonly #monitor: Monitor;

  constructor(stubs: StubMaker, monitor: Monitor) {
    this.#stubs = stubs;
    this.#monitor = monitor;
  }

  /** Makes the stubs of a batch whose first program has index `from`; a program that fails does not stop the others. */
  process(programs: readonly StackProgram[], from: number, finisher: Finisher): Job[] {
    const stop = this.#monitor.begin("stub", "stubs");
    const made = programs.map((program) => attempt(() => this.#stubs.make(program)));
    stop(programs.length);
    return made.flatMap((stub, i) => {
      const source = programs[i]!;
      const index = from + i;
      const program = Buffer.from(source.bytes).toString("hex");
      if (stub.ok) return [{ index, source, program, stub: stub.value, ran: {} }];
      finisher.reject(index, program, stub.error);
      return [];
    });
  }
}

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}
