// Whatever a program does with the resources of a device, in whatever order it disposes them, drops them or
// leaves them to the end: the fake driver finds nothing that is used after it was freed, freed twice, freed
// while it is in use, or leaked.

import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { CudaDevice } from "../../src/index.js";
import { FakeDriver, HAS_FAKE_DRIVER } from "./support/fake-driver.js";
import { WORKER } from "./support/session.js";
import { type Choice, STEP_NAMES, World } from "./support/world.js";

/** The timeout in milliseconds of a wait. */
const UNANSWERED = 20_000;
/** The timeout for all cases of a soak under a sanitizer. */
const PATIENCE = 900_000;

const number = fc.nat(1000);
const choices: fc.Arbitrary<Choice[]> = fc.array(
  fc.record({ step: fc.constantFrom(...STEP_NAMES), a: number, b: number }),
  { minLength: 1, maxLength: 60, size: "max" },
);
/**
 * How a program ends: at once with work in flight, when all is done, or after everything was disposed or
 * dropped.
 */
const end = fc.constantFrom("at once", "done", "disposed", "forgotten");

async function live(world: World, steps: readonly Choice[], turns: number): Promise<void> {
  for (const [i, step] of steps.entries()) {
    world.take(step);
    if (i % turns === 0) await sleep(0);
  }
}

async function finish(world: World, how: string): Promise<void> {
  if (how === "disposed") for (const each of world.owned().reverse()) each.dispose();
  if (how === "forgotten") {
    for (let kind = 0; kind < 9; kind++) world.forget(kind);
    world.take({ step: "collect", a: 0, b: 0 });
    await sleep(0);
  }
  if (how === "done") {
    world.hold(false);
    await Promise.all(world.waits);
  }
  world.device.dispose();
  world.hold(false);
  await world.device[Symbol.asyncDispose]();
  await Promise.all(world.waits);
}

describe.runIf(HAS_FAKE_DRIVER)("a device", { timeout: PATIENCE }, () => {
  it("stays sound whatever is done with its resources", async () => {
    using fake = new FakeDriver();
    await fc.assert(
      fc.asyncProperty(choices, fc.integer({ min: 1, max: 9 }), end, async (steps, turns, how) => {
        fake.forget();
        fake.order();
        const world = new World(CudaDevice.open(0), fake);
        await live(world, steps, turns);
        await finish(world, how);
        expect(world.surprises).toEqual([]);
        fake.expectClean();
      }),
      { numRuns: smoke(500), timeout: UNANSWERED },
    );
  });

  it.runIf(WORKER !== "")("survives the death of its process at any moment", async () => {
    using fake = new FakeDriver();
    await fc.assert(
      fc.asyncProperty(choices, fc.nat(60), end, async (steps, dies, how) => {
        fake.forget();
        fake.order();
        const world = new World(CudaDevice.open(0, { isolate: true }), fake);
        await live(world, steps.slice(0, dies), 3);
        for (const each of processesOf(fake)) kill(each);
        await live(world, steps.slice(dies), 3);
        await finish(world, how);
        expect(world.surprises).toEqual([]);
        // The next process has no resources of the previous one, so they must not be used any more.
        expect(fake.violations()).toEqual([]);
      }),
      { numRuns: smoke(500), timeout: UNANSWERED },
    );
  });
});

function processesOf(fake: FakeDriver): number[] {
  return [...new Set(fake.calls().map(({ process }) => process))];
}

function kill(number: number): void {
  try {
    process.kill(number, "SIGKILL");
  } catch {
    // It had already ended.
  }
}
