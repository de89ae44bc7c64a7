// Frames: what is read is what was written, and whatever else arrives is an error, never a crash.

import type { BackendOutcome } from "@mm-ptx/cuda/backend";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SOAK } from "../../../tests/support/counts.js";
import { differencesOf, withDifferences } from "../src/frames/differences.js";
import { decodeFrame, encodeFrame } from "../src/frames/frame.js";
import { type Answer, decodeAnswer, encodeAnswer } from "../src/frames/outcomes.js";
import {
  decodeParcel,
  encodeParcel,
  encodeReference,
  MOST_JOBS,
  type Parcel,
  type ParcelJob,
} from "../src/frames/parcel.js";
import { joinPart, openParcel } from "../src/front/parcels.js";
import { FarmError } from "../src/index.js";

const bytes = fc.uint8Array({ maxLength: 300 });
const blob = fc.record({
  hash: fc.stringMatching(/^[0-9a-f]{64}$/),
  bytes: fc.integer({ min: 0, max: 2 ** 20 }),
});
const text = fc.string({ unit: "binary", maxLength: 40 });
const programs = fc.array(fc.uint32Array({ maxLength: 20 }), { maxLength: 12 }).map((all) => {
  const whole = all.map((words) => words.subarray(0, words.length & ~1));
  return {
    counts: whole.map(({ length }) => length / 2),
    words: Uint32Array.from(whole.flatMap((words) => [...words])),
  };
});
const form = fc.oneof(
  fc.constant({ kind: "fill" } as const),
  fc.record({
    kind: fc.constant("alternatives" as const),
    site: text,
    count: fc.integer({ min: 1, max: 4096 }),
    select: fc.option(text, { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("pack" as const), count: fc.integer({ min: 1, max: 4096 }) }),
);
/** Parcels of texts, of stubs and of programs. */
const contents: fc.Arbitrary<Pick<Parcel, "setup" | "form" | "jobs">> = fc.oneof(
  fc.record({ jobs: fc.array(bytes, { maxLength: 40 }) }),
  fc.record({ setup: blob, jobs: fc.array<ParcelJob>(fc.array(text), { maxLength: 20 }) }),
  fc.record({ setup: blob, form, jobs: fc.array<ParcelJob>(programs, { maxLength: 20 }) }),
);
const parcels: fc.Arbitrary<Parcel> = fc
  .record({
    options: fc.constantFrom({ arch: "sm_90" }, { arch: "sm_80", effort: "draft", fmad: false } as const),
    timeoutMs: fc.nat(),
    deaths: fc.nat({ max: 4 }),
  })
  .chain((head) => contents.map((content) => ({ ...head, ...content })));
const milliseconds = fc
  .double({ min: 0, max: 1e9, noNaN: true, noDefaultInfinity: true })
  .map((ms) => ms + 0);
const outcomes: fc.Arbitrary<BackendOutcome> = fc.oneof(
  fc.record({
    kind: fc.constant("compiled" as const),
    cubin: bytes,
    log: text,
    milliseconds,
    from: fc.constantFrom("compiled" as const, "cache" as const),
  }),
  fc.record({
    kind: fc.constant("failed" as const),
    failure: fc.oneof(
      fc.constant({ is: "refused-by-compiler" } as const),
      fc.record({ is: fc.constant("crashed" as const), how: text, confined: fc.constant("SIGSYS") }),
      fc.record({ is: fc.constant("memory" as const), how: text }),
    ),
    log: text,
    milliseconds,
  }),
  fc.record({
    kind: fc.constant("refused" as const),
    reason: fc.constantFrom("empty" as const, "non-ascii" as const),
    offset: fc.nat(),
  }),
  fc.record(
    {
      kind: fc.constant("timeout" as const),
      milliseconds,
      starting: fc.boolean(),
      limitMs: fc.nat(),
    },
    { requiredKeys: ["kind", "milliseconds", "starting"] },
  ),
);
const answers: fc.Arbitrary<Answer> = fc.record({
  worker: fc.constant("host-1"),
  deliveries: fc.nat({ max: 4 }),
  heldMs: milliseconds,
  first: fc.nat({ max: 100 }),
  outcomes: fc.array(outcomes, { maxLength: 20 }),
});

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, each) =>
      each instanceof Uint8Array || each instanceof Uint32Array ? [...each] : each,
    ),
  );
const asBytes = (read: ReturnType<typeof decodeParcel>) =>
  "hash" in read
    ? read
    : { ...read, jobs: read.jobs.map((job) => (job instanceof Uint8Array ? new Uint8Array(job) : job)) };

/** The head of a parcel of programs, but for its form and jobs. */
const MADE = { options: {}, timeoutMs: 0, deaths: 0, setup: { hash: "0".repeat(64), bytes: 1 } };

