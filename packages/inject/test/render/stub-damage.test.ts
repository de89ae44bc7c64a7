// Random stubs: an accepted one leaves the structure of the text around it intact, and none crashes.
import fc from "fast-check";
import { expect, test } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { checkStub, PtxInjectError, parsePtx } from "../../src/index.js";
import { site } from "../support/helpers.js";

const RUNS = smoke(50_000);

const OPERANDS = ["_x0 m f32 F32 x", "_x1 o f32 F32 z"];
/** `MARK` is after every site, and at the end. */
const annotated = parsePtx(
  `.version 8.0\n.target sm_75\n.visible .entry k()\n{\n.reg .f32 %f<4>;\n{\n${site("f", ...OPERANDS)}MARK;\n}\n/* } */ { // {\n${site("g", ...OPERANDS)}MARK;\n{\n${site("f", ...OPERANDS)}MARK;\n}\n}\nMARK;\n}\n`,
);

/** The depth in braces of each `MARK` that is code, read character by character. */
function depthsOfMarks(text: string): number[] {
  const depths: number[] = [];
  let depth = 0;
  let end = "";
  for (let at = 0; at < text.length; at++) {
    if (end !== "") {
      if (text.startsWith(end, at)) {
        at += end.length - 1;
        end = "";
      }
    } else if (text.startsWith("/*", at)) {
      end = "*/";
      at++;
    } else if (text.startsWith("//", at)) end = "\n";
    else if (text[at] === '"') end = '"';
    else if (text[at] === "{") depth++;
    else if (text[at] === "}") depth--;
    else if (text.startsWith("MARK", at)) depths.push(depth);
  }
  return depths;
}

const EXPECTED = [2, 2, 3, 1];

const piece = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "{",
      "}",
      "{ }",
      "/",
      "*",
      "//",
      "/*",
      "*/",
      '"',
      '""',
      "\n",
      "\r\n",
      "\r",
      " ",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ..."%_x0 %_x1 %_x2 %f1 %f9 %tid.x .reg .f32 .u32 %r<3> %r1 L: @%p bra ; , [ ] ( ) : 0f3F800000 0x 1".split(
        " ",
      ),
      "add.f32 %_x1, %_x0, %_x0;",
      "\t.reg .f32 %_s0_<2>;\n",
      "// PTX_INJECT_END",
      "// PTX_INJECT_START g",
      "é",
      "\0",
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8, unit: "binary" }) },
);
const stub = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));

test(`${RUNS} random stubs`, { timeout: 600_000 }, () => {
  let accepted = 0;
  fc.assert(
    fc.property(stub, stub, (f, g) => {
      const stubs = { f, g };
      for (const { span, injection, message } of annotated.warnings(stubs, { check: false })) {
        const { length } = injection === "f" ? f : g;
        expect(0 <= span.start && span.start <= span.end && span.end <= length).toBe(true);
        expect(message.startsWith(`stub of \`${injection}\`: expected `)).toBe(true);
      }
      let text: string;
      try {
        text = annotated.render(stubs);
      } catch (error) {
        if (!(error instanceof PtxInjectError)) throw error;
        expect(error.code).toBe("INVALID_STUB");
        const refused = error.message.startsWith("stub of `f`") ? f : g;
        expect(() => checkStub(refused, { name: "x", operands: [] })).toThrow(PtxInjectError);
        expect(error.span!.end).toBeLessThanOrEqual(refused.length);
        return;
      }
      accepted++;
      expect(text).toBe(annotated.render(stubs, { check: false }));
      expect(depthsOfMarks(text)).toEqual(EXPECTED);
      // A rendering has no sites.
      expect(parsePtx(text).injections).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  expect(depthsOfMarks(annotated.render({ f: "", g: "" }))).toEqual(EXPECTED);
  expect(accepted).toBeGreaterThan(RUNS / 50);
  expect(accepted).toBeLessThan(RUNS / 2);
});

test("large stubs take linear time and no deep recursion", () => {
  const opens = "{".repeat(500_000);
  const stubs = [
    `${opens}${"}".repeat(500_000)}`,
    "/* */".repeat(200_000),
    '"'.repeat(1_000_000),
    "// x\n".repeat(200_000),
    "/".repeat(1_000_000),
  ];
  for (const f of stubs) expect(annotated.render({ f, g: "" }).length).toBeGreaterThan(2 * f.length);
  for (const f of [opens, "}".repeat(1_000_000), `/*${opens}`, `"${opens}`]) {
    expect(() => annotated.render({ f, g: "" })).toThrow(PtxInjectError);
  }
});
