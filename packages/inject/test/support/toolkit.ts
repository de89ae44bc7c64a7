// nvcc and ptxas as functions, in a folder that is removed after the tests of a file.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";

const INCLUDE = fileURLToPath(new URL("../../include", import.meta.url));

/** What a tool printed and wrote. */
export interface Run {
  readonly status: number | null;
  readonly log: string;
  readonly output: Buffer;
}

/** The tools for the tests of the file that calls this. */
export function toolkit() {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "ptx-inject-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (command: string, file: string, text: string, options: readonly string[]): Run => {
    const output = join(folder, "output");
    writeFileSync(join(folder, file), text);
    writeFileSync(output, "");
    const { status, stdout, stderr } = spawnSync(command, [...options, file, "-o", output], {
      cwd: folder,
      encoding: "utf8",
    });
    return { status, log: stdout + stderr, output: readFileSync(output) };
  };
  /** Runs a tool and expects success. */
  const output = ({ status, log, output: bytes }: Run): Buffer => {
    if (status !== 0) throw new Error(log);
    return bytes;
  };
  const nvcc = (source: string, ...options: readonly string[]): Run =>
    run("nvcc", "source.cu", source, ["-arch=compute_80", "-ptx", "-I", INCLUDE, ...options]);
  return {
    nvcc,
    /** The PTX of a source. */
    ptx: (source: string, ...options: readonly string[]): string =>
      output(nvcc(source, ...options)).toString("latin1"),
    /** The cubin of a PTX text. */
    cubin: (ptx: string): Buffer => output(run("ptxas", "source.ptx", ptx, ["-arch=sm_80"])),
  };
}
