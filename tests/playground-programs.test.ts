// Programs in the playground: pictures of their stacks, mistakes with places, variations by a seed, and the examples.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile } from "../site/playground/src/model/compile.js";
import { cross, mutate, randomProgram } from "../site/playground/src/model/evolve.js";
import { EXAMPLES } from "../site/playground/src/model/examples/index.js";
import { firstText } from "../site/playground/src/model/first-text.js";
import { instructionLines } from "../site/playground/src/model/instruction-lines.js";
import { type RunResult, run } from "../site/playground/src/model/run.js";
import { compileStack } from "../site/playground/src/model/stack-site.js";
import type { SiteText } from "../site/playground/src/model/state.js";
import { ROOT } from "./support/workspace.js";

const kernelOf = (name: string) => readFileSync(join(ROOT, `site/playground/kernels/${name}.ptx`), "utf8");

/** The only site of an example with a text. */
async function siteOf(name: string, text: string, language: SiteText["language"] = "stack") {
  const example = EXAMPLES.find((one) => one.name === name)!;
  const [site] = Object.keys(example.state.sites);
  const { sites } = await compile(kernelOf(name), { [site!]: { language, text } });
  return sites[0]!;
}

/** Pictures as text: the line, the stacks with dead values in parentheses, remarks. */
async function picturesOf(name: string, text: string): Promise<string[]> {
  const { pictures } = await siteOf(name, text);
  return pictures.map(({ line, stacks, remark, live, skipped }) => {
    const shown = stacks.map(
      (stack) =>
        `${stack.name}: ${stack.values.map((value) => (value.live ? value.label : `(${value.label})`)).join(" ")}`,
    );
    const state = skipped ? "skipped" : live === undefined ? "" : live ? "live" : "dead";
    return [line, ...shown, state, remark].filter((part) => part !== "").join(", ");
  });
}

describe("pictures of stacks", () => {
  it("name the lines of their values", async () => {
    const text = "; a comment\ninput x\n\nconst F32 0.5 ; half\nmul.ftz.f32\ndup F32\nadd.ftz.f32\n";
    expect(await picturesOf("gelu", text)).toEqual([
      "2, F32: x, live",
      "4, F32: x 0.5, live",
      "5, F32: mul₅, live",
      "6, F32: mul₅ mul₅",
      "7, F32: add₇, live",
    ]);
  });

  it("say what is dead, what is skipped, and why", async () => {
    expect(await picturesOf("gelu", "const F32 7\nadd.ftz.f32\ninput gate\nreturn\ninput x\n")).toEqual([
      "1, F32: (7), dead",
      "2, F32: (7), skipped, needs 2 values of F32, found 1",
      "3, F32: (7) gate, live",
      "4, F32: (7) gate",
    ]);
  });

  it("belong to the instruction that calls a routine", async () => {
    const pictures = await picturesOf("philox", "routine push_state\nroutine curand_normal\n");
    expect(pictures).toHaveLength(2);
    expect(pictures[0]).toMatch(/^1, PHILOX: philox_key_y philox_key_x/);
    expect(pictures[1]).toMatch(/^2, F32: \(mul₂\) \(mul₂\) \(mul₂\) mul₂/);
  });

  it("show integers and numbers of the meta stack", async () => {
    expect(await picturesOf("hash", "input key\nconst U32 16\nconst U32 0x85EBCA6B\nmeta 3\n")).toEqual([
      "1, U32: (key), dead",
      "2, U32: (key) (16), dead",
      "3, U32: (key) (16) 0x85EBCA6B, live",
      "4, U32: (key) (16) 0x85EBCA6B, meta: 3",
    ]);
  });

  it("find the lines of instructions", () => {
    expect(instructionLines(".registers a b\ninput a ; x\n ; y\n\n\t.word 1 2\r\nreturn")).toEqual([2, 5, 6]);
  });
});

describe("mistakes", () => {
  it("of a program have a place", async () => {
    const { problems } = await siteOf("gelu", "input x\nnonsense\n");
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ severity: "error", span: { start: 8, end: 16 } });
    expect(problems[0]!.message).toMatch(/^Unknown|^Expected/);
  });

  it("of a formula have a place after the name of its output", async () => {
    const { problems } = await siteOf("gelu", "y = sine(x)", "formula");
    expect(problems).toMatchObject([{ severity: "error", span: { start: 4, end: 8 } }]);
    expect((await siteOf("gelu", "y = sin(x)", "formula")).stub).toContain("sin.approx");
  });

  it("of PTX are warnings and errors", async () => {
    const warned = await siteOf("gelu", "\tmov.f32 %_x0, %nothing;", "ptx");
    expect(warned).toMatchObject({ stub: "\tmov.f32 %_x0, %nothing;", problems: [{ severity: "warning" }] });
    const refused = await siteOf("gelu", "}", "ptx");
    expect(refused.stub).toBeUndefined();
    expect(refused.problems).toMatchObject([{ severity: "error" }]);
  });

  it("of an output that nothing fills are warnings", async () => {
    const { problems } = await siteOf("gelu", "");
    expect(problems).toEqual([
      { severity: "warning", message: "The program leaves nothing for `y`, so the stub does not write it" },
    ]);
  });

  it.each([
    ["", "Expected a kernel (`.entry`), found none"],
    ["__global__ void f() {}", /^Expected PTX, found CUDA: `nvcc -ptx` compiles it/],
    ["// PTX_INJECT_START f\n// nonsense here\n", /^Expected/],
  ])("of a kernel are sentences (%j)", async (kernel, message) => {
    const { problems, filled } = await compile(kernel, {});
    expect(problems[0]!.message).toMatch(message);
    if (kernel !== "") expect(filled).toBeUndefined();
  });
});

