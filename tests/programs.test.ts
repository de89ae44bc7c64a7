// Complete CUDA programs, unchanged: nvcc builds them, `mm-ptx-emulate run` runs them, and each compares its results with
// its own CPU code. Outside of a soak, the programs marked `ci` run, built once.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ProgramFolder } from "./support/command-line.js";
import { SOAK } from "./support/counts.js";
import { HAS_NVCC } from "./support/nvcc.js";
import { buildProgram, type CudaProgram, cudaPrograms } from "./support/programs.js";
import { ROOT } from "./support/workspace.js";

const PROGRAMS = cudaPrograms();

/** A way of building: options of nvcc, and each list of options that `mm-ptx-emulate run` gets. */
interface Way {
  readonly arch: number;
  readonly nvcc?: readonly string[];
  readonly runs: Readonly<Record<string, readonly string[]>>;
}

const CHECKS = ["memory", "races", "uninitialized", "sync", "leaks"];
const PLAIN = { plain: [] };

const WAYS: Readonly<Record<string, Way>> = SOAK
  ? {
      "sm-75": { arch: 75, runs: PLAIN },
      "sm-90": {
        arch: 90,
        runs: {
          webassembly: ["--engine", "auto"],
          interpreter: ["--engine", "interpreter"],
          workers: ["--workers", "2"],
          ...Object.fromEntries(CHECKS.map((check) => [check, ["--check", check]])),
        },
      },
      "sm-120": { arch: 120, runs: { plain: ["--capability", "12.0"] } },
      debug: { arch: 90, nvcc: ["-G", "-O0"], runs: PLAIN },
      "fast-math": { arch: 90, nvcc: ["--use_fast_math"], runs: PLAIN },
    }
  : { "sm-90": { arch: 90, runs: PLAIN } };

const scratch = mkdtempSync(join(tmpdir(), "mm-ptx-programs-"));
const command = new ProgramFolder("packages/emulator/dist/cli/main.js");
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
  command.remove();
});

async function runsRight(
  program: CudaProgram,
  executable: string,
  options: readonly string[],
): Promise<void> {
  const lockstep = program.lockstep ? ["--lockstep"] : [];
  const { code, stdout, stderr } = await command.runAlone(["run", ...options, ...lockstep, executable]);
  const output = `${stdout}${stderr}`;
  if (program.refused !== undefined) {
    expect(output).toContain(program.refused);
    return;
  }
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/^PASS$/m) });
  let from = 0;
  for (const line of program.prints) {
    const at = stdout.indexOf(`${line}\n`, from);
    expect({ line, stdout, found: at >= 0 }).toMatchObject({ found: true });
    from = at + line.length;
  }
}

/** Set-up leaves out the CUDA runtime of the emulator where there is no C++ compiler. */
const HAS_RUNTIME = existsSync(
  join(ROOT, `packages/emulator/npm/${process.platform}-${process.arch}/libcudart.so.13`),
);

describe.skipIf(!HAS_NVCC || !HAS_RUNTIME)(
  "CUDA programs (need nvcc and the emulator's CUDA runtime)",
  () => {
    describe.each(Object.entries(WAYS))("%s", (way, { arch, nvcc = [], runs }) => {
      const chosen = PROGRAMS.filter((program) => {
        return (SOAK || program.ci) && program.arch <= arch && !program.except.includes(way);
      });
      it.each(chosen.map((program) => [program.name, program] as const))("%s", async (name, program) => {
        const executable = join(scratch, way, name);
        await buildProgram(program, executable, [`-arch=sm_${arch}`, ...nvcc]);
        for (const [run, options] of Object.entries(runs)) {
          if (!program.except.includes(run)) await runsRight(program, executable, options);
        }
      });
    });
  },
);

it("a tenth of the programs or more run outside of soaks", () => {
  expect(PROGRAMS.filter(({ ci }) => ci).length).toBeGreaterThanOrEqual(Math.floor(PROGRAMS.length / 10));
});
