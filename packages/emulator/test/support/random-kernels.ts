// Random kernels of every instruction: in a row, under guards, in branches and in loops. What threads do together is at
// the top level. Every kernel ends, and no access fails.
import fc from "fast-check";
import { TYPES } from "../../src/program/types.js";
import { numbers } from "./kernel-case.js";
import {
  InstructionWriter,
  numberOfRegister,
  ORIGINS,
  pick,
  type Random,
  REGISTER_TYPES,
  randomBits,
  typeOfRegister,
} from "./random-instructions.js";

/** Bytes of each kind of memory of a thread, of the memory of a warp, and of the memory that all threads use. */
const REGION = 64;
const WARP_REGION = 2048;
const COMMON = 64;
/** The most threads of a block, and the most blocks. */
const MOST_THREADS = 64;
const MOST_BLOCKS = 2;
const ALL_THREADS = MOST_THREADS * MOST_BLOCKS;
/** Values that each thread reads: one for each register. It also writes three regions. */
const SLOTS = REGISTER_TYPES.length * ORIGINS.length;
const SLOT = 8 * ALL_THREADS;

/** Sizes of the buffers of a kernel: what threads read and write, their own memory, and memory of warps and of all. */
export const BYTES = {
  in: SLOT * SLOTS,
  out: SLOT * (SLOTS + (3 * REGION) / 8),
  memory: REGION * ALL_THREADS,
  common: COMMON + (WARP_REGION * ALL_THREADS) / 32,
} as const;

/** Instructions for which the translator has vectors. A segment with few of them runs thread by thread. */
const PADDING = "add.u32 xor.b32 add.f32 fma.rn.f32 add.u64 mul.lo.s32 setp.lt.s32 selp.b32 sub.s32".split(
  " ",
);

/** A part of a kernel. Its instructions follow from the numbers. */
type Part =
  | { readonly kind: "one" | "padding"; readonly seed: number }
  | { readonly kind: "branch" | "loop"; readonly seed: number; readonly body: readonly number[] };

const seed = fc.noBias(fc.noShrink(fc.nat(2 ** 31 - 1)));
const body = fc.array(seed, { minLength: 1, maxLength: 4 });

/** Blocks of all shapes. Kernels whose threads wait have whole warps. */
const SHAPES = ["32 1", "16 2", "64 1", "4 1", "1 1", "7 1", "37 1", "13 3", "8 5"].map(
  (shape) => shape.split(" ").map(Number) as [x: number, y: number],
);

/** A random kernel. */
export interface RandomKernel {
  readonly text: string;
  readonly grid: number;
  readonly block: readonly [x: number, y: number];
  /** The rows of its instructions. */
  readonly rows: readonly string[];
}

export const randomKernel: fc.Arbitrary<RandomKernel> = fc
  .record({
    parts: fc.array(
      fc.oneof(
        { weight: 8, arbitrary: fc.record({ kind: fc.constant("one" as const), seed }) },
        { weight: 3, arbitrary: fc.record({ kind: fc.constant("padding" as const), seed }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant("branch" as const), seed, body }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant("loop" as const), seed, body }) },
      ),
      { minLength: 1, maxLength: 14 },
    ),
    start: seed,
    shape: fc.constantFrom(...SHAPES),
    grid: fc.integer({ min: 1, max: MOST_BLOCKS }),
  })
  .map(({ parts, start, shape, grid }) => {
    const writer = new InstructionWriter();
    const lines = parts.flatMap((part, index) => partLines(writer, part, index));
    const isWhole = (shape[0] * shape[1]) % 32 === 0;
    const block: RandomKernel["block"] = writer.isTogether && !isWhole ? [32, 1] : shape;
    return { text: kernelText([...writer.used], lines, numbers(start)), grid, block, rows: writer.rows };
  });

