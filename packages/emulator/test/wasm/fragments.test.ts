// `wmma.load` and `wmma.store` in every layout leave the same bytes in both engines: in global and shared memory, with
// strides that are usual, given, odd or so small that rows overlap.
import { expect, it } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { Interpreter } from "../../src/interpreter/index.js";
import type { Engine } from "../../src/run/launch.js";
import { Translator } from "../../src/wasm/index.js";
import { kernelText, launch } from "../support/launching.js";

const SHAPES = SOAK ? ["m16n16k16", "m32n8k16", "m8n32k16"] : ["m16n16k16"];
/** Types by matrix, with the registers of a fragment. */
const FORMS = SHAPES.flatMap((shape) => [
  ...["a", "b"].map((matrix) => ({ matrix, shape, type: "f16", count: 8 })),
  ...["a", "b"].map((matrix) => ({
    ...{ matrix, shape, type: "u8" },
    count: shape === "m16n16k16" ? 2 : (shape === "m32n8k16") === (matrix === "a") ? 4 : 1,
  })),
  { matrix: "c", shape, type: "f16", count: 4 },
  { matrix: "c", shape, type: "f32", count: 8 },
]);
const STRIDES = SOAK ? ["", ", 40", ", 37", ", 4", ", %stride"] : ["", ", 37", ", 4", ", %stride"];
const BYTES = 16384;
const MEMORY = Uint8Array.from({ length: BYTES }, (_, i) => (i * 37 + (i >> 8)) & 0xff);

const bodyOf = ({ matrix, shape, type, count }: (typeof FORMS)[number], layout: string, space: string) => {
  const registers = Array.from({ length: count }, (_, i) => `%d${i}`).join(", ");
  const shapeAndSpace = `${shape}.${space}`;
  const base = space === "shared" ? "%place" : "%a0";
  const lines = STRIDES.flatMap((stride, at) => [
    `wmma.load.${matrix}.sync.aligned.${layout}.${shapeAndSpace}.${type} {${registers}}, [${base}+64]${stride};`,
    ...Array.from({ length: count }, (_, i) => `st.global.b32 [%to+${128 * (8 * at + i)}], %d${i};`),
    ...(matrix === "c"
      ? [
          `wmma.store.d.sync.aligned.${layout}.${shapeAndSpace}.${type} [${base}+${8192 + 128 * at}], {${registers}}${stride};`,
        ]
      : []),
  ]);
  return `.shared .align 32 .b8 own[${BYTES}]; .reg .b32 %d<8>; .reg .b32 %t, %stride, %i; .reg .b64 %to, %place, %from, %l; .reg .pred %p;
	mov.u32 %t, %tid.x; mov.u32 %stride, %ntid.x; mad.wide.u32 %to, %t, 4, %a1; mov.u64 %place, own;
	mov.u32 %i, %t; $L: mad.wide.u32 %from, %i, 8, %a0; ld.global.b64 %l, [%from]; mad.wide.u32 %from, %i, 8, %place; st.shared.b64 [%from], %l;
	add.u32 %i, %i, 32; setp.lt.u32 %p, %i, ${BYTES / 8}; @%p bra $L; bar.sync 0;
	${lines.join("\n\t")}
	bar.sync 0; mov.u32 %i, %t; $M: mad.wide.u32 %from, %i, 8, %place; ld.shared.b64 %l, [%from]; mad.wide.u32 %from, %i, 8, %a2; st.global.b64 [%from], %l;
	add.u32 %i, %i, 32; setp.lt.u32 %p, %i, ${BYTES / 8}; @%p bra $M;`;
};

const LAYOUTS = ["row", "col"];
const SPACES = ["global", "shared"];
/** The spaces of a form: both in a soak, otherwise one for each layout, and those of the next form are exchanged. */
const spacesOf = (form: number, layout: string): readonly string[] =>
  SOAK ? SPACES : [SPACES[(form + LAYOUTS.indexOf(layout)) % 2]!];

it.each(LAYOUTS)("by %s", async (layout) => {
  for (const [index, form] of FORMS.entries()) {
    for (const space of spacesOf(index, layout)) {
      const text = kernelText(bodyOf(form, layout, space), { params: 3 });
      const run = async (engine: Engine) => {
        const args = [MEMORY, new Uint8Array(8192), new Uint8Array(BYTES)].map((buffer) => ({ buffer }));
        const { fault, buffers } = await launch(engine, { ptx: text, block: [32, 1, 1], args });
        return { fault, buffers };
      };
      expect(await run(new Translator()), JSON.stringify({ ...form, space })).toEqual(
        await run(new Interpreter()),
      );
    }
  }
});
