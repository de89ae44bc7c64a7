// The front against a model of everything else: whatever the schedule, each job has exactly one outcome, its own.

import { type BackendOutcome, resolveOptions } from "@mm-ptx/cuda/backend";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SOAK } from "../../../tests/support/counts.js";
import { Front } from "../src/front/front.js";
import type { LinkEvents } from "../src/front/link.js";
import { divideOptions } from "../src/options.js";
import { Model, outcomeOf, POISON, POOL, STEPS, type Step } from "./support/model.js";

const current = vi.hoisted(() => ({ model: undefined as { link(events: object): object } | undefined }));
vi.mock("../src/front/link.js", async (original) => ({
  ...(await original<object>()),
  Link: class {
    constructor(_farm: object, _choice: object, events: LinkEvents) {
      // biome-ignore lint/correctness/noConstructorReturn: the model's link takes its place
      return current.model!.link(events);
    }
  },
}));
vi.mock("../src/front/local.js", async (original) => ({
  ...(await original<object>()),
  openLocal: () => undefined,
}));

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "performance"],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** More than any pause of the front. */
const PAUSE_MS = 1_100;
const MOST_ROUNDS = 400;

type Move =
  | { readonly step: Step; readonly choice: number }
  | { readonly submit: number; readonly isSingle: boolean }
  | { readonly wait: number };

interface Ran {
  readonly model: Model;
  readonly texts: readonly string[];
  readonly outcomes: readonly (readonly BackendOutcome[])[];
  readonly open: number;
}

/** Runs a schedule, and then everything else without trouble. */
async function run(moves: readonly Move[], { poison = false, takesOffers = true } = {}): Promise<Ran> {
  const model = new Model();
  model.takesOffers = takesOffers;
  current.model = model;
  const [farm, others] = divideOptions({
    arch: "sm_90",
    cache: false,
    workers: 1,
    servers: "nats://127.0.0.1:1",
    pool: POOL,
    local: "never",
    patienceMs: 86_400_000,
  });
  const options = resolveOptions(others);
  const front = new Front(farm, options);
  const texts: string[] = [];
  const outcomes: BackendOutcome[][] = [];
  const submit = (text: string, isSingle: boolean): void => {
    const own: BackendOutcome[] = [];
    texts.push(text);
    outcomes.push(own);
    const job = { source: text, target: options, timeoutMs: 0, priority: 0, isSingle };
    front.start(job, (outcome) => own.push(outcome));
  };
  submit("the first job", false);
  if (poison) submit(POISON, false);
  await vi.advanceTimersByTimeAsync(1);
  for (const move of moves) {
    if ("submit" in move) for (let i = 0; i < move.submit; i++) submit(`job ${texts.length}`, move.isSingle);
    else if ("wait" in move) await vi.advanceTimersByTimeAsync(move.wait);
    else if (move.step !== "die" || model.deaths < 3) model.step(move.step, move.choice);
    await vi.advanceTimersByTimeAsync(0);
  }
  model.trouble.length = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const step of ["pull", "work", "deliver"] as const) while (model.step(step, 0));
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    model.step("tick", 0);
    await vi.advanceTimersByTimeAsync(0);
    if (outcomes.every(({ length }) => length > 0) && model.messages.length === 0) break;
  }
  const { open } = front.figures();
  front.close();
  return { model, texts, outcomes, open };
}

const moves = (steps: readonly Step[]): fc.Arbitrary<Move[]> =>
  fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.record({ step: fc.constantFrom(...steps), choice: fc.nat({ max: 40 }) }) },
      {
        weight: 2,
        arbitrary: fc.record({ submit: fc.integer({ min: 1, max: 12 }), isSingle: fc.boolean() }),
      },
      { weight: 2, arbitrary: fc.record({ wait: fc.constantFrom(1, 120, 300, 1200) }) },
    ),
    { maxLength: 60 },
  );
const numRuns = SOAK ? 20_000 : 300;

describe("each job of a front has one outcome, its own,", () => {
  it("however messages are lost, doubled and reordered, and workers, connections and the queue are lost", async () => {
    await fc.assert(
      fc.asyncProperty(moves(STEPS), fc.boolean(), async (schedule, takesOffers) => {
        const { texts, outcomes, open, model } = await run(schedule, { takesOffers });
        const found = outcomes.map((own) => own.map((outcome) => ({ ...outcome, farm: undefined })));
        expect(found).toEqual(texts.map((text) => [{ ...outcomeOf(text), farm: undefined }]));
        expect({ open, messages: model.messages.length }).toEqual({ open: 0, messages: 0 });
      }),
      { numRuns },
    );
  });

  it("beside one that kills every worker, which fails after four of them", async () => {
    const steps = STEPS.filter((step) => step !== "die" && step !== "lose the queue");
    await fc.assert(
      fc.asyncProperty(moves(steps), async (schedule) => {
        const { texts, outcomes, open, model } = await run(schedule, { poison: true });
        outcomes.forEach((own, i) => {
          expect(own).toHaveLength(1);
          if (texts[i] === POISON) expect(own[0]).toMatchObject({ failure: { is: "crashed" } });
          else expect(own[0]).toMatchObject(outcomeOf(texts[i]!));
        });
        expect(model.deaths).toBeLessThanOrEqual(2 * 4);
        expect({ open, messages: model.messages.length }).toEqual({ open: 0, messages: 0 });
      }),
      { numRuns },
    );
  });
});
