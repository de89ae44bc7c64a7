// Runs a kernel on the emulator: in the page's worker, and in Node for tests.
import { EmulatedDevice, type EmulatorError, type Finding, type TraceStep } from "@mm-ptx/emulator";
import type { FilledKernel } from "@mm-ptx/types/core";
import {
  bf16,
  bytes,
  type DeviceBuffer,
  f16,
  f32,
  f64,
  type LaunchArgument,
  s8,
  s16,
  s32,
  s64,
  type TypedArgument,
  u8,
  u16,
  u32,
  u64,
} from "@mm-ptx/types/device";
import { contentOf, type Elements } from "./data.js";
import { DataError } from "./data-error.js";
import { LAUNCH_INSTRUCTIONS, LAUNCH_MS } from "./limits.js";
import type {
  Argument,
  BufferArgument,
  CheckName,
  Dimensions,
  Launch,
  NumberArgument,
  NumberType,
} from "./state.js";

/** A launch as plain data. */
export interface RunRequest {
  readonly kernel: FilledKernel;
  readonly launch: Launch;
  readonly arguments: readonly Argument[];
  readonly checks: readonly CheckName[];
  /** Whether to count how often each line is executed, which takes longer. */
  readonly counts: boolean;
  /** The thread whose steps are wanted. */
  readonly trace?: { readonly block: Dimensions; readonly thread: Dimensions } | undefined;
}

/** A buffer after the launch. */
export interface ShownBuffer {
  readonly name: string;
  readonly type: BufferArgument["type"];
  readonly values: Elements;
}

/** How often threads executed the instructions of a line. */
export interface LineCount {
  readonly line: number;
  readonly count: number;
}

/** A launch that ended. */
export interface RunResult {
  readonly ok: true;
  readonly engine: "interpreter" | "webassembly";
  readonly milliseconds: number;
  /** The shown buffers after the launch. */
  readonly buffers: readonly ShownBuffer[];
  /** The other ones before it. */
  readonly inputs: readonly ShownBuffer[];
  readonly findings: readonly Finding[];
  /** What the kernel has printed. */
  readonly printed: string;
  readonly counts: readonly LineCount[];
  readonly steps: readonly TraceStep[];
  /** Whether the thread took more steps than are kept. */
  readonly stepsCut: boolean;
}

/** A place in the rendered kernel. */
export interface RunProblem {
  readonly message: string;
  readonly line?: number | undefined;
}

/** A launch that failed, or could not begin. */
export interface RunFailure {
  readonly ok: false;
  readonly code: string;
  readonly problems: readonly RunProblem[];
}

export type RunOutcome = RunResult | RunFailure;

const LIMITS = { instructions: LAUNCH_INSTRUCTIONS, timeoutMs: LAUNCH_MS };
const NUMBERS: Readonly<Record<NumberType, (value: number) => TypedArgument>> = {
  bf16,
  f16,
  f32,
  f64,
  s8,
  s16,
  s32,
  s64,
  u8,
  u16,
  u32,
  u64,
};
const MEMORY = 256 << 20;
const MOST_STEPS = 5000;
const MOST_PRINTED = 20_000;

/** Runs a launch. It never rejects: whatever goes wrong is an outcome. */
export async function run(request: RunRequest): Promise<RunOutcome> {
  try {
    return await launch(request);
  } catch (error) {
    return failureOf(error);
  }
}

async function launch(request: RunRequest): Promise<RunResult> {
  let printed = "";
  const device = EmulatedDevice.open({
    memoryBytes: MEMORY,
    check: Object.fromEntries(request.checks.map((name) => [name, true])),
    limits: LIMITS,
    onPrint: (text) => {
      if (printed.length < MOST_PRINTED) printed += text;
    },
  });
  try {
    const module = device.load(request.kernel);
    const kernel = module.kernel(request.launch.entry);
    const shown: { argument: BufferArgument; read: () => Promise<Elements> }[] = [];
    const inputs: ShownBuffer[] = [];
    const args: LaunchArgument[] = [];
    for (const argument of request.arguments) {
      if (argument.kind === "number") args.push(numberArgument(argument));
      else if (argument.kind === "bytes") args.push(bytes(new Uint8Array(argument.length)));
      else {
        const buffer = await filledBuffer(device, argument);
        args.push(buffer.buffer);
        if (argument.shown) shown.push({ argument, read: buffer.read });
        else inputs.push({ name: argument.name, type: argument.type, values: buffer.content });
      }
    }
    const steps: TraceStep[] = [];
    let taken = 0;
    const { grid, block, sharedBytes } = request.launch;
    const options = {
      grid,
      block,
      sharedBytes,
      counts: request.counts,
      ...(request.trace && {
        trace: {
          ...request.trace,
          onStep: (step: TraceStep) => {
            if (taken++ < MOST_STEPS) steps.push(step);
          },
        },
      }),
    };
    const { engine, milliseconds, counts, findings } = await device.stream.run(kernel, options, args);
    const buffers = [];
    for (const { argument, read } of shown) {
      buffers.push({ name: argument.name, type: argument.type, values: await read() });
    }
    return {
      ok: true,
      engine,
      milliseconds,
      buffers,
      inputs,
      findings,
      printed,
      counts: lineCounts(module.program, counts ?? []),
      steps,
      stepsCut: taken > steps.length,
    };
  } finally {
    device.dispose();
  }
}

function numberArgument({ name, type, value }: NumberArgument): TypedArgument {
  try {
    return NUMBERS[type](value);
  } catch (error) {
    throw new DataError(`\`${name}\`: ${(error as Error).message}`);
  }
}

async function filledBuffer(device: EmulatedDevice, argument: BufferArgument) {
  const content = await contentOf(argument);
  if (content instanceof Float32Array) return copied(device.allocateFloat32(content.length), content);
  if (content instanceof Float64Array) return copied(device.allocateFloat64(content.length), content);
  if (content instanceof Int32Array) return copied(device.allocateInt32(content.length), content);
  return copied(device.allocateUint32(content.length), content);
}

async function copied<Content extends Elements>(
  buffer: DeviceBuffer & {
    copyFrom(source: Content): Promise<unknown>;
    read(): Promise<unknown>;
  },
  content: Content,
) {
  await buffer.copyFrom(content);
  return { buffer, content, read: async () => (await buffer.read()) as Elements };
}

function lineCounts(
  {
    functions,
    text,
  }: { functions: readonly { instructions: readonly { span: { start: number } }[] }[]; text: string },
  counts: readonly Float64Array[],
): LineCount[] {
  const byLine = new Map<number, number>();
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at);
  for (const [index, perInstruction] of counts.entries()) {
    let line = 0;
    for (const [i, { span }] of (functions[index]?.instructions ?? []).entries()) {
      if (line > 0 && span.start <= (ends[line - 1] ?? 0)) line = 0;
      while (line < ends.length && (ends[line] ?? 0) < span.start) line++;
      byLine.set(line + 1, (byLine.get(line + 1) ?? 0) + (perInstruction[i] ?? 0));
    }
  }
  return [...byLine].map(([line, count]) => ({ line, count })).sort((a, b) => a.line - b.line);
}

function failureOf(error: unknown): RunFailure {
  const { code = "ERROR", message = String(error), problems = [], fault } = error as Partial<EmulatorError>;
  if (problems.length > 0) {
    return { ok: false, code, problems: problems.map((one) => ({ message: one.message, line: one.line })) };
  }
  const line = fault?.place?.line ?? fault?.loop?.first.line;
  return { ok: false, code, problems: [{ message: message.split("\n")[0] ?? message, line }] };
}