describe("frames", () => {
  it("decode to the parcels that they were made of", () => {
    fc.assert(
      fc.property(parcels, fc.boolean(), (parcel, deflates) => {
        const read = decodeParcel(encodeParcel(parcel, deflates));
        expect(plain(asBytes(read))).toEqual(plain(parcel));
      }),
    );
  });

  it("decode to stubs of any characters", () => {
    const setup = { hash: "0".repeat(64), bytes: 3 };
    const jobs = [
      ["a", "", "ä → 🙂"],
      ["", "", ""],
    ];
    const parcel = { options: { arch: "sm_90" }, timeoutMs: 0, setup, jobs, deaths: 0 };
    expect(decodeParcel(encodeParcel(parcel))).toMatchObject({ jobs });
    expect(() => decodeParcel(encodeParcel({ ...parcel, setup: undefined }))).toThrow(FarmError);
  });

  it("decode to the blob in whose place they are", () => {
    const found = { hash: "5".repeat(64), bytes: 700_000 };
    expect(decodeParcel(encodeReference(found))).toEqual(found);
  });

  it("have the same bytes in every version", () => {
    const head = { options: { arch: "sm_90" }, timeoutMs: 7, deaths: 0 };
    const hash = "ab".repeat(32);
    const setup = { hash, bytes: 300 };
    const words = Uint32Array.of(3, 1, 2, 0x3f800000);
    const golden: readonly (readonly [Parcel, string])[] = [
      [
        { ...head, jobs: [new Uint8Array(Buffer.from("PTX"))] },
        `MMFJ<1><0><0><0>@<0><0><0>C<0><0><0>{"options":{"arch":"sm_90"},"timeoutMs":7,"deaths":0,"jobs":[3]}PTX`,
      ],
      [
        { ...head, setup, jobs: [["a", "bc"]] },
        `MMFJ<1><0><0><0><164><0><0><0><167><0><0><0>{"options":{"arch":"sm_90"},"timeoutMs":7,"deaths":0,"setup":{"hash":"${hash}","bytes":300},"jobs":[[1,2]]}abc`,
      ],
      [
        { ...head, setup, form: { kind: "fill" }, jobs: [{ counts: [2], words }] },
        `MMFJ<1><0><0><0><185><0><0><0><201><0><0><0>{"options":{"arch":"sm_90"},"timeoutMs":7,"deaths":0,"setup":{"hash":"${hash}","bytes":300},"form":{"kind":"fill"},"jobs":[[2]]}<3><0><0><0><1><0><0><0><2><0><0><0><0><0><128>?`,
      ],
      [
        {
          ...head,
          setup,
          form: { kind: "alternatives", site: "func", count: 2, select: "%tid.x" },
          jobs: [{ counts: [1, 1], words }],
        },
        `MMFJ<1><0><0><0><237><0><0><0><253><0><0><0>{"options":{"arch":"sm_90"},"timeoutMs":7,"deaths":0,"setup":{"hash":"${hash}","bytes":300},"form":{"kind":"alternatives","site":"func","count":2,"select":"%tid.x"},"jobs":[[1,1]]}<3><0><0><0><1><0><0><0><2><0><0><0><0><0><128>?`,
      ],
      [
        { ...head, setup, form: { kind: "pack", count: 2 }, jobs: [{ counts: [1, 1], words }] },
        `MMFJ<1><0><0><0><197><0><0><0><213><0><0><0>{"options":{"arch":"sm_90"},"timeoutMs":7,"deaths":0,"setup":{"hash":"${hash}","bytes":300},"form":{"kind":"pack","count":2},"jobs":[[1,1]]}<3><0><0><0><1><0><0><0><2><0><0><0><0><0><128>?`,
      ],
    ];
    for (const [parcel, text] of golden) {
      const frame = encodeParcel(parcel, false);
      const readable = frame
        .subarray(0, -32)
        .toString("latin1")
        .replace(/[^ -~]/g, (c) => `<${c.charCodeAt(0)}>`);
      expect(readable).toBe(text);
      expect(plain(asBytes(decodeParcel(frame)))).toEqual(plain(parcel));
    }
  });

  it("decode to the answers that they were made of", () => {
    fc.assert(
      fc.property(answers, fc.boolean(), (answer, deflates) => {
        const read = decodeAnswer(encodeAnswer(answer, deflates));
        const copied = read.outcomes.map((one) =>
          "cubin" in one ? { ...one, cubin: new Uint8Array(one.cubin) } : one,
        );
        expect(plain({ ...read, outcomes: copied })).toEqual(plain(answer));
      }),
    );
  });

  it("contain nearly equal cubins as differences", () => {
    const changes = fc.array(fc.tuple(fc.nat({ max: 4095 }), fc.nat({ max: 255 })), { maxLength: 20 });
    const one = { kind: "compiled", log: "", milliseconds: 1, from: "compiled" } as const;
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 8 }), fc.boolean(), (all, deflates) => {
        const cubins = all.map((each, i) => {
          const cubin = Uint8Array.from({ length: 4096 - 4 * (i % 3) }, (_, k) => k * k);
          for (const [at, byte] of each) cubin[at] = byte;
          return cubin;
        });
        const outcomes = cubins.map((cubin) => ({ ...one, cubin }));
        const frame = encodeAnswer({ worker: "w", deliveries: 1, heldMs: 1, first: 0, outcomes }, deflates);
        const read = decodeAnswer(frame).outcomes as readonly { readonly cubin: Uint8Array }[];
        // Plain comparisons, because those of vitest take too long.
        expect(read.map(({ cubin }, i) => Buffer.compare(cubin, cubins[i]!))).toEqual(cubins.map(() => 0));
        expect(new Set(read.map(({ cubin }) => cubin.buffer)).size).toBe(cubins.length);
        if (!deflates) expect(frame.length).toBeLessThan(3 * 4096 + 400 * (cubins.length + 1));
      }),
    );
  });

  it("are refused when damaged, cut or extended, at whatever place", () => {
    const head = { options: { arch: "sm_90" }, timeoutMs: 5, deaths: 0 };
    const setup = { hash: "0".repeat(64), bytes: 1 };
    const program = { counts: [100, 1], words: Uint32Array.from({ length: 202 }, (_, i) => i ** 3) };
    const frames = [
      encodeParcel({ ...head, jobs: [new Uint8Array(2000), new Uint8Array([1, 2])] }),
      encodeParcel({ ...head, setup, form: { kind: "pack", count: 2 }, jobs: [program, program] }),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...frames),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (parcel, place, change) => {
          const at = place % parcel.length;
          const damaged = Buffer.from(parcel);
          damaged[at]! ^= change;
          for (const message of [
            damaged,
            parcel.subarray(0, at),
            Buffer.concat([parcel, damaged.subarray(0, 1)]),
          ])
            expect(() => decodeParcel(message)).toThrow(expect.objectContaining({ code: "FRAME" }));
        },
      ),
      { numRuns: SOAK ? 34_000 : 100 },
    );
  });

  it("are refused when their content is not what it should be, though nothing is damaged", () => {
    const WHO = { worker: "w", deliveries: 1, heldMs: 0.5 };
    const heads: unknown[] = [
      { worker: "\u001b[2J", deliveries: 1, heldMs: 0, first: 0, outcomes: [] },
      { worker: "w", deliveries: -1, heldMs: 0, first: 0, outcomes: [] },
      { worker: "w", deliveries: 1, heldMs: -1, first: 0, outcomes: [] },
      null,
      [],
      { jobs: [] },
      { options: {}, timeoutMs: -1, jobs: [], deaths: 0 },
      { options: {}, timeoutMs: 0, jobs: [5], deaths: 0 },
      { options: {}, timeoutMs: 0, jobs: [-1], deaths: 0 },
      { options: {}, timeoutMs: 0, jobs: [{ hash: "x", bytes: 1 }], deaths: 0 },
      { options: {}, timeoutMs: 0, jobs: [[1]], deaths: 0 },
      { parcel: { hash: "x", bytes: 1 } },
      { ...MADE, form: { kind: "unheard of", count: 1 }, jobs: [] },
      { ...MADE, form: { kind: "pack", count: 0 }, jobs: [] },
      { ...MADE, form: { kind: "pack", count: 4097 }, jobs: [] },
      { ...MADE, form: { kind: "alternatives", count: 1 }, jobs: [] },
      { ...MADE, form: { kind: "alternatives", site: "f", count: 1, select: 3 }, jobs: [] },
      { ...MADE, form: { kind: "fill" }, jobs: [[-1]] },
      { ...MADE, form: { kind: "fill" }, jobs: [[2 ** 40]] },
      { ...MADE, form: { kind: "fill" }, jobs: [Array(5000).fill(0)] },
      { ...MADE, form: { kind: "fill" }, setup: undefined, jobs: [[0]] },
      { options: {}, timeoutMs: 0, jobs: Array(MOST_JOBS + 1).fill(0), deaths: 0 },
      { ...WHO, first: 0, outcomes: [{ kind: "compiled", cubin: 2 ** 40, milliseconds: 1 }] },
      { ...WHO, first: 0, outcomes: [{ kind: "unheard of", milliseconds: 1 }] },
      { ...WHO, first: 0, outcomes: [{ kind: "compiled", cubin: 4, differences: 0, milliseconds: 1 }] },
    ];
    for (const head of heads) {
      const problem = expect.objectContaining({ code: "FRAME" });
      expect(() => decodeParcel(encodeFrame("jobs", head as object, []))).toThrow(problem);
      expect(() => decodeAnswer(encodeFrame("outcomes", head as object, []))).toThrow(problem);
    }
  });

  it("are refused when their cubins are too large for a submitter", () => {
    const cubin = new Uint8Array(2 ** 20);
    const one = { kind: "compiled", cubin, log: "", milliseconds: 1, from: "compiled" } as const;
    const many = (count: number) => ({
      worker: "w",
      deliveries: 1,
      heldMs: 1,
      first: 0,
      outcomes: Array<BackendOutcome>(count).fill(one),
    });
    expect(decodeAnswer(encodeAnswer(many(3))).outcomes).toHaveLength(3);
    expect(() => decodeAnswer(encodeAnswer(many(257)))).toThrow("bytes of cubins");
  });

  it("are refused when they claim to be larger than they are", () => {
    const frame = encodeFrame("jobs", {}, [Buffer.alloc(10_000)]);
    expect(frame.length).toBeLessThan(200);
    expect(decodeFrame("jobs", frame).bytes.length).toBe(10_000);
    expect(() => decodeFrame("outcomes", frame)).toThrow("expected a frame of outcomes");
  });
});

