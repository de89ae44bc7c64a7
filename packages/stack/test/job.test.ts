// Jobs, limits and tables that break their declared types, and jobs with side effects while they are read:
// they give a typed error before any memory is taken for them, or the right stub.
import { describe, expect, it } from "vitest";
import { latin1 } from "../src/emit/string.js";
import { input, metaConstant, ptxInstruction, register, StackCompiler, StackProgram } from "../src/index.js";
import { ADD, complaint, F32, SMALL_TABLE } from "./support/small-table.js";

const registers = [register("x", F32), register("y", F32)];
const job = { registers, requests: [1] };
const program = StackProgram.of(input(0), input(1), ptxInstruction(ADD));
const methods = ["compile", "signature", "analyze", "trace"] as const;

describe.each(methods)("%s refuses", (method) => {
  const refusal = (wrong: object): string =>
    complaint(() => new StackCompiler(SMALL_TABLE)[method](program, { ...job, ...wrong }));

  it.each(["registers", "requests"])("%s with an impossible length", (name) => {
    const most = `INVALID_ARGUMENT: expected an integer from 0 to 16777216 as the length of \`${name}\``;
    for (const length of [2 ** 24 + 1, 2 ** 32 - 1]) {
      expect(refusal({ [name]: new Array(length) })).toBe(`${most}, found ${length}`);
    }
    expect(refusal({ [name]: {} })).toContain(`expected \`${name}\` as an array, found an object`);
  });

  it("array-like requests", () => {
    for (const length of [-1, 0.5, 2 ** 53, Number.NaN]) {
      expect(refusal({ requests: { length } })).toContain(`the length of \`requests\`, found ${length}`);
    }
  });

  it("a request without a prototype", () => {
    expect(refusal({ requests: [Object.create(null)] })).toBe(
      "REGISTER_IDX_OUT_OF_BOUNDS: request 0 names register an object: expected a number",
    );
  });

  it("a missing register", () => {
    expect(refusal({ registers: [registers[0], undefined] })).toBe(
      "INVALID_ARGUMENT: expected a register at `registers[1]`, found undefined",
    );
  });

  it("a job that runs the same compiler while it is read", () => {
    const compiler = new StackCompiler(SMALL_TABLE);
    const meddle = () =>
      compiler.compile(program, { registers: [registers[1]!, registers[0]!], requests: [0] });
    const meddling = <T extends object>(list: T): T =>
      new Proxy(list, {
        get(target, name) {
          if (name === "0") meddle();
          return Reflect.get(target, name);
        },
      });
    for (const wrong of [{ requests: meddling([1, 0]) }, { registers: meddling([...registers]) }]) {
      expect(complaint(() => compiler[method](program, { ...job, ...wrong }))).toBe(
        "INVALID_ARGUMENT: expected a job without side effects, found one that runs the same compiler while it is read",
      );
      expect(compiler[method](program, job)).toEqual(new StackCompiler(SMALL_TABLE)[method](program, job));
    }
  });

  it("no job whose getters run the compiler before it holds any state, and reads each getter once", () => {
    const compiler = new StackCompiler(SMALL_TABLE);
    const reads: string[] = [];
    const read = <T>(name: string, value: T): T => {
      reads.push(name);
      compiler.compile(program, { registers: [registers[1]!, registers[0]!], requests: [0] });
      return value;
    };
    const once = {
      get registers() {
        return read("registers", registers);
      },
      get requests() {
        return read("requests", [1]);
      },
      get executionLimit() {
        return read("executionLimit", 100);
      },
    };
    expect(compiler[method](program, once)).toEqual(new StackCompiler(SMALL_TABLE)[method](program, job));
    expect(reads).toEqual(["registers", "requests", "executionLimit"]);
  });
});

describe("StackCompiler refuses", () => {
  it("limits in an array", () => {
    expect(complaint(() => new StackCompiler(SMALL_TABLE, { limits: [] as never }))).toBe(
      "INVALID_ARGUMENT: option `limits`: expected limits by name or `reference`, found an array",
    );
  });

  it.each([
    ["a special register", { specialRegisters: [{ ptx: "a", name: "a", argType: 99 }] }],
    ["an instruction", { instructions: [{ ptx: "a", name: "a", args: [99], results: [], aligned: false }] }],
  ])("%s with an argument type that the table lacks", (_, wrong) => {
    expect(complaint(() => new StackCompiler({ ...SMALL_TABLE, ...wrong }))).toBe(
      "INVALID_ARGUMENT: expected the index of an argument type of the table, found 99",
    );
  });

  it("an argument type of a stack that the table lacks", () => {
    const argTypes = SMALL_TABLE.argTypes.map((type) => ({ ...type, stackIndex: 99 }));
    expect(complaint(() => new StackCompiler({ ...SMALL_TABLE, argTypes }))).toBe(
      "INVALID_ARGUMENT: expected the index of a stack type of the table, found 99",
    );
  });
});

it("a stub that exceeds the length of strings is a typed error", () => {
  const length = 2 ** 29;
  expect(complaint(() => latin1(new Uint8Array(length), length))).toBe(
    `INSUFFICIENT_BUFFER: expected a stub that fits in a string, found one of ${length} bytes: use \`compileInto\` for it`,
  );
});

describe("a trace that would exhaust memory is a typed error", () => {
  const traced =
    "INVALID_ARGUMENT: expected a program whose trace holds at most 33554432 values and characters";

  it("of deep stacks", () => {
    const compiler = new StackCompiler(SMALL_TABLE, { limits: { stackSize: 2 ** 20 } });
    const deep = StackProgram.of(...Array.from({ length: 60_000 }, () => input(0)));
    expect(complaint(() => compiler.trace(deep, job))).toContain(traced);
    expect(compiler.trace(deep, { ...job, executionLimit: 1000 }).steps.length).toBe(1000);
  });

  it("of deep meta stacks", () => {
    const compiler = new StackCompiler(SMALL_TABLE, { limits: { stackSize: 2 ** 20 } });
    const deep = StackProgram.of(...Array.from({ length: 60_000 }, () => metaConstant(0)));
    expect(complaint(() => compiler.trace(deep, job))).toContain(traced);
  });

  it("of long texts", () => {
    const steps = Array.from({ length: 1000 }, () => [input(0), ptxInstruction(ADD)]).flat();
    const chain = StackProgram.of(input(0), ...steps);
    const { requests } = new StackCompiler(SMALL_TABLE).trace(chain, job, { longestText: 2 ** 20 });
    expect(requests[0]!.value!.text.length).toBeGreaterThan(5000);
    const doubled = Array.from({ length: 400 }, () => [
      { head: 5 + 65536 * F32, payload: 0 },
      ptxInstruction(ADD),
    ]).flat();
    expect(
      complaint(() =>
        new StackCompiler(SMALL_TABLE).trace(StackProgram.of(input(0), ...doubled), job, {
          longestText: 2 ** 20,
        }),
      ),
    ).toContain(traced);
  });
});
