// AST PTX as a language of programs.

import {
  AstCompiler,
  AstProgram,
  astFromKernelFile,
  DEFAULT_LIMITS,
  REFERENCE_LIMITS,
  siteJob,
} from "@mm-ptx/ast";
import { table } from "@mm-ptx/ast/f32";
import type { AstTable } from "@mm-ptx/types/core";
import { completeLimits } from "@mm-ptx/types/internal";
import { FarmError } from "../error.js";
import { areModest, checkSteps, hasShortNames, type Language, partOf } from "./language.js";
import { type AnyProgram, WORDS } from "./programs.js";

/** Instructions of all programs. */
const sumOf = (programs: readonly AnyProgram[]): number =>
  programs.reduce((sum, { words }) => sum + words.length / WORDS, 0);

export const ast: Language<AstTable> = {
  name: "AST PTX",
  table,
  owns: (program) => program instanceof AstProgram,
  fileOf(given, { outputs = {}, ...options }, sites) {
    const unknown = Object.keys(outputs).find((site) => !sites.some(({ name }) => name === site));
    if (unknown !== undefined)
      throw new FarmError(
        "INVALID_ARGUMENT",
        `expected outputs of sites of the kernel, found one of \`${unknown}\``,
      );
    const jobs = sites.map(({ name, operands }) => {
      const output = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
      return {
        site: name,
        job: siteJob(given, operands, output === undefined ? {} : { output }),
        programs: [],
      };
    });
    return { ast: partOf(given, table, options, jobs) };
  },
  open(file, most) {
    const part = astFromKernelFile(file, [table]);
    if (part === undefined) return undefined;
    const { limits, ...options } = part.options;
    const given = completeLimits(limits, DEFAULT_LIMITS, REFERENCE_LIMITS);
    // Runs of routines after the first are limited by the compiler.
    const once = sumOf(options.routines ?? []);
    const maxInlined = Math.min(given.maxInlined, most);
    const compiler = new AstCompiler(part.table, { ...options, limits: { ...given, maxInlined } });
    return new Map(
      part.jobs.map(({ site, job }) => [
        site,
        (words) => {
          checkSteps(once + words.length / WORDS, most);
          return compiler.compile(AstProgram.fromWords(words), job);
        },
      ]),
    );
  },
  isModest: ({ ast: { table, limits, jobs } = { table: "", jobs: [] } }) =>
    areModest(limits, DEFAULT_LIMITS) &&
    hasShortNames(table) &&
    jobs.every(({ job }) => hasShortNames([job.inputs, job.output])),
};
