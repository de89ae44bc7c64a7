// The lists of programs of a kernel file, in the order in which their words are written.
import type { KernelFile } from "./value.js";

/** A kernel file whose lists of programs are something else: words in memory, numbers of instructions in the file. */
export type WithPrograms<List> = Omit<KernelFile, "ast" | "ptx" | "stack"> & {
  readonly stack?: PartWith<KernelFile["stack"], List>;
  readonly ast?: PartWith<KernelFile["ast"], List>;
};

type PartWith<Part, List> = Part extends { readonly jobs: readonly (infer Job)[] }
  ? Omit<Part, "jobs" | "routines"> & {
      readonly routines?: List;
      readonly jobs: readonly (Omit<Job, "programs"> & { readonly programs: List })[];
    }
  : never;

type AnyPart<List> = {
  readonly routines?: List;
  readonly jobs: readonly { readonly programs: List }[];
};

/** A copy in which each list of programs is mapped, in order: routines first, then those of the jobs; Stack PTX first. */
export function mapPrograms<From, To>(value: WithPrograms<From>, map: (list: From) => To): WithPrograms<To> {
  const mapPart = <Part extends AnyPart<From>>(part: Part) => {
    const routines = part.routines === undefined ? {} : { routines: map(part.routines) };
    return {
      ...part,
      ...routines,
      jobs: part.jobs.map((job) => ({ ...job, programs: map(job.programs) })),
    };
  };
  const { stack, ast, ...rest } = value;
  return {
    ...rest,
    ...(stack && { stack: mapPart(stack as AnyPart<From>) }),
    ...(ast && { ast: mapPart(ast as AnyPart<From>) }),
  } as unknown as WithPrograms<To>;
}
