// The CUDA programs of tests/programs: what their first lines say, and how they are built.
//
// The first line is `// program: WORDS`, with these words:
//   tags=a,b         what the program is about
//   arch=80          the least compute capability that it needs, 75 if absent
//   flags=-a,-b      options of nvcc besides the usual ones
//   lockstep         its warps rely on running in step
//   refused=TEXT     the emulator refuses it, and the output contains this text
//   except=a,b       ways of running that do not apply, such as `fast-math` or a check that finds what is there
//   ci               it also runs outside of a soak
// Lines that start with `// prints: ` have to occur in the output, in this order.

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { listFiles } from "../../scripts/lib/workspace.mjs";
import { ROOT } from "./workspace.js";

const FOLDER = "tests/programs";
const KEYS = new Set(["tags", "arch", "flags", "refused", "except", "lockstep", "ci"]);

export interface CudaProgram {
  /** The path below tests/programs without its ending, such as `samples/vector-add`. */
  readonly name: string;
  readonly source: string;
  readonly tags: readonly string[];
  readonly arch: number;
  readonly flags: readonly string[];
  readonly refused: string | undefined;
  readonly except: readonly string[];
  readonly lockstep: boolean;
  readonly ci: boolean;
  readonly prints: readonly string[];
}

/** All programs. @throws if a first line is not as described above */
export function cudaPrograms(): readonly CudaProgram[] {
  return listFiles(ROOT, FOLDER, (file) => file.endsWith(".cu")).map(readProgram);
}

function readProgram(file: string): CudaProgram {
  const source = join(ROOT, file);
  const text = readFileSync(source, "utf8");
  const [first = ""] = text.split("\n", 1);
  const words = /^\/\/ program: (.+)$/.exec(first)?.[1]?.split(" ") ?? [];
  const values = new Map(words.map((word) => [word.split("=", 1)[0]!, word.slice(word.indexOf("=") + 1)]));
  const unknown = [...values.keys()].filter((key) => !KEYS.has(key));
  if (!values.has("tags") || unknown.length > 0) {
    throw new Error(`${file}: expected a first line \`// program: tags=…\`, found ${JSON.stringify(first)}`);
  }
  const list = (key: string): readonly string[] => values.get(key)?.split(",") ?? [];
  return {
    name: file.slice(FOLDER.length + 1, -".cu".length),
    source,
    tags: list("tags"),
    arch: Number(values.get("arch") ?? 75),
    flags: list("flags"),
    refused: values.get("refused"),
    except: list("except"),
    lockstep: values.has("lockstep"),
    ci: values.has("ci"),
    prints: [...text.matchAll(/^\/\/ prints: (.*)$/gm)].map((match) => match[1]!),
  };
}

/** Builds a program with the shared runtime. @throws with nvcc's output */
export async function buildProgram(
  { source, flags }: CudaProgram,
  out: string,
  options: readonly string[],
): Promise<void> {
  mkdirSync(dirname(out), { recursive: true });
  const usual = ["-std=c++17", "-cudart", "shared", "-lineinfo"];
  await promisify(execFile)("nvcc", [...usual, ...flags, ...options, "-o", out, source]);
}
