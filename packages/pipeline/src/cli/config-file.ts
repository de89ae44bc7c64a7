// Loads a configuration and checks its fields. What is in them is checked where it is used.
import {
  type Check,
  isAnything,
  isBoolean,
  isListOf,
  isObject,
  isWhole,
  optionProblem,
  quoted,
  unexpected,
} from "@mm-ptx/types/internal";
import type { PipelineConfig } from "../config.js";
import { FileProblem, loadDefault } from "./framework.js";

const isFile: Check = (value, name) =>
  (typeof value === "string" && value !== "") || (value instanceof URL && value.protocol === "file:")
    ? undefined
    : unexpected(name, "a path or a `file:` URL", value);

const isKernel: Check = (value, name) =>
  isFile(value, name) === undefined || typeof (value as { fill?: unknown } | null)?.fill === "function"
    ? undefined
    : unexpected(name, "the path of a kernel, or what `parsePtx` returns", value);

const DEVICES = ["emulator", "cuda", "none"];

const isDevice: Check = (value, name) =>
  DEVICES.includes(value as string) || (typeof value === "object" && value !== null)
    ? undefined
    : unexpected(name, `${DEVICES.map(quoted).join(", ")}, options of the emulator or a device`, value);

/** `isAnything` is for what the pipeline checks. */
export const FIELDS: Readonly<Record<keyof PipelineConfig, Check>> = {
  kernel: isKernel,
  entry: isAnything,
  sites: isObject,
  programs: isAnything,
  total: isWhole(0, Number.MAX_SAFE_INTEGER),
  tables: isListOf("tables", (value) =>
    ["stack", "ast"].includes((value as { kind?: string } | null)?.kind ?? ""),
  ),
  device: isDevice,
  compiler: isObject,
  finalCompiler: isObject,
  finalists: isAnything,
  timing: isAnything,
  launch: isAnything,
  read: isAnything,
  combine: isAnything,
  predict: isAnything,
  pack: isAnything,
  dedupe: isAnything,
  remember: isAnything,
  rememberBytes: isAnything,
  ordered: isBoolean,
  store: isFile,
  out: isFile,
};

/** @throws FileError, FileProblem */
export async function loadConfig(path: string): Promise<PipelineConfig> {
  const found = await loadDefault(path, (make) => make(), ["run"]);
  const problem = optionProblem(found, FIELDS, {
    noun: "field",
    of: "the configuration",
    required: ["kernel"],
  });
  // The table of checks names options.
  if (problem !== undefined)
    throw new FileProblem(path, "INVALID_ARGUMENT", problem.replace(/^option /, "field "));
  return found as PipelineConfig;
}
