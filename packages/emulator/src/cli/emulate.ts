// Runs the command: one launch, with arguments read from files and results written to files.

import { demangle } from "@mm-ptx/ptx";
import { type FilledKernel, FilledKernelError } from "@mm-ptx/types/core";
import { bytes, type LaunchArgument } from "@mm-ptx/types/device";
import { parseFilledKernel } from "@mm-ptx/types/internal";
import type { EmulatedBuffer } from "../device/buffer.js";
import { EmulatedDevice } from "../device/device.js";
import { kernelWords } from "../device/kernel-names.js";
import type { LaunchReport } from "../device/launch.js";
import type { EmulatedKernel, EmulatedModule } from "../device/module.js";
import { EmulatorError } from "../error.js";
import { placeText } from "../front/place.js";
import { hasSourceLines } from "../source/frames.js";
import { heatMap } from "../view/heat-map.js";
import { lcov } from "../view/lcov.js";
import { grouped } from "../view/lines.js";
import { annotatedListing } from "../view/listing.js";
import { kernelChecks, refuseWithoutCheck } from "./check-options.js";
import { refuseClashes } from "./clashes.js";
import { compileCuda } from "./compile-cuda.js";
import { contentKind } from "./content.js";
import { type FindingsReport, findingsReporter } from "./findings-report.js";
import {
  type Colors,
  counted,
  FileError,
  namedFile,
  type Outcome,
  printable,
  readBytes,
  reasonOf,
  STANDARD,
  shownName,
  UsageError,
  writeWhole,
} from "./framework.js";
import { npyHead, readNpy } from "./npy.js";
import { bytesOf, type NumberType, numberFormats, numbersOf } from "./numbers.js";
import { FileProblem } from "./problems.js";
import type { EmulateOptions } from "./program.js";
import { Progress } from "./progress.js";
import { StepLog } from "./step-log.js";

/** Memory that is written to a file after the launch. */
interface Output {
  readonly buffer: EmulatedBuffer;
  readonly path: string;
  /** The bytes that precede the memory in the file. */
  readonly head: Uint8Array;
}

/** The memory of an argument as numbers. */
interface Printed {
  /** The name of the kernel's parameter, or its index if it has none. */
  readonly name: string;
  readonly type: NumberType;
  readonly values: readonly string[];
}

/** @throws UsageError, FileError, FileProblem */
export async function emulate(file: string, options: EmulateOptions): Promise<Outcome> {
  refuseClashes(file, options);
  refuseWithoutCheck(options);
  const writeReport = options.check === undefined ? undefined : await findingsReporter(options);
  const ptx = await readModule(file);
  const printed: string[] = [];
  using progress = new Progress();
  using device = open(options, (text) => print(text, printed, progress, options));
  const steps = new StepLog(options.json === true, (line) => {
    progress.clear();
    process.stdout.write(line);
  });
  const inFile = <T>(make: () => T): T => FileProblem.of(file, make);
  const module = inFile(() => device.load(ptx));
  const kernel = kernelOf(module, options.kernel);
  inFile(() => kernel.setDynamicShared(options.shared));
  const { args, outputs, buffers } = await prepareArguments(device, options);
  const { cooperative = false, lockstep = false } = options;
  const launch = {
    grid: options.grid,
    block: options.block,
    sharedBytes: options.shared,
    cooperative,
    lockstep,
    ...(options.cluster === undefined ? {} : { cluster: options.cluster }),
  };
  progress.begin(`running ${demangle(kernel.name)}`);
  const onProgress = (done: number, total: number) => {
    progress.blocks = [done, total];
  };
  const counts = [options.listing, options.heatMap, options.lcov].some((path) => path !== undefined);
  const { trace: traced } = options;
  const trace = traced === undefined ? {} : { trace: { ...traced, onStep: steps.add.bind(steps) } };
  const findingsOf = (stopped: boolean) =>
    writeReport?.(device.findings, {
      file: shownName(file),
      leftOut: device.findingsLeftOut,
      stopped,
    });
  const report = await FileProblem.ofAsync(file, () =>
    interruptible(() => device.stream.run(kernel, { ...launch, onProgress, counts, ...trace }, args)),
  ).catch((error: unknown) => {
    progress.dispose();
    const findings = findingsOf(true);
    process.stderr.write(printable(findings?.complaints ?? ""));
    process.stdout.write(findings?.text ?? "");
    throw error;
  });
  progress.dispose();
  const findings = findingsOf(false);
  for (const { buffer, path, head } of outputs)
    writeWhole(path, Buffer.concat([head, (await buffer.read()) as Uint8Array]));
  const numbers: Printed[] = [];
  for (const { buffer, argument, format } of buffers) {
    if (format === undefined) continue;
    const values = numbersOf((await buffer.read()) as Uint8Array, format);
    numbers.push({
      name: kernel.parameters[argument]!.name ?? `argument ${argument}`,
      type: format.type,
      values,
    });
  }
  return outcomeOf({ file, module, kernel, options, report, printed, steps, outputs, numbers, findings });
}

