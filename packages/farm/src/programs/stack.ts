// Stack PTX as a language of programs.

import {
  DEFAULT_EXECUTION_LIMIT,
  DEFAULT_LIMITS,
  REFERENCE_LIMITS,
  StackCompiler,
  StackProgram,
  siteJob,
  stackFromKernelFile,
} from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import type { StackTable } from "@mm-ptx/types/core";
import { completeLimits } from "@mm-ptx/types/internal";
import { areModest, checkSteps, hasShortNames, type Language, partOf } from "./language.js";
import { Steps } from "./steps.js";

/** Results of a program, each of which may need a copy. */
const MOST_REQUESTS = 4096;

export const stack: Language<StackTable> = {
  name: "Stack PTX",
  table,
  owns: (program) => program instanceof StackProgram,
  fileOf(given, { types, executionLimit, ...options }, sites) {
    const jobs = sites.map(({ name, operands }) => {
      const { registers, requests } = siteJob(given, operands, types === undefined ? {} : { types });
      return {
        site: name,
        job: {
          registers: registers.map((each) => ({ name: each.name, stackIndex: each.stackIndex })),
          requests: Array.from(requests),
          ...(executionLimit !== undefined && { executionLimit }),
        },
        programs: [],
      };
    });
    return { stack: partOf(given, table, options, jobs) };
  },
  open(file, most) {
    const part = stackFromKernelFile(file, [table]);
    if (part === undefined) return undefined;
    const { limits, ...options } = part.options;
    const given = completeLimits(limits, DEFAULT_LIMITS, REFERENCE_LIMITS);
    const maxAstSize = Math.min(given.maxAstSize, most);
    const compiler = new StackCompiler(part.table, { ...options, limits: { ...given, maxAstSize } });
    const routines = (options.routines ?? []).map(({ words }) => words);
    const steps = Number.isFinite(most) ? new Steps(routines, given) : undefined;
    return new Map(
      part.jobs.map(({ site, job }) => {
        const { executionLimit = DEFAULT_EXECUTION_LIMIT } = job;
        return [
          site,
          (words) => {
            if (steps !== undefined) checkSteps(steps.of(words, executionLimit), most);
            return compiler.compile(StackProgram.fromWords(words), job);
          },
        ];
      }),
    );
  },
  isModest: ({ stack: { table, limits, jobs } = { table: "", jobs: [] } }) =>
    areModest(limits, DEFAULT_LIMITS) &&
    hasShortNames(table) &&
    jobs.every(
      ({ job }) =>
        (job.executionLimit ?? 0) <= DEFAULT_EXECUTION_LIMIT &&
        job.requests.length <= MOST_REQUESTS &&
        hasShortNames(job.registers),
    ),
};
