// Runs a kernel on the emulator: in the page's worker, and in Node for tests.
import { EmulatedDevice, type EmulatorError, type Finding, type TraceStep } from "@mm-ptx/emulator";
import type { FilledKernel } from "@mm-ptx/types/core";
import {
  bf16,
  bytes,
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
import { ARRAYS, contentOf, type Elements } from "./data.js";
import { DataError } from "./data-error.js";
import { EMULATOR_ERROR, errorAddress, findingAddress } from "./explanations.js";
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
  readonly kernel: FilledKernel | string;
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

/** A finding in the words of the page, with the page that explains it. */
export type ShownFinding = Pick<
  Finding,
  "kind" | "message" | "severity" | "place" | "other" | "occurrences"
> & {
  readonly help: string;
};

/** A launch that ended. */
export interface RunResult {
  readonly ok: true;
  readonly engine: "interpreter" | "webassembly";
  readonly milliseconds: number;
  /** The shown buffers after the launch. */
  readonly buffers: readonly ShownBuffer[];
  /** The other ones before it. */
  readonly inputs: readonly ShownBuffer[];
  readonly findings: readonly ShownFinding[];
  /** Sentences about data that a buffer does not hold as it was written. */
  readonly notes: readonly string[];
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
  /** The address of the page that explains it. */
  readonly help?: string | undefined;
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
    const notes: string[] = [];
    const args: LaunchArgument[] = [];
    for (const argument of request.arguments) {
      if (argument.kind === "number") args.push(numberArgument(argument));
      else if (argument.kind === "bytes") args.push(bytes(new Uint8Array(argument.length)));
      else {
        const buffer = await filledBuffer(device, argument);
        notes.push(...buffer.notes);
        args.push(buffer.buffer);
        if (argument.shown) shown.push({ argument, read: buffer.read });
        else inputs.push({ name: argument.name, type: argument.type, values: buffer.elements });
      }
    }
    const steps: TraceStep[] = [];
    let taken = 0;
    const { grid, block, sharedBytes, lockstep, cooperative } = request.launch;
    const options = {
      grid,
      block,
      sharedBytes,
      lockstep,
      cooperative,
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
      findings: findings.map(shownFinding),
      notes,
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

/** Memory of any type is copied as bytes. */
async function filledBuffer(device: EmulatedDevice, argument: BufferArgument) {
  const { elements, notes } = await contentOf(argument);
  const buffer = device.allocate(elements.byteLength);
  await buffer.copyFrom(new Uint8Array(elements.buffer));
  const read = async (): Promise<Elements> => {
    const { buffer: memory } = (await buffer.read()).slice();
    return new ARRAYS[argument.type](memory);
  };
  return { buffer, elements, notes, read };
}

function shownFinding({ kind, message, severity, place, other, occurrences }: Finding): ShownFinding {
  const found = { kind, message: pageWords(message), severity, place, other, occurrences };
  return { ...found, help: findingAddress(kind) };
}

/** What the page calls options of the emulator that messages advise. */
const OPTIONS: Readonly<Record<string, string>> = {
  "lockstep: true": "`Warps in step` among the settings of the launch",
  "cooperative: true": "`Cooperative` among the settings of the launch",
  timeoutMs: `the page's limit of ${LAUNCH_MS / 1000} seconds`,
};

const pageWords = (message: string): string =>
  message.replace(
    /`(lockstep: true|cooperative: true|timeoutMs)`/g,
    (_, name: string) => OPTIONS[name] ?? name,
  );

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
  const {
    name,
    code = "ERROR",
    message = String(error),
    problems = [],
    fault,
  } = error as Partial<EmulatorError>;
  const help = errorAddress(name ?? EMULATOR_ERROR, code);
  if (problems.length > 0) {
    return {
      ok: false,
      code,
      problems: problems.map((one) => ({ message: pageWords(one.message), line: one.line, help })),
    };
  }
  const line = fault?.place?.line ?? fault?.loop?.first.line;
  return {
    ok: false,
    code,
    problems: [{ message: pageWords(message.split("\n")[0] ?? message), line, help }],
  };
}
