// Every `mma` and `wmma.mma` of the table in WebAssembly against the interpreter, on random bits: NaNs, infinities and subnormals included.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases, SOAK } from "../../../../tests/support/counts.js";
import { Interpreter } from "../../src/interpreter/index.js";
import { instructionRows } from "../../src/isa/table.js";
import { Translator } from "../../src/wasm/index.js";
import { kernelText, loadText } from "../support/launching.js";

const LANES = 32;

interface Product {
  readonly opcode: string;
  /** The registers of d, a, b and c. */
  readonly counts: readonly number[];
  /** Whether registers have 64 bits. */
  readonly isWide: boolean;
}

/** The products of a row: one for each choice of its types and optional words. */
function productsOf(row: string): Product[] {
  const [form, ...rest] = row.split(" ; ");
  const slots = new Map(
    rest.filter((part) => part.includes(" = ")).map((part) => part.split(" = ") as [string, string]),
  );
  // How `wmma` loaded its factors does not matter.
  const layouts = SOAK ? "row col" : "row";
  slots.set("alayout", layouts).set("blayout", layouts).set("rnd", "rn rz");
  if (!slots.has("shape")) slots.set("shape", "m16n16k16 m8n32k16 m32n8k16");
  const space = form!.indexOf(" ");
  const counts = [...form!.slice(space).matchAll(/\*(\d+)/g)].map(([, count]) => Number(count));
  let opcodes = [""];
  for (const [, optional, word] of form!.slice(0, space).matchAll(/(\{?)\.?([\w:]+)\}?/g)) {
    const words = slots.get(word!)?.split(" ") ?? [word!];
    opcodes = opcodes.flatMap((opcode) => [
      ...(optional === "" ? [] : [opcode]),
      ...words.map((each) => (opcode === "" ? each : `${opcode}.${each}`)),
    ]);
  }
  return opcodes.map((opcode) => ({ opcode, counts, isWide: opcode.includes("f64") }));
}

const PRODUCTS = ["mma", "wmma"].flatMap((name) =>
  instructionRows()
    .get(name)!
    .filter((row) => /^(wmma\.)?mma\./.test(row))
    .flatMap(productsOf),
);

/** Where an instruction leaves d: in registers of its own, or in those of c and b, in another order than theirs. */
const PLACES = ["apart", "in operands"] as const;
/** The places of a product; those of `wmma` alternate outside of a soak. */
const placesOf = ({ opcode }: Product, index: number) =>
  PLACES.filter((place, at) =>
    opcode.startsWith("wmma") ? SOAK || index % PLACES.length === at : place === "apart",
  );

/** Lanes load a, b and c, and store d after them. */
function kernelOf({ opcode, counts, isWide }: Product, place: (typeof PLACES)[number]): string {
  const [type, bytes] = isWide ? ["b64", 8] : ["b32", 4];
  const [d = 0, ...sources] = counts;
  const names = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `%${letter}${index}`);
  const [a, b, c] = sources.map((count, index) => names("xyz"[index]!, count)) as [
    string[],
    string[],
    string[],
  ];
  const given = [...a, ...b, ...c];
  const results = place === "apart" ? names("d", d) : [...b, ...c].reverse().slice(0, d);
  const at = (index: number) => `[%rd1 + ${index * bytes * LANES}]`;
  return kernelText(
    `
	.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .${type} %x<16>, %y<16>, %z<16>, %d<16>;
	mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, ${bytes}; add.u64 %rd1, %a0, %rd0;
	${given.map((register, index) => `ld.global.${type} ${register}, ${at(index)};`).join("\n\t")}
	${opcode} {${results.join(", ")}}, {${a.join(", ")}}, {${b.join(", ")}}, {${c.join(", ")}};
	${results.map((register, index) => `st.global.${type} ${at(given.length + index)}, ${register};`).join("\n\t")}`,
    { target: "sm_100a" },
  );
}

/** Bits of an element that is often finite: the exponents of random words are mostly too large. */
const word = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(0x3c00, 0x3800, 0xbc00, 0x3f80, 0xbf80, 0x0001, 0x2e66), fc.nat(0xffff))
      .map(([high, low]) => ((high << 16) | low) >>> 0),
  },
  { weight: 2, arbitrary: fc.nat(0xffffffff) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, 0x80008000, 0x7c007c00, 0xfc00fc00, 0x7f807f80, 0x3c003c00, 0x3f800000),
  },
);

describe("products of matrices", () => {
  it("are all those of the table", () => {
    expect(PRODUCTS.length).toBeGreaterThan(50);
  });

  it.each(
    PRODUCTS.flatMap((product, index) => placesOf(product, index).map((place) => ({ ...product, place }))),
  )("$opcode, d $place", async (product) => {
    const ptx = kernelOf(product, product.place);
    const engines = [new Interpreter(), new Translator()].map((engine) => [engine, loadText(ptx)] as const);
    const length = product.counts.reduce((sum, count) => sum + count) * LANES * (product.isWide ? 2 : 1);
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 64, maxLength: 64 }),
        fc.nat(0xffff),
        async (words, step) => {
          const buffer = Uint32Array.from(
            { length },
            (_, index) => words[(index * (2 * step + 1)) % 64]! ^ (index & step),
          );
          const [interpreted, translated] = await Promise.all(
            engines.map(async ([engine, text]) => {
              const { fault, buffers } = await text.launch(engine, {
                block: [LANES, 1, 1],
                args: [{ buffer }],
              });
              return { fault, words: Buffer.from(buffers[0]!).toString("hex") };
            }),
          );
          expect(translated).toEqual(interpreted);
        },
      ),
      { numRuns: cases(10) },
    );
  });
});