/**
 * Runs work that a signal ends immediately. A signal handler would have to wait for a turn of the event loop, which a
 * translated kernel only yields between two blocks; no file is being written meanwhile.
 */
async function interruptible<Result>(work: () => Promise<Result>): Promise<Result> {
  const handlers = (["SIGINT", "SIGTERM"] as const).flatMap((signal) =>
    process.listeners(signal).map((handler) => ({ signal, handler })),
  );
  for (const { signal, handler } of handlers) process.off(signal, handler);
  try {
    return await work();
  } finally {
    for (const { signal, handler } of handlers) process.on(signal, handler);
  }
}

function open(options: EmulateOptions, onPrint: (text: string) => void): EmulatedDevice {
  const { engine, workers = 1, memory, heap, budget, timeout, check } = options;
  return EmulatedDevice.open({
    engine,
    workers,
    onPrint,
    check: kernelChecks(check),
    // The calls that lead to an allocation are those of this command.
    allocatedAt: () => [],
    limits: {
      ...(budget === undefined ? {} : { instructions: budget }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    },
    ...(memory === undefined ? {} : { memoryBytes: memory }),
    ...(heap === undefined ? {} : { heapBytes: heap }),
  });
}

/** Printed text is written as it arrives, unless the whole output is one JSON value. */
function print(text: string, printed: string[], progress: Progress, { json }: EmulateOptions): void {
  printed.push(text);
  if (json) return;
  progress.clear();
  process.stdout.write(printable(text));
}

/** PTX, which a fatbin may contain, a filled kernel in JSON, or CUDA C++, which is compiled. @throws FileError */
async function readModule(file: string): Promise<string | FilledKernel> {
  const found = await readBytes(file);
  const kind = contentKind(found);
  if (kind === "elf")
    throw new FileError(
      `expected PTX, a fatbin, a filled kernel or CUDA C++, found ${namedFile(file)}, which is a program or a cubin: pass the PTX that it was made from (\`nvcc -ptx\`)`,
    );
  if (kind === "fatbin") return ptxOf(found, file);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(found);
    if (kind === "cuda") return await compileCuda(text, file);
    return parseFilledKernel(text) ?? text;
  } catch (error) {
    if (error instanceof FileError) throw error;
    if (error instanceof FilledKernelError)
      throw new FileError(`expected PTX or a filled kernel, found ${namedFile(file)}: ${error.message}`);
    throw new FileError(`expected PTX as UTF-8, found ${namedFile(file)}: ${reasonOf(error)}`);
  }
}

/** The PTX of a fatbin for the newest architecture. @throws FileError if it has none or is corrupt */
async function ptxOf(fatbin: Uint8Array, file: string): Promise<string> {
  const { insteadOfPtx, readImage, WITH_PTX } = await import("../runtime/fatbin.js");
  try {
    const { ptx, machineCode } = readImage(Buffer.from(fatbin), NEWEST);
    if (ptx !== undefined) return ptx;
    throw new Error(`expected PTX, found ${insteadOfPtx(machineCode)}: compile it with \`${WITH_PTX}\``);
  } catch (error) {
    throw new FileError(`${namedFile(file)}: ${reasonOf(error)}`);
  }
}

/** Every architecture is older. */
const NEWEST = 999;

/** @throws UsageError if the kernel does not exist or the choice is ambiguous */
function kernelOf(module: EmulatedModule, name: string | undefined): EmulatedKernel {
  if (name !== undefined) return namedKernel(module, name);
  const [first, ...others] = module.kernels;
  if (first !== undefined && others.length === 0) return module.kernel(first);
  const names = module.kernels.map(kernelWords).join(", ");
  throw new UsageError(
    `expected \`--kernel\` for a file with ${first === undefined ? "none" : names}, found nothing`,
  );
}

function namedKernel(module: EmulatedModule, name: string): EmulatedKernel {
  try {
    return module.kernel(name);
  } catch (error) {
    throw error instanceof EmulatorError ? new UsageError(error.message) : error;
  }
}

