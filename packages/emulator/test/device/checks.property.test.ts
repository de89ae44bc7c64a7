// Findings are the same in both engines: random kernels with accesses outside of their memory, values that were never
// written, and barriers that not all threads reach.
import { u64 } from "@mm-ptx/types/device";
import fc from "fast-check";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { EmulatedDevice, type EmulatedDeviceOptions, type EmulatorError } from "../../src/index.js";
import { kernelText } from "../support/launching.js";

const WORDS = 80;

const BEFORE = `
.shared .align 16 .b8 tile[BYTES];
.func (.param .b32 back) loaded(.param .b64 at) {
	.reg .b64 %at; .reg .b32 %value;
	ld.param.b64 %at, [at];
	ld.global.b32 %value, [%at];
	st.param.b32 [back], %value;
	ret;
}`;

const HEAD = `
	.local .align 4 .b8 own[16];
	.reg .b32 %r<8>, %never, %s; .reg .b64 %rd<4>; .reg .pred %p<4>, %p; .reg .f32 %f<8>;
	mov.u32 %r0, %tid.x; mov.u32 %r1, 1; mov.f32 %f1, 0f3F800000; mov.b64 %rd2, 2;`;

/** Sets `%rd1` to the address of a word of the buffer, or of shared memory, that depends on the thread. */
const place = fc
  .record({
    stride: fc.constantFrom(-1, 0, 1, 1, 1, 2, 4),
    first: fc.integer({ min: -8, max: WORDS + 8 }),
    isShared: fc.boolean(),
  })
  .map(({ stride, first, isShared }) => ({
    space: isShared ? "shared" : "global",
    text: `	and.b32 %s, %r0, 15; mul.lo.s32 %s, %s, ${4 * stride}; cvt.s64.s32 %rd1, %s; ${
      isShared ? "" : "add.s64 %rd1, %rd1, %a0;"
    }`,
    offset: 4 * first,
  }));

const access = fc
  .record({
    at: place,
    skew: fc.constantFrom(0, 0, 0, 0, 2),
    which: fc.constantFrom(
      "ld.S.b32 %r2, [A];",
      "ld.S.v2.b32 {%r2, %r3}, [A];",
      "ld.S.v4.f32 {%f2, %f3, %f4, %f5}, [A];",
      "ld.S.b64 %rd2, [A];",
      "ld.S.u8 %r2, [A];",
      "st.S.b32 [A], %r1;",
      "st.S.b32 [A], %r4;",
      "st.S.f32 [A], %f1;",
      "st.S.v4.b32 [A], {%r1, %r1, %r1, %r1};",
      "red.S.add.u32 [A], %r1;",
      "atom.S.cas.b32 %r2, [A], 0, %r1;",
    ),
  })
  .map(
    ({ at, skew, which }) =>
      `${at.text}\n	${which.replace("S", at.space).replace("A", `%rd1+${at.offset + skew}`)}`,
  );

const generic = place.map(({ text, offset, space }) =>
  space === "shared"
    ? `	st.local.b32 [own], %r1; ld.local.b32 %r2, [own+${offset % 20}];`
    : `${text}\n	ld.b32 %r2, [%rd1+${offset}];`,
);

const copy = place.map(
  ({ text, offset }) => `${text}
	mov.b32 %s, tile; cvt.u64.u32 %rd3, %s;
	cp.async.ca.shared.global [%rd3+${Math.abs(offset)}], [%rd1+${offset}], 4;`,
);

/** What JavaScript carries out. */
const procedure = place.map(({ text, offset, space }) =>
  space === "shared"
    ? `${text}\n	mbarrier.init.shared.b64 [%rd1+${offset}], %r1;`
    : `${text}\n	atom.global.add.v2.f32 {%f2, %f3}, [%rd1+${offset}], {%f1, %f6};`,
);

const call = place.map(
  ({ text, offset }) => `${text}
	add.s64 %rd1, %rd1, ${offset};
	{ .param .b64 at; .param .b32 back; st.param.b64 [at], %rd1; call.uni (back), loaded, (at); ld.param.b32 %r2, [back]; }`,
);

const plain = fc.constantFrom(
  "	add.u32 %r4, %never, %r1;",
  "	mov.b32 %r5, %never; add.u32 %r4, %r1, %r5;",
  "	add.f32 %f2, %f1, %f1;",
  "	mad.lo.u32 %r4, %r0, 3, %r1;",
  "	sub.u32 %r1, %r1, 1;",
);

const waiting = fc.constantFrom(
  "	bar.sync 0;",
  "	bar.sync 0;",
  "	bar.warp.sync -1;",
  "	bar.warp.sync 7;",
  "	shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;",
  "	barrier.sync 1, 64;",
  "	bar.red.popc.u32 %r4, 0, %p0;",
);

const simple = fc.oneof(
  { weight: 8, arbitrary: access },
  { weight: 1, arbitrary: generic },
  { weight: 1, arbitrary: copy },
  { weight: 1, arbitrary: call },
  { weight: 1, arbitrary: procedure },
  { weight: 3, arbitrary: plain },
);