describe("differences", () => {
  const words = (...all: number[]) => new Uint8Array(Uint32Array.from(all).buffer);
  const numbers = fc.uint32Array({ maxLength: 30, max: 3 });

  it("give the bytes that they are the differences of", () => {
    fc.assert(
      fc.property(numbers, numbers, (one, two) => {
        const base = new Uint8Array(two.map((each, i) => one[i] ?? each).buffer);
        const bytes = new Uint8Array(two.buffer);
        const differences = differencesOf(base, bytes);
        if (differences !== undefined) expect(withDifferences(base, differences)).toEqual(bytes);
      }),
    );
  });

  it("may be far apart, and long", () => {
    const base = new Uint32Array(300_000);
    const changed = base.slice();
    changed[70_000] = 5;
    changed.fill(7, 150_000, 220_000);
    const [from, to] = [new Uint8Array(base.buffer), new Uint8Array(changed.buffer)];
    const differences = differencesOf(from, to)!;
    expect(differences.length).toBeLessThan(4 * 70_020);
    expect(Buffer.compare(withDifferences(from, differences), to)).toBe(0);
  });

  it("are not worth it, or impossible, for bytes that are not alike", () => {
    expect(differencesOf(words(1, 2, 3, 4), words(1, 2, 3, 4))).toEqual(words());
    expect(differencesOf(words(1, 2, 3, 4), words(1, 2, 3, 5))).toEqual(words(3 * 2 ** 16 + 1, 5));
    expect(differencesOf(words(1, 2, 3, 4), words(1, 9, 9, 4))).toBeUndefined();
    expect(differencesOf(words(1, 2), words(1))).toBeUndefined();
    expect(differencesOf(new Uint8Array(5), new Uint8Array(5))).toBeUndefined();
  });

  it("are refused outside of the bytes", () => {
    const base = words(1, 2, 3, 4);
    for (const differences of [
      words(5 * 2 ** 16),
      words(3 * 2 ** 16 + 2, 1, 2),
      words(2, 1),
      new Uint8Array(3),
    ])
      expect(() => withDifferences(base, differences)).toThrow(expect.objectContaining({ code: "FRAME" }));
    expect(() => withDifferences(new Uint8Array(5), words())).toThrow(FarmError);
  });
});

describe("answers in parts", () => {
  const open = () => openParcel(1, "p", [], [], 0);
  const bytes = (text: string) => Buffer.from(text);

  it("are whole when every part has come, in any order", () => {
    const parcel = open();
    expect(joinPart(parcel, "a/1/2", bytes("end"))).toBeUndefined();
    expect(joinPart(parcel, "b/0/2", bytes("other"))).toBeUndefined();
    expect(joinPart(parcel, "a/0/2", bytes("begin "))).toEqual(bytes("begin end"));
    expect(joinPart(parcel, "", bytes("alone"))).toEqual(bytes("alone"));
  });

  it("whose rest does not come are dropped when there are too many", () => {
    const parcel = open();
    for (let i = 0; i < 10; i++) joinPart(parcel, `a${i}/0/2`, bytes("begin "));
    expect([...parcel.partial.keys()]).toEqual(["a6", "a7", "a8", "a9"]);
    expect(joinPart(parcel, "a9/1/2", bytes("end"))).toEqual(bytes("begin end"));
  });
});
