// `mm-ptx-search export`: an elite or an equation of a run as a text for other programs.
import { writeProgramFile } from "@mm-ptx/stack";
import { quoted } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { type ExportFormat, exportGenome } from "../export/export.js";
import { loadRun } from "../node/open.js";
import { pickEquation } from "../regress/pick.js";
import type { Regression } from "../regress/regression.js";
import type { Search } from "../search/search.js";
import type { Genome, ProgramSpace, Space } from "../spaces/space.js";
import type { StackSpace } from "../spaces/stack.js";
import { eliteOf } from "./elite.js";
import { type Outcome, ofFile, UsageError, writeWhole } from "./framework.js";
import { readSite } from "./kernel-site.js";
import { newerNotice, noticeText } from "./notices.js";
import { siteStub } from "./site-stub.js";
import { subjectOfRun } from "./subject.js";

export interface ExportFlags {
  /** `programs` is for all elites. */
  readonly as: ExportFormat | "programs";
  readonly cell?: readonly string[];
  readonly complexity?: number;
  readonly kernel?: string;
  readonly site?: string;
  readonly name?: string;
  readonly target?: string;
  readonly out?: string;
  readonly config?: string;
}

/** A genome and its space. */
interface Chosen {
  readonly space: ProgramSpace;
  readonly genome: Genome;
  /** What the table of equations says of it. */
  readonly facts?: Readonly<Record<string, number>>;
}

/** @throws UsageError, FileError, FileProblem, SearchError */
export async function exportElite(folder: string, flags: ExportFlags): Promise<Outcome> {
  checkFlags(flags);
  const { search, regression, renamings = [] } = await subjectOfRun(folder, 1, flags);
  const notices = [...newerNotice(folder, await loadRun(folder, search)), ...renamings];
  const { as, out } = flags;
  if (as === "programs") return exportPrograms(search, out);
  const chosen =
    regression !== undefined && flags.cell === undefined
      ? await equationOf(regression, flags.complexity)
      : chosenElite(search, flags);
  const text = await textOf(chosen, as, flags);
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  if (out !== undefined) writeWhole(out, Buffer.from(whole));
  return {
    ok: true,
    json: () => ({ ok: true, as, text: whole, ...(out !== undefined && { out }) }),
    complaints: (colors) => noticeText(notices, colors),
    text: () => (out === undefined ? whole : ""),
  };
}

/** A program file with all elites of a stack space, in the order of the archive. */
function exportPrograms({ archive, space }: Search, out: string | undefined): Outcome {
  if (space.kind !== "stack")
    throw new SearchError(
      "UNSUPPORTED",
      `expected a stack space for \`--as programs\`, found one of kind ${quoted(space.kind)}`,
    );
  const stack = space as StackSpace;
  const { table, job, library } = stack;
  const genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  const elites = Array.from({ length: archive.count }, (_, elite) => {
    archive.genome(elite, genome);
    return stack.program(genome);
  });
  const header = { registers: job.registers, requests: Array.from(job.requests), routines: library.routines };
  const bytes = Buffer.concat([...writeProgramFile(table, header, elites)]);
  if (out !== undefined) writeWhole(out, bytes);
  return {
    ok: true,
    json: () => ({ ok: true, as: "programs", programs: elites.length, ...(out !== undefined && { out }) }),
    text: () => (out === undefined ? bytes : ""),
  };
}

function checkFlags({ as, cell, complexity, kernel, site }: ExportFlags): void {
  if (as === "programs" && (cell !== undefined || complexity !== undefined))
    throw new UsageError(
      "expected neither `--cell` nor `--complexity` with `--as programs`, which has all elites",
    );
  if (cell !== undefined && complexity !== undefined)
    throw new UsageError("expected one of `--cell` and `--complexity`, found both");
  if (kernel !== undefined && as !== "stub" && as !== "ptx")
    throw new UsageError(`expected \`--as stub\` or \`--as ptx\` with \`--kernel\`, found ${quoted(as)}`);
  if (site !== undefined && kernel === undefined)
    throw new UsageError("expected `--kernel` with `--site`, found none");
}

/** The equation of a complexity, or the one to pick. */
async function equationOf(regression: Regression, complexity: number | undefined): Promise<Chosen> {
  const equations = await regression.front();
  const equation =
    equations.find((each) => each.complexity === complexity) ??
    (complexity === undefined ? equations[pickEquation(equations)] : undefined);
  if (equation === undefined) {
    const known = equations.map((each) => each.complexity).join(", ");
    throw new SearchError(
      "NOT_FOUND",
      known === ""
        ? "expected an equation in the last snapshot of the run, found none"
        : `expected the complexity of an equation (${known}), found ${complexity}`,
    );
  }
  const { formulaSpace: space } = regression;
  const words = space.parse(equation.formula);
  const { loss, heldOut } = equation;
  const facts = { complexity: equation.complexity, loss, ...(heldOut !== undefined && { heldOut }) };
  return { space, genome: { words, start: 0, end: words.length }, facts };
}

function chosenElite(search: Search, { cell, complexity, as }: ExportFlags): Chosen {
  if (complexity !== undefined)
    throw new UsageError("expected `--complexity` for a run of `regress`, found another run");
  const genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  search.archive.genome(eliteOf(search, cell), genome);
  const { space } = search;
  if (!isProgramSpace(space) && as !== "text")
    throw new SearchError(
      "UNSUPPORTED",
      `expected a space of programs for \`--as ${as}\`, found one of kind ${quoted(space.kind)}`,
    );
  return { space: space as ProgramSpace, genome };
}

const isProgramSpace = (space: Space): space is ProgramSpace => "compile" in space && "stub" in space;

async function textOf(
  { space, genome, facts }: Chosen,
  as: ExportFormat,
  flags: ExportFlags,
): Promise<string> {
  const { kernel, site, name, target } = flags;
  if (!isProgramSpace(space)) return (space as Space).text(genome);
  if (kernel === undefined)
    return exportGenome(space, genome, as, {
      ...(name !== undefined && { name }),
      ...(target !== undefined && { target }),
      ...(facts && { facts }),
    });
  const { kernel: annotated, site: injection } = await readSite(kernel, site);
  return ofFile(kernel, () => {
    const stub = siteStub(space, genome, injection.operands);
    return as === "stub" ? stub : annotated.render({ [injection.name]: stub });
  });
}
