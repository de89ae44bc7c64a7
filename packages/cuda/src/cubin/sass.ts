// Machine code as text: what the disassembler of a CUDA toolkit makes of a cubin, read into instructions.

import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeValue, didYouMean } from "@mm-ptx/types/core";
import { whenAborted } from "../ptx/abort.js";
import { type Exit, inTemporaryFolder, startProgram } from "../toolkit/process.js";
import { type Disassembler, findDisassembler } from "./disassembler.js";
import { CubinError } from "./error.js";
import { inspectCubin } from "./inspect.js";

/** One instruction. */
export interface SassInstruction {
  /** In the code of its section, in bytes, as those of `CodeLine`. */
  readonly offset: number;
  /** With its predicate and operands, without the semicolon: `@P0 BRA (.L_x_0)`. */
  readonly text: string;
  /** Names of this place: functions, and targets of branches where the tool names them. */
  readonly labels: readonly string[];
}

/** The code of a kernel with its device functions, or of a device function that stands alone. */
export interface SassFunction {
  readonly name: string;
  readonly instructions: readonly SassInstruction[];
}

/** What `disassembleSass` gives. */
export interface SassListing {
  /** The program that disassembled. */
  readonly tool: Disassembler;
  /** In file order. */
  readonly functions: readonly SassFunction[];
  /** All that the tool wrote. */
  readonly text: string;
}

/** Options of `disassembleSass`. */
export interface DisassembleOptions {
  /** Only the code of this kernel. */
  readonly kernel?: string;
  /** Milliseconds that the tool may take; default 60,000. */
  readonly timeoutMs?: number;
  /** Ends the call; the error's `cause` is the signal's reason. */
  readonly signal?: AbortSignal;
}

const OPTIONS = ["kernel", "timeoutMs", "signal"];
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** `-ndf`: its analysis of branches costs most of its time, and changes no instruction. */
const ARGUMENTS: Readonly<Record<Disassembler["name"], readonly string[]>> = {
  nvdisasm: ["-c", "-ndf"],
  cuobjdump: ["-sass"],
};

/**
 * Disassembles a cubin with the nvdisasm or cuobjdump of this machine: that of `MM_PTX_NVDISASM` or `MM_PTX_CUOBJDUMP`, from
 * PATH, from a toolkit, from what `npm run setup -- --with nvdisasm` fetched into a clone, or from Python's packages.
 *
 * @throws CubinError `INVALID_CUBIN`, `INVALID_OPTION`, `KERNEL_NOT_FOUND`, `TOOL_MISSING`, `TOOL_FAILED`
 */
export async function disassembleSass(
  cubin: Uint8Array,
  options: DisassembleOptions = {},
): Promise<SassListing> {
  checkOptions(options);
  const { kernel } = options;
  const names = inspectCubin(cubin).kernels.map(({ name }) => name);
  if (kernel !== undefined && !names.includes(kernel)) {
    const hint = didYouMean(kernel, names);
    throw new CubinError("KERNEL_NOT_FOUND", `expected a kernel of the cubin, found \`${kernel}\`${hint}`);
  }
  if (options.signal?.aborted) throw stopped(options.signal);
  const { found: tool, tried } = findDisassembler();
  if (tool === undefined) {
    const places = tried.map(({ place, outcome }) => `  - ${place}: ${outcome}`).join("\n");
    const cure =
      "put nvdisasm of a CUDA toolkit on PATH, or name it in MM_PTX_NVDISASM (in a clone: `npm run setup -- --with nvdisasm`)";
    throw new CubinError("TOOL_MISSING", `expected nvdisasm or cuobjdump, found none:\n${places}\n${cure}`);
  }
  const text = await runTool(tool, cubin, options);
  const functions = readListing(text);
  return {
    tool,
    functions: kernel === undefined ? functions : functions.filter(({ name }) => name === kernel),
    text,
  };
}