/** The contents of the first buffer and of the memory of the threads. */
export function randomBytes(bytes: number, from: number): Uint8Array<ArrayBuffer> {
  const random = numbers(from);
  const words = BigUint64Array.from({ length: bytes / 8 }, () =>
    random(2) === 0 ? randomBits(64, random) : (randomBits(32, random) << 32n) | randomBits(32, random),
  );
  return new Uint8Array(words.buffer);
}

function partLines(writer: InstructionWriter, part: Part, index: number): readonly string[] {
  const random = numbers(part.seed);
  if (!("body" in part)) {
    if (part.kind === "one") return [writer.any(random, { mayWait: true })];
    return PADDING.map((opcode) => writer.of(opcode, random));
  }
  const inside = part.body.map((each) => writer.any(numbers(each), { mayWait: false }));
  const [label, end] = [`$L${index}`, `$E${index}`];
  if (part.kind === "branch") {
    const branch = `@${writer.predicate(random)} bra ${label};`;
    if (random(2) === 0) return [branch, ...inside, `${label}:`];
    const other = writer.any(random, { mayWait: false });
    return [branch, ...inside, `bra ${end};`, `${label}:`, other, `${end}:`];
  }
  // As many rounds in all threads, or different numbers of them.
  const count = random(2) === 0 ? "mov.u32 %n, 2;" : "and.b32 %n, %t, 3; add.u32 %n, %n, 1;";
  return [count, `${label}:`, ...inside, `sub.u32 %n, %n, 1; setp.gt.u32 %q, %n, 0; @%q bra ${label};`];
}

function kernelText(used: readonly string[], lines: readonly string[], random: Random): string {
  const constants = Array.from({ length: REGION }, () => random(256));
  return [
    ".version 9.0\n.target sm_100a\n.address_size 64",
    `.const .align 32 .b8 co[${REGION}] = {${constants.join(", ")}};`,
    `.shared .align 32 .b8 sh[${REGION * MOST_THREADS}];`,
    `.shared .align 32 .b8 shw[${(WARP_REGION * MOST_THREADS) / 32}];`,
    `.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 memory, .param .u64 common, .param .align 32 .b8 pa[${REGION}])`,
    "{",
    `.local .align 32 .b8 lo[${REGION}]; .param .align 32 .b8 sp[${REGION}];`,
    ".reg .b64 %in, %m, %c, %w, %sh, %shw, %gsh, %gshw, %glo, %lo, %co, %l, %i<9>, %o<9>;",
    ".reg .b32 %t, %g, %x, %y, %n, %sh32, %threads; .reg .pred %q;",
    ...used.map((name) => `.reg .${typeOfRegister(name)} ${name};`),
    "ld.param.u64 %in, [in]; ld.param.u64 %o0, [out]; ld.param.u64 %m, [memory]; ld.param.u64 %c, [common];",
    "mov.u32 %x, %tid.y; mov.u32 %y, %ntid.x; mov.u32 %t, %tid.x; mad.lo.u32 %t, %x, %y, %t;",
    "mov.u32 %x, %ntid.y; mul.lo.u32 %threads, %x, %y;",
    `mov.u32 %x, %ctaid.x; mad.lo.u32 %g, %x, ${MOST_THREADS}, %t;`,
    ...[1, 2, 4, 8].map(
      (size) => `mad.wide.u32 %i${size}, %g, ${size}, %in; mad.wide.u32 %o${size}, %g, ${size}, %o0;`,
    ),
    `mad.wide.u32 %m, %g, ${REGION}, %m;`,
    `shr.u32 %x, %g, 5; mad.wide.u32 %w, %x, ${WARP_REGION}, %c; add.u64 %w, %w, ${COMMON};`,
    `mov.u64 %sh, sh; mad.wide.u32 %sh, %t, ${REGION}, %sh; cvt.u32.u64 %sh32, %sh; cvta.shared.u64 %gsh, %sh;`,
    `mov.u64 %shw, shw; shr.u32 %x, %t, 5; mad.wide.u32 %shw, %x, ${WARP_REGION}, %shw; cvta.shared.u64 %gshw, %shw;`,
    "mov.u64 %lo, lo; cvta.local.u64 %glo, %lo; mov.u64 %co, co; and.b32 %x, %t, 1; mad.wide.u32 %co, %x, 32, %co;",
    ...regionWords(
      (at) =>
        `ld.global.b64 %l, [%m+${at}]; st.shared.b64 [%sh+${at}], %l; st.local.b64 [lo+${at ^ 32}], %l; st.param.b64 [sp+${at}], %l;`,
    ),
    ...used.map((name) => initialLine(name, random)),
    "bar.sync 0;",
    "// The random part:",
    ...lines,
    "// Its results:",
    "bar.sync 0;",
    ...used.map((name) => moved("st", name)),
    ...regionWords((at) =>
      ["ld.shared.b64 %l, [%sh+@];", "ld.local.b64 %l, [lo+@];", "ld.param.b64 %l, [sp+@];"]
        .map(
          (load, kind) =>
            `${load.replace("@", `${at}`)} st.global.b64 [%o8+${SLOT * (SLOTS + kind * 8 + at / 8)}], %l;`,
        )
        .join(" "),
    ),
    "ret;\n}\n",
  ].join("\n");
}

