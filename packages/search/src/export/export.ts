// Genomes as texts for other programs.
import { isObject, isText } from "@mm-ptx/types/internal";
import { invalid, readOptions } from "../options.js";
import type { Genome, ProgramSpace } from "../spaces/space.js";
import { exportC } from "./c.js";
import { exportCuda } from "./cuda.js";
import { formulasOf } from "./formulas.js";
import { exportJson } from "./json.js";
import { exportLatex } from "./latex.js";
import { checkFunctionName } from "./names.js";
import { programOf } from "./program.js";
import { exportPtx } from "./ptx.js";

/**
 * What a genome can be exported as. `text`: as the space writes it. `stub`: PTX for an injection site with the registers of the space.
 * `ptx`: a module with a kernel that applies the program to columns, one thread a row. `cuda`: a `__device__` function. `c`: a function
 * of C99. `latex`: a formula for math mode. `json`: the program as data, for other tools.
 */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The formats of `exportGenome`. */
export const EXPORT_FORMATS = ["text", "stub", "ptx", "cuda", "c", "latex", "json"] as const;

/** Options of `exportGenome`. */
export interface ExportOptions {
  /** The name of the function or kernel, an identifier that C and CUDA do not use themselves; `program` by default. */
  readonly name?: string;
  /** The version of PTX of `ptx`, such as `7.8`, which is the default. */
  readonly version?: string;
  /** The architecture of `ptx`; `sm_80` by default. */
  readonly target?: string;
  /** What else `json` says of the program, such as its loss; it takes precedence over members of the same name. */
  readonly facts?: Readonly<Record<string, number | string>>;
}

/**
 * A genome as text in one of the formats. Exports of exact instructions compute the same bits as PTX, apart from the bits of NaN. The
 * arguments of functions and kernels are called `in_` and `out_` with the name of the register, so that no name of a language is among them.
 * @throws SearchError INVALID_ARGUMENT for a genome that is not of the space, or wrong options; UNSUPPORTED for instructions that C has
 * nothing for, and for types that arguments can't have
 */
export function exportGenome(
  space: ProgramSpace,
  genome: Genome,
  as: ExportFormat,
  options: ExportOptions = {},
): string {
  const {
    name = "program",
    version,
    target,
    facts = {},
  } = readOptions<ExportOptions>(options, {
    name: isText,
    version: isText,
    target: isText,
    facts: isObject,
  });
  if (!EXPORT_FORMATS.includes(as)) throw invalid(`one of ${EXPORT_FORMATS.join(", ")}`, as);
  if (!/^[A-Za-z_]\w*$/.test(name)) throw invalid("an identifier as the name", name);
  if (version !== undefined && !/^\d+\.\d+$/.test(version))
    throw invalid("a version of PTX such as `7.8`", version);
  if (target !== undefined && !/^sm_\d{2,3}[af]?$/.test(target))
    throw invalid("an architecture such as `sm_80`", target);
  if (as === "c" || as === "cuda") checkFunctionName(name);
  space.check(genome);
  const comment = (): string =>
    `${name}: ${space
      .text(genome)
      .trim()
      .replaceAll(/\s*\n\s*/g, "; ")}`;
  switch (as) {
    case "text":
      return space.text(genome);
    case "stub":
      return space.stub(genome);
    case "ptx":
      return exportPtx(space, genome, name, comment(), { version, target });
    case "cuda":
      return exportCuda(space, genome, name, comment());
    case "c":
      return exportC(programOf(space, genome), name, comment());
    case "latex":
      return exportLatex(
        space.formula === undefined
          ? formulasOf(programOf(space, genome))
          : [{ name, formula: space.formula(genome) }],
      );
    case "json":
      return exportJson(space, genome, programOf(space, genome), { name, ...facts });
  }
}