/** The arguments of the launch, with the memory that they need and how it is printed and written. */
async function prepareArguments(device: EmulatedDevice, { arg = [], print, npy }: EmulateOptions) {
  const args: LaunchArgument[] = [];
  const buffers: {
    readonly buffer: EmulatedBuffer;
    readonly argument: number;
    readonly output: string | undefined;
    readonly head: Uint8Array | undefined;
  }[] = [];
  for (const [argument, word] of arg.entries()) {
    if (word.kind === "value") args.push(word.argument);
    else if (word.kind === "bytes") args.push(bytes(await readBytes(word.input)));
    else {
      const { source, output } = word;
      const file = "input" in source ? await readBytes(source.input) : undefined;
      const { head, content = undefined } =
        npy === true && "input" in source ? readNpy(file!, source.input) : { head: undefined, content: file };
      const buffer = device.allocate("zeros" in source ? source.zeros : content!.length);
      if (content !== undefined) await buffer.copyFrom(content);
      args.push(buffer);
      buffers.push({ buffer, argument, output, head });
    }
  }
  const sizes = buffers.map(({ buffer }) => buffer.byteLength);
  const formats = print && numberFormats(print, sizes);
  const outputs = buffers.flatMap(({ buffer, output, head }, i): readonly Output[] => {
    if (output === undefined) return [];
    if (npy !== true) return [{ buffer, path: output, head: new Uint8Array() }];
    const type = formats?.[i]?.type ?? "u8";
    return [{ buffer, path: output, head: head ?? npyHead(type, sizes[i]! / bytesOf(type)) }];
  });
  return { args, outputs, buffers: buffers.map((each, i) => ({ ...each, format: formats?.[i] })) };
}

interface Done {
  readonly file: string;
  readonly module: EmulatedModule;
  readonly kernel: EmulatedKernel;
  readonly options: EmulateOptions;
  readonly report: LaunchReport;
  readonly printed: readonly string[];
  readonly steps: StepLog;
  readonly outputs: readonly Output[];
  readonly numbers: readonly Printed[];
  readonly findings: FindingsReport | undefined;
}

function outcomeOf({
  file,
  module,
  kernel,
  options,
  report,
  printed,
  steps,
  outputs,
  numbers,
  findings,
}: Done): Outcome {
  const { grid, block, listing, heatMap: picture, lcov: tracefile } = options;
  const { engine, milliseconds, counts } = report;
  const told: string[] = [];
  const files = outputs.map(({ path, buffer, head }) => ({ path, bytes: head.length + buffer.byteLength }));
  const views: { readonly path: string; readonly text: string }[] = [];
  if (counts !== undefined && listing !== undefined) {
    views.push({ path: listing, text: annotatedListing(module.program, counts) });
  }
  if (counts !== undefined && picture !== undefined) {
    const title = `${demangle(kernel.name)} of ${file}, ${grid.join(" x ")} blocks of ${block.join(" x ")} threads`;
    views.push({ path: picture, text: heatMap(module.program, counts, title) });
  }
  if (counts !== undefined && tracefile !== undefined) {
    views.push({ path: tracefile, text: lcov([{ program: module.program, counts }]) });
  }
  for (const { path, text } of views) {
    if (path === STANDARD) told.push(text);
    else files.push({ path, bytes: Buffer.byteLength(text) });
    if (path !== STANDARD) writeWhole(path, Buffer.from(text));
  }
  const complaints = ({ dim }: Colors) => {
    const threads = [...grid, ...block].reduce((all, one) => all * one, 1);
    const lines = [
      ...module.notes.map(({ line, column, source, text, message }) =>
        printable(`note: ${placeText(line, column, source, text)}: ${message}`),
      ),
      `ran ${printable(demangle(kernel.name))} on ${counted(threads, "thread").replace(/^\d+/, grouped(threads))} (${engine}, ${milliseconds.toFixed(1)} ms)`,
      ...(tracefile === undefined || hasSourceLines(module.program)
        ? []
        : ["no source lines to count: compile the kernel with nvcc -lineinfo"]),
      ...(steps.leftOut === 0 ? [] : [`left out ${grouped(steps.leftOut)} more steps of the trace`]),
      ...files.map(({ path, bytes }) => `written ${printable(path)} (${grouped(bytes)} bytes)`),
    ];
    return printable(findings?.complaints ?? "") + lines.map((line) => `${dim(line)}\n`).join("");
  };
  const ok = findings?.exitCode !== 1;
  return {
    ok,
    json: () => ({
      ok,
      kernel: kernel.name,
      kernelName: demangle(kernel.name),
      grid,
      block,
      engine,
      milliseconds: Math.round(milliseconds * 1000) / 1000,
      printed,
      ...(module.notes.length === 0 ? {} : { notes: module.notes }),
      outputs: files,
      ...(findings === undefined ? {} : findings.json),
      ...(numbers.length === 0 ? {} : { memory: numbers }),
      ...(listing === STANDARD ? { listing: told.join("") } : {}),
      ...(picture === STANDARD ? { heatMap: told.join("") } : {}),
      ...(tracefile === STANDARD ? { lcov: told.join("") } : {}),
      ...(options.trace === undefined ? {} : { trace: steps.json(), traceLeftOut: steps.leftOut }),
    }),
    complaints,
    text: () => [...numbers.map(numbersText), ...told.map(printable), findings?.text ?? ""].join(""),
  };
}

const numbersText = ({ name, values }: Printed): string =>
  `${[`${printable(name)}:`, ...values].join(" ")}\n`;