const regionWords = (write: (at: number) => string): readonly string[] =>
  Array.from({ length: REGION / 8 }, (_, index) => write(8 * index));

/** Loads or stores a register of each thread. */
function moved(direction: "ld" | "st", name: string): string {
  const type = typeOfRegister(name);
  const { bits } = TYPES[type];
  const slot = REGISTER_TYPES.indexOf(type) * ORIGINS.length + numberOfRegister(name);
  const place = `[%${direction === "ld" ? "i" : "o"}${bits === 1 ? 4 : bits / 8}+${SLOT * slot}]`;
  if (direction === "st")
    return bits === 1
      ? `selp.u32 %x, 1, 0, ${name}; st.global.u32 ${place}, %x;`
      : `st.global.b${bits} ${place}, ${name};`;
  return bits === 1
    ? `ld.global.u32 %x, ${place}; and.b32 %x, %x, 1; setp.ne.u32 ${name}, %x, 0;`
    : `ld.global.b${bits} ${name}, ${place};`;
}

const STRIDES = [1, 4, 8, 12, -1, -4, 0x10001, 0x100001, 0x40000001];

/** Gives a register its first value. */
function initialLine(name: string, random: Random): string {
  const { bits, class: kind } = TYPES[typeOfRegister(name)];
  switch (ORIGINS[numberOfRegister(name)]) {
    case "differing":
      return moved("ld", name);
    case "uniform":
      return bits === 1
        ? `mov.u32 %x, %ctaid.x; setp.eq.u32 ${name}, %x, ${random(2)};`
        : `ld.global.b${bits} ${name}, [%in+${8 * random(SLOTS)}];`;
    case "strided": {
      if (bits === 1) return `setp.lt.u32 ${name}, %t, ${random(64)};`;
      if (bits < 32) return moved("ld", name);
      const first = pick([0, random(1000), 2 ** 32 - 20, 2 ** 31 - 10], random);
      const line = `mov.u32 %x, %tid.x; mad.lo.u32 %x, %x, ${pick(STRIDES, random)}, ${first};`;
      if (bits === 32) return `${line} mov.b32 ${name}, %x;`;
      return `${line} cvt.${kind === "signed" ? "s64.s32" : "u64.u32"} %l, %x; mov.b64 ${name}, %l;`;
    }
    case "constant": {
      if (bits === 1) return `mov.pred ${name}, ${random(2)};`;
      const value = `0x${randomBits(bits, random).toString(16)}`;
      return bits === 8 ? `mov.b32 %x, ${value}; cvt.u8.u32 ${name}, %x;` : `mov.b${bits} ${name}, ${value};`;
    }
    default:
      return "";
  }
}
