// Machine code as text: runs the disassembler of a CUDA toolkit on a cubin and parses its output into instructions.

import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Check,
  type Checks,
  didYouMean,
  isSignal,
  optionProblem,
  unexpected,
} from "@mm-ptx/types/internal";
import { whenAborted } from "../ptx/abort.js";
import { isTimeout } from "../toolkit/checks.js";
import { type Exit, inTemporaryFolder, startProgram } from "../toolkit/process.js";
import { type Disassembler, findDisassembler } from "./disassembler.js";
import { CubinError } from "./error.js";
import { inspectCubin } from "./inspect.js";

/** One instruction. */
export interface SassInstruction {
  /** The byte offset in the section's code, as in `CodeLine`. */
  readonly offset: number;
  /** With its predicate and operands but without the semicolon: `@P0 BRA (.L_x_0)`. */
  readonly text: string;
  /** Labels at this offset: functions, and branch targets if the tool names them. */
  readonly labels: readonly string[];
}

/** The code of a kernel with its device functions, or of a device function with a separate section. */
export interface SassFunction {
  readonly name: string;
  readonly instructions: readonly SassInstruction[];
}

/** The result of `disassembleSass`. */
export interface SassListing {
  /** The disassembler that ran. */
  readonly tool: Disassembler;
  /** In file order. */
  readonly functions: readonly SassFunction[];
  /** The tool's whole output. */
  readonly text: string;
}

/** Options of `disassembleSass`. */
export interface DisassembleOptions {
  /** Disassembles only this kernel. */
  readonly kernel?: string;
  /** The tool's time limit in milliseconds; 60,000 by default. */
  readonly timeoutMs?: number;
  /** Aborts the call; the error's `cause` is the signal's reason. */
  readonly signal?: AbortSignal;
}

const isName: Check = (value, name) =>
  typeof value === "string" ? undefined : unexpected(name, "the name of a kernel", value);

const OPTIONS: Checks = { kernel: isName, timeoutMs: isTimeout, signal: isSignal };
const DEFAULT_TIMEOUT_MS = 60_000;

/** `-ndf` skips the branch analysis, which takes most of the time and changes no instruction. */
const ARGUMENTS: Readonly<Record<Disassembler["name"], readonly string[]>> = {
  nvdisasm: ["-c", "-ndf"],
  cuobjdump: ["-sass"],
};

/**
 * Disassembles a cubin with nvdisasm or cuobjdump. The search order is `MM_PTX_NVDISASM` or `MM_PTX_CUOBJDUMP`, PATH,
 * toolkits, the tools that `npm run setup -- --with nvdisasm` fetched into a clone, and Python packages.
 *
 * @throws CubinError `INVALID_CUBIN`, `INVALID_ARGUMENT`, `NOT_FOUND`, `UNAVAILABLE`, `TOOL_FAILED`
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
    throw new CubinError("NOT_FOUND", `expected a kernel of the cubin, found \`${kernel}\`${hint}`);
  }
  if (options.signal?.aborted) throw stopped(options.signal);
  const { found: tool, tried } = findDisassembler();
  if (tool === undefined) {
    const places = tried.map(({ place, outcome }) => `  - ${place}: ${outcome}`).join("\n");
    const cure =
      "put nvdisasm of a CUDA toolkit on PATH, or name it in MM_PTX_NVDISASM (in a clone: `npm run setup -- --with nvdisasm`)";
    throw new CubinError("UNAVAILABLE", `expected nvdisasm or cuobjdump, found none:\n${places}\n${cure}`, {
      what: "tool",
    });
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
  const problem = optionProblem(options, OPTIONS);
  if (problem !== undefined) throw new CubinError("INVALID_ARGUMENT", problem);
}

/** The tool only reads files. */
async function runTool(tool: Disassembler, cubin: Uint8Array, options: DisassembleOptions): Promise<string> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  const failed = (what: string, cause?: unknown): CubinError =>
    new CubinError("TOOL_FAILED", `expected a listing from ${tool.name}, found ${what}`, {
      cause,
    });
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
      if (exit.timedOut) throw failed(`no result within ${timeoutMs} ms`);
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
  new CubinError("TOOL_FAILED", "the disassembler was stopped by its signal", {
    cause: signal.reason,
  });

/** @param run receives the descriptor of a file at `path` */
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
const INSTRUCTION = /^\s+\/\*([0-9a-f]{4,})\*\/\s([^;]*);/;

function readListing(text: string): SassFunction[] {
  const functions: SassFunction[] = [];
  let instructions: SassInstruction[] | undefined;
  let labels: string[] = [];
  for (const line of text.split("\n")) {
    const instruction = INSTRUCTION.exec(line);
    if (instruction !== null) {
      instructions?.push({
        offset: Number.parseInt(instruction[1]!, 16),
        text: instruction[2]!.trim().replaceAll("`", ""),
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
