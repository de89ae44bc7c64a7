// From a site's operands to a job: the inputs, the output, and every argument that is refused.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { AstCompiler, AstProgram, input, type SiteOperand, siteJob } from "../src/index.js";
import { add, complaint, raised, SMALL_TABLE } from "./support/small-table.js";

const operand = (
  name: string,
  direction: SiteOperand["direction"],
  type = "F32",
  registerType = "f32",
): SiteOperand => ({ name, direction, register: `_${name}`, registerType, type });

const [x, y] = [operand("x", "in"), operand("y", "in")];
const [z, w] = [operand("z", "out"), operand("w", "out")];
const m = operand("m", "mod");

describe("siteJob", () => {
  it.each<[string, SiteOperand[], { output?: string }, string[], string]>([
    ["the only out", [z, x, y], {}, ["_x", "_y"], "_z"],
    ["the only mod, which is also an input", [x, m, y], {}, ["_x", "_m", "_y"], "_m"],
    ["the one that is named", [m, z, w, x], { output: "w" }, ["_m", "_x"], "_w"],
    ["a mod that is named", [m, z, x], { output: "m" }, ["_m", "_x"], "_m"],
    ["the only one, named", [z], { output: "z" }, [], "_z"],
    [
      "one of them if the other is not f32",
      [z, operand("n", "out", "U32", "u32"), x],
      { output: "z" },
      ["_x"],
      "_z",
    ],
  ])("writes %s", (_what, operands, options, inputs, output) => {
    expect(siteJob(SMALL_TABLE, operands, options)).toEqual({ inputs, output });
  });

  it("returns a job that compiles, as plain frozen data", () => {
    const job = siteJob(SMALL_TABLE, [z, x, y]);
    expect([job, job.inputs].every(Object.isFrozen)).toBe(true);
    const program = AstProgram.of(input(0), input(1), add);
    expect(new AstCompiler(SMALL_TABLE).compile(program, structuredClone(job))).toBe(
      "{\n.reg .f32 %ast<1>;\nadd.f32 %ast0, %_x, %_y;\nmov.f32 %_z, %ast0;\n}",
    );
  });

  it.each<[string, () => unknown]>([
    ["expected one `out` or `mod` operand, found none", () => siteJob(SMALL_TABLE, [x])],
    [
      "expected one `out` or `mod` operand, found `z`, `m`: choose one with `output`",
      () => siteJob(SMALL_TABLE, [z, x, m]),
    ],
    [
      "expected `output` as the name of one `out` or `mod` operand (`zeta`, `m`), found `zetta`, did you mean `zeta`?",
      () => siteJob(SMALL_TABLE, [operand("zeta", "out"), m], { output: "zetta" }),
    ],
    [
      "expected `output` as the name of one `out` or `mod` operand (`z`), found `x`, did you mean `z`?",
      () => siteJob(SMALL_TABLE, [z, x], { output: "x" }),
    ],
    [
      "expected `output` as the name of one `out` or `mod` operand (`z`, `z`), found `z`",
      () => siteJob(SMALL_TABLE, [z, z], { output: "z" }),
    ],
    [
      "expected `output` as the name of one `out` or `mod` operand (`z`), found 0",
      () => siteJob(SMALL_TABLE, [z], { output: 0 as never }),
    ],
    [
      "expected operand `n` of type `U32` in an f32 register, found register type `u32`",
      () => siteJob(SMALL_TABLE, [z, operand("n", "in", "U32", "u32")]),
    ],
    [
      "expected operand `z` of type `F16` in an f32 register, found register type `b16`",
      () => siteJob(SMALL_TABLE, [operand("z", "out", "F16", "b16"), x]),
    ],
    ["expected the operands of a site as an array, found null", () => siteJob(SMALL_TABLE, null as never)],
    [
      "expected a site operand at `operands[0]` with name as text, found 5",
      () => siteJob(SMALL_TABLE, [{ ...x, name: 5 as never }]),
    ],
  ])("refuses with: %s", (message, call) => {
    expect(complaint(call)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it("refuses unknown options, and registers that no stub can name", () => {
    expect(raised(() => siteJob(SMALL_TABLE, [z], { outputs: "z" } as never)).message).toBe(
      "unknown option `outputs`, did you mean `output`?",
    );
    expect(raised(() => siteJob(SMALL_TABLE, [{ ...z, register: "ast0" }])).message).toBe(
      "expected a register name that stubs do not declare themselves, found `ast0`",
    );
  });

  it("refuses anything that is not a list of operands", () => {
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        expect(raised(() => siteJob(SMALL_TABLE, anything as never)).code).toBe("INVALID_ARGUMENT");
      }),
      { numRuns: cases(2000) },
    );
  });

  it("accepts every mix of operands or says why not", () => {
    const directions = fc.array(fc.constantFrom<SiteOperand["direction"]>("in", "mod", "out"), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(directions, fc.option(fc.nat(6)), (list, choice) => {
        const operands = list.map((direction, index) => operand(`v${index}`, direction));
        const written = operands.filter(({ direction }) => direction !== "in");
        const output =
          choice === null
            ? written.length === 1
              ? written[0]
              : undefined
            : written.find(({ name }) => name === `v${choice}`);
        const call = () => siteJob(SMALL_TABLE, operands, choice === null ? {} : { output: `v${choice}` });
        if (output === undefined) {
          const { code, message } = raised(call);
          expect(code).toBe("INVALID_ARGUMENT");
          for (const { name } of written) expect(message).toContain(`\`${name}\``);
          return;
        }
        expect(call()).toEqual({
          inputs: operands.filter(({ direction }) => direction !== "out").map(({ register }) => register),
          output: output.register,
        });
      }),
      { numRuns: cases(5000) },
    );
  });
});
