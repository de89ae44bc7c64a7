// A few bytes of dynamic shared memory: both engines find the same accesses inside, misaligned and out of bounds.
import { describe, expect, it } from "vitest";
import { ENGINES, HEAD } from "../support/both-engines.js";
import { kernelText, loadText } from "../support/launching.js";

const WIDTHS: Readonly<Record<number, readonly [type: string, value: string]>> = {
  1: ["u8", "%r3"],
  2: ["u16", "%r3"],
  4: ["u32", "%r3"],
  8: ["v2.u32", "{%r3, %r4}"],
  16: ["v4.u32", "{%r3, %r4, %r5, %r6}"],
};

describe.each([1, 2, 4, 8, 16])("accesses of %i bytes to a few bytes of dynamic shared memory", (bytes) => {
  const [type, value] = WIDTHS[bytes]!;
  const ptx = kernelText(
    `${HEAD}
	mov.u32 %r2, box; cvt.u32.u64 %r1, %a1; add.u32 %r2, %r2, %r1; mad.lo.u32 %r2, %r0, ${bytes}, %r2;
	mov.u32 %r3, 1; mov.u32 %r4, 2; mov.u32 %r5, 3; add.u32 %r6, %r0, 4;
	st.shared.${type} [%r2], ${value};
	ld.shared.${type} ${value}, [%r2];
	mad.lo.u32 %r6, %r3, 10, %r6;
	st.global.u32 [%rd1], %r6;`,
    { params: 2, before: ".extern .shared .align 16 .b8 box[];" },
  );

  it.each([1, 5])("of %i threads are those of the interpreter", async (threads) => {
    const texts = Object.values(ENGINES).map((engine) => [engine(), loadText(ptx)] as const);
    const faults = new Set<string | undefined>();
    for (const size of [0, 1, 3, 4, 8, 12, 15, 16, 17, 96]) {
      for (const offset of [0, 1, 2, 4, 8, 11, 12, 16, 48, 2 ** 32 - 1, 2 ** 32 - 16]) {
        const [interpreted, translated] = await Promise.all(
          texts.map(async ([engine, text]) => {
            const { fault, buffers } = await text.launch(engine, {
              block: [threads, 1, 1],
              dynamicSharedBytes: size,
              args: [{ buffer: new Uint32Array(threads) }, { value: BigUint64Array.of(BigInt(offset)) }],
            });
            faults.add(fault?.kind);
            return {
              fault: fault && { ...fault, executed: 0 },
              words: fault === undefined ? buffers[0] : [],
            };
          }),
        );
        expect(translated, `${size} bytes, offset ${offset}`).toEqual(interpreted);
      }
    }
    expect(faults).toContain(undefined);
    expect(faults).toContain("OUT_OF_BOUNDS");
  });
});