describe("variations", () => {
  it("depend on the seed alone", async () => {
    const { stack } = await siteOf("gelu", "input x\n");
    const { text } = EXAMPLES[0]!.state.sites.activation!;
    const children = Array.from({ length: 50 }, (_, seed) => mutate(stack!, text, seed));
    expect(new Set(children).size).toBeGreaterThan(40);
    expect(children).toEqual(children.map((_, seed) => mutate(stack!, text, seed)));
    for (const child of children) expect(compileStack(stack!, child).stub).toBeDefined();
  });

  it("cross programs over, and draw new ones", async () => {
    for (const { name, variants, state } of EXAMPLES) {
      for (const [site, others] of Object.entries(variants)) {
        const { sites } = await compile(kernelOf(name), state.sites);
        const { stack, source } = sites.find(({ injection }) => injection.name === site)!;
        if (stack === undefined) continue;
        expect(compileStack(stack, randomProgram(stack, 3)).stub).toBeDefined();
        for (const other of others.filter(({ language }) => language === "stack")) {
          expect(source.language).toBe("stack");
          expect(compileStack(stack, cross(stack, source.text, other.text, 7)).stub).toBeDefined();
        }
      }
    }
  });

  it("begin with what reads the operands", async () => {
    const { injection } = await siteOf("gelu", "");
    expect(firstText(injection.operands, "stack")).toBe("input x\ninput gate\n");
    expect(firstText(injection.operands, "formula")).toBe("x + gate\n");
    expect(firstText(injection.operands, "ptx")).toBe("");
  });
});

describe("examples", () => {
  async function launch(
    example: (typeof EXAMPLES)[number],
    sites: Readonly<Record<string, SiteText>>,
    more = {},
  ) {
    const { filled, problems, sites: compiled } = await compile(kernelOf(example.name), sites);
    expect([...problems, ...compiled.flatMap((site) => site.problems)]).toEqual([]);
    const { launch: shape, arguments: args, checks } = example.state;
    const request = { kernel: filled!, launch: shape, arguments: args, checks, counts: false, ...more };
    const outcome = await run(request);
    expect(outcome).toMatchObject({ ok: true });
    return outcome as RunResult;
  }

  it.each(EXAMPLES)("$title runs as it is, and with all its other programs", async (example) => {
    const { findings, buffers } = await launch(example, example.state.sites);
    expect(findings.map(({ kind }) => kind)).toEqual(example.name === "reduction" ? ["RACE"] : []);
    expect(buffers.length).toBeGreaterThan(0);
    for (const [site, variants] of Object.entries(example.variants)) {
      for (const variant of variants) await launch(example, { ...example.state.sites, [site]: variant });
    }
  });

  it("the shortest paths are those over one more place", async () => {
    const { buffers } = await launch(EXAMPLES.at(-1)!, EXAMPLES.at(-1)!.state.sites);
    expect([...buffers[0]!.values].slice(0, 6)).toEqual([0, 4, 7, 14, 9, 10]);
  });

  it("the sums are right with a barrier", async () => {
    const reduction = EXAMPLES.find(({ name }) => name === "reduction")!;
    const between: SiteText = { language: "ptx", text: "\tbar.sync 0;" };
    const { buffers, findings } = await launch(reduction, { ...reduction.state.sites, between });
    expect(findings).toEqual([]);
    expect([...buffers[0]!.values]).toEqual(
      Array.from({ length: 8 }, (_, block) => 128 * (128 * block) + (128 * 129) / 2),
    );
  });

  it("counts name lines of the rendered kernel, and a trace its steps", async () => {
    const [gelu] = EXAMPLES;
    const trace = { block: [0, 0, 0], thread: [0, 0, 0] };
    const { rendered } = await compile(kernelOf("gelu"), gelu!.state.sites);
    const { counts, steps, engine } = await launch(gelu!, gelu!.state.sites, { counts: true, trace });
    const lines = rendered!.split("\n");
    expect(engine).toBe("interpreter");
    for (const { line } of counts) expect(lines[line - 1]).toMatch(/;\s*$/);
    expect(counts.find(({ line }) => lines[line - 1]!.includes("tanh.approx"))?.count).toBe(256);
    expect(steps.map(({ instruction }) => instruction)).toContain("tanh.approx.f32 %_s0_5, %_s0_4");
  });

  it("launches that fail name the line", async () => {
    const [gelu] = EXAMPLES;
    const text = "\t.reg .u64 %wrong;\n\tmov.u64 %wrong, 8;\n\tld.global.f32 %_x0, [%wrong];";
    const { filled, rendered } = await compile(kernelOf("gelu"), { activation: { language: "ptx", text } });
    const { launch: shape, arguments: args } = gelu!.state;
    const outcome = await run({ kernel: filled!, launch: shape, arguments: args, checks: [], counts: false });
    expect(outcome).toMatchObject({ ok: false, code: "OUT_OF_BOUNDS" });
    const line = outcome.ok ? undefined : outcome.problems[0]!.line;
    expect(rendered!.split("\n")[line! - 1]).toContain("ld.global.f32 %_x0, [%wrong]");
  });
});
