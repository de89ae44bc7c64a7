// A device whose engine is a function of the test; everything but running instructions is real.
import { bytes, type Device, f32, type LaunchArgument } from "@mm-ptx/types/device";
import { EmulatedDevice } from "../../src/device/device.js";
import type { EmulatedDeviceOptions } from "../../src/device/options.js";
import type { Program, ProgramFunction, ProgramVariable } from "../../src/program/program.js";
import type { PtxType } from "../../src/program/types.js";
import type { Fault } from "../../src/run/fault.js";
import type { Launch } from "../../src/run/launch.js";
import { operationOf } from "../support/operations.js";

/** Arguments and a shape that the kernel accepts. */
export const ARGS = (device: Device): LaunchArgument[] => [
  device.allocate(4),
  f32(2),
  bytes(new Uint8Array(8)),
];
export const SHAPE = { grid: 1, block: 32 };

export const TEXT = `.version 9.0
.target sm_75
.address_size 64
.global .align 4 .u32 table[4];
.visible .entry scale(.param .u64 data, .param .f32 factor, .param .align 4 .b8 pair[8])
{
	st.global.f32 [%rd1+0], %f1;
	bar.sync 0;
	bra $L;
	ret;
}
`;

function variable(
  name: string,
  type: PtxType,
  size: number,
  more: Partial<ProgramVariable> = {},
): ProgramVariable {
  const at = TEXT.indexOf(name);
  return {
    name,
    nameSpan: { start: at, end: at + name.length },
    space: "param",
    type,
    bytes: size,
    align: 4,
    offset: 0,
    extern: false,
    initial: undefined,
    relocations: [],
    ...more,
  };
}

/**
 * `scale(u64 data, f32 factor, 8 bytes)` with four instructions, and a table that contains 1, 2, its own
 * address, and 0.
 */
export function fakeProgram(more: Partial<ProgramFunction> = {}): Program {
  const instructions = ["st.global.f32 [%rd1+0], %f1", "bar.sync 0", "bra $L", "ret"].map((text) => {
    const start = TEXT.indexOf(text);
    return {
      operation: operationOf(text.split(" ")[0]!),
      operands: text.startsWith("st")
        ? [
            {
              kind: "address" as const,
              base: { kind: "register" as const, register: 0, negated: false },
              offset: 0,
            },
            { kind: "register" as const, register: 1, negated: false },
          ]
        : [],
      guard: undefined,
      call: undefined,
      branchTargets: undefined,
      span: { start, end: start + text.length },
    };
  });
  const kernel: ProgramFunction = {
    unsupported: [],
    kind: "entry",
    name: "scale",
    nameSpan: { start: 0, end: 0 },
    span: { start: TEXT.indexOf(".visible"), end: TEXT.length - 1 },
    registers: [
      { name: "%rd1", type: "b64" },
      { name: "%f1", type: "f32" },
    ],
    variables: [
      variable("data", "u64", 8),
      variable("factor", "f32", 4, { offset: 8 }),
      variable("pair", "b8", 8, { offset: 12 }),
    ],
    results: [],
    parameters: [0, 1, 2],
    registerResults: [],
    registerParameters: [],
    parameterBytes: 20,
    frameBytes: 0,
    shared: [],
    sharedBytes: 1024,
    instructions,
    calls: [],
    directives: [],
    ...more,
  };
  const table = variable("table", "u32", 16, {
    space: "global",
    initial: new Uint8Array([1, 0, 0, 0, 2]),
    relocations: [
      { at: 8, size: 8, target: { kind: "module-variable", variable: 0 }, addend: 4, generic: false },
    ],
  });
  return { text: TEXT, version: "9.0", target: "sm_75", functions: [kernel], variables: [table], notes: [] };
}

type Run = (launch: Launch) => Fault | undefined | Promise<Fault | undefined>;

/**
 * @param run the engine, which returns how the launch failed
 * @param translates whether the engine acts as the translator, too
 */
export function fakeDevice(
  run: Run = () => undefined,
  options: EmulatedDeviceOptions = {},
  program: Program = fakeProgram(),
  translates = false,
): EmulatedDevice {
  const engine = (name: "interpreter" | "webassembly") => ({
    run: async (launch: Launch) => ({ engine: name, fault: await run(launch) }),
  });
  return new EmulatedDevice(
    { memoryBytes: 2 ** 24, ...options },
    {
      readProgram: () => program,
      engines: () => ({
        interpreter: engine("interpreter"),
        translator: {
          ...engine("webassembly"),
          refusal: async () => (translates ? undefined : { found: "a fake" }),
        },
      }),
    },
  );
}