/** A statement, for some threads or for all of them. */
const statement = fc.oneof(
  { weight: 6, arbitrary: simple },
  { weight: 1, arbitrary: waiting },
  {
    weight: 3,
    arbitrary: fc
      .record({
        body: fc.array(fc.oneof({ weight: 5, arbitrary: simple }, { weight: 1, arbitrary: waiting }), {
          minLength: 1,
          maxLength: 3,
        }),
        from: fc.constantFrom(0, 1, 3, 32, 50, 64, 68, 100),
        comparison: fc.constantFrom("lt", "ge", "eq"),
      })
      .map(({ body, from, comparison }) => {
        return `	setp.${comparison}.u32 %p1, %r0, ${from};\n	@%p1 bra $L;\n${body.join("\n")}\n$L:`;
      }),
  },
  {
    weight: 1,
    arbitrary: fc.array(simple, { minLength: 1, maxLength: 2 }).map(
      (body) => `	mov.u32 %r6, 0;
$L:
${body.join("\n")}
	add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 3;
	@%p2 bra $L;`,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("	setp.eq.u32 %p3, %r0, 5;\n	@%p3 exit;", "	setp.lt.u32 %p3, %r0, %never;"),
  },
);

/** What a device has found, or why its launch failed. */
async function findings(
  engine: "interpreter" | "webassembly",
  check: NonNullable<EmulatedDeviceOptions["check"]>,
  body: string,
  block: number,
  words = WORDS,
) {
  using device = EmulatedDevice.open({ check, engine, allocatedAt: () => [] });
  const kernel = device
    .load(kernelText(HEAD + body, { before: BEFORE.replace("BYTES", `${4 * words}`) }))
    .kernel("kernel");
  const buffer = device.allocateUint32(words);
  const middle = words === WORDS ? 0n : BigInt(2 * words);
  const launched = device.stream.run(kernel, { grid: 2, block }, [u64(buffer.address + middle)]);
  return launched.then(
    () => device.findings,
    (error: EmulatorError) => error.code,
  );
}

const CHECKS = [["memory"], ["memory", "sync"], ["memory", "sync", "uninitialized"]] as const;

it("the engines find the same", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(statement, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(1, 6, 32, 70),
      fc.constantFrom(...CHECKS),
      async (statements, block, names) => {
        const check = Object.fromEntries(names.map((name) => [name, true]));
        const body = statements.map((text, i) => `\n${text.replaceAll("$L", `$L${i}`)}`).join("");
        const expected = await findings("interpreter", check, body, block);
        expect(await findings("webassembly", check, body, block)).toEqual(expected);
      },
    ),
    { numRuns: smoke(1000) },
  ));

/** An access of one thread to each place: by threads with neighbouring places, and by others. */
const single = fc
  .record({
    which: fc.constantFrom(
      "ld.S.b32 %r2, [A];",
      "ld.S.b32 %r2, [A];",
      "st.S.b32 [A], %r0;",
      "st.S.b32 [A], %r1;",
      "red.S.add.u32 [A], %r1;",
      "ld.relaxed.cta.S.b32 %r2, [A];",
    ),
    stride: fc.constantFrom(4, 4, 4, -4, 8),
    first: fc.integer({ min: -6, max: 6 }),
    from: fc.constantFrom(undefined, undefined, 2, 7, 33),
    /** Computes the address in a way whose result is not known to be consecutive. */
    isHidden: fc.boolean(),
  })
  .map(({ which, stride, first, from, isHidden }) => {
    const access = which.replace("A", `%rd1+${4 * first}`);
    const guard = from === undefined ? "" : `setp.lt.u32 %p1, %r0, ${from};\n	@%p1 bra $L;\n	`;
    const hidden = isHidden ? "xor.b32 %s, %s, 21; xor.b32 %s, %s, 21; " : "";
    return `	${guard}mul.lo.s32 %s, %r0, ${stride}; ${hidden}cvt.s64.s32 %rd1, %s;
	add.s64 %rd1, %rd1, BASE;
	${access}
$L:`;
  });

const between = fc.constantFrom(
  "",
  "",
  "	bar.sync 0;",
  "	bar.warp.sync -1;",
  "	mul.lo.u32 %r1, %r1, %r0;",
);

it("the engines find the same races where at most two threads access a place", () =>
  fc.assert(
    fc.asyncProperty(
      fc.tuple(single, between, single),
      fc.boolean(),
      fc.constantFrom(4, 6, 32, 70),
      async (parts, isShared, block) => {
        const text = parts.map((part, i) => `\n${part.replaceAll("$L", `$L${i}`)}`).join("");
        const body = isShared
          ? text.replaceAll(".S.", ".shared.").replaceAll("BASE", `${8 * WORDS}`)
          : text.replaceAll(".S.", ".global.").replaceAll("BASE", "%a0");
        const check = { races: true };
        const expected = await findings("interpreter", check, body, block, 4 * WORDS);
        expect(await findings("webassembly", check, body, block, 4 * WORDS)).toEqual(expected);
      },
    ),
    { numRuns: smoke(1000) },
  ));