function checkOptions(options: unknown): void {
  const refuse = (message: string): never => {
    throw new CubinError("INVALID_OPTION", message);
  };
  if (typeof options !== "object" || options === null) {
    throw new CubinError("INVALID_OPTION", `expected options as an object, found ${describeValue(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !OPTIONS.includes(name))
      refuse(`unknown option \`${name}\`${didYouMean(name, OPTIONS)}`);
  }
  const { kernel, timeoutMs, signal } = options as Record<keyof DisassembleOptions, unknown>;
  const check = (isRight: boolean, name: string, expected: string, found: unknown): void => {
    if (found !== undefined && !isRight) {
      refuse(`option \`${name}\`: expected ${expected}, found ${describeValue(found)}`);
    }
  };
  const isTime = Number.isInteger(timeoutMs) && Number(timeoutMs) >= 1 && Number(timeoutMs) <= MAX_TIMEOUT_MS;
  check(typeof kernel === "string", "kernel", "the name of a kernel", kernel);
  check(isTime, "timeoutMs", `a whole number from 1 to ${MAX_TIMEOUT_MS}`, timeoutMs);
  check(signal instanceof AbortSignal, "signal", "an AbortSignal", signal);
}

/** The tool reads files only. */
async function runTool(tool: Disassembler, cubin: Uint8Array, options: DisassembleOptions): Promise<string> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  const failed = (what: string, cause?: unknown): CubinError =>
    new CubinError(
      "TOOL_FAILED",
      `expected machine code as text from ${tool.name}, found ${what}`,
      undefined,
      { cause },
    );
  try {
    return await inTemporaryFolder(async (folder) => {
      const [input, listing] = [join(folder, "module.cubin"), join(folder, "listing")];
      await writeFile(input, cubin);
      const exit = await runInto(listing, (stdout) => {
        if (signal?.aborted) throw stopped(signal);
        const running = startProgram(tool.path, [...ARGUMENTS[tool.name], input], {
          timeoutMs,
          stdout,
          folder,
        });
        const unlisten = signal === undefined ? undefined : whenAborted(signal, running.kill);
        return running.exit.finally(unlisten);
      });
      if (signal?.aborted) throw stopped(signal);
      if (exit.timedOut) throw failed(`no end within ${timeoutMs} ms`);
      const log = exit.log.replaceAll(input, "the cubin").trim();
      if (exit.code !== 0)
        throw failed(log || (exit.error?.message ?? `an end by ${exit.signal ?? exit.code}`));
      return await readFile(listing, "latin1");
    });
  } catch (error) {
    throw error instanceof CubinError ? error : failed((error as Error).message, error);
  }
}

const stopped = (signal: AbortSignal): CubinError =>
  new CubinError("TOOL_FAILED", "the disassembler was stopped by its signal", undefined, {
    cause: signal.reason,
  });

/** @param run is given the descriptor of a file at `path` */
async function runInto(path: string, run: (descriptor: number) => Promise<Exit>): Promise<Exit> {
  const file = await open(path, "w");
  try {
    return await run(file.fd);
  } finally {
    await file.close();
  }
}

// nvdisasm:   .section .text.scale,"ax",@progbits        cuobjdump:   Function : scale
// nvdisasm:   .L_x_0:  or the name of a function
// both:       /*0070*/               @P0 EXIT ;
const SECTION = /^\s*(?:\.section\s+\.text\.([^,\s]+)|Function : (\S+))/;
const LABEL = /^([^\s:]+):$/;
const INSTRUCTION = /^\s+\/\*([0-9a-f]{4,})\*\/\s+(.*?)\s*;/;

function readListing(text: string): SassFunction[] {
  const functions: SassFunction[] = [];
  let instructions: SassInstruction[] | undefined;
  let labels: string[] = [];
  for (const line of text.split("\n")) {
    const instruction = INSTRUCTION.exec(line);
    if (instruction !== null) {
      instructions?.push({
        offset: Number.parseInt(instruction[1]!, 16),
        text: instruction[2]!.replaceAll("`", ""),
        labels,
      });
      labels = [];
      continue;
    }
    const section = SECTION.exec(line);
    if (section !== null) {
      instructions = [];
      functions.push({ name: (section[1] ?? section[2])!, instructions });
      labels = [];
    }
    const label = LABEL.exec(line)?.[1];
    if (label !== undefined && !label.startsWith(".text.")) labels.push(label);
  }
  return functions;
}
