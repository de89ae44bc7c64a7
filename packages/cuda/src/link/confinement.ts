// Whether nvJitLink works in a confined process on this machine, which only a link can tell.

import { ask, packed } from "../toolkit/helper.js";

const KERNEL = ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry probe()\n{\n\tret;\n}\n";
const MEMORY_LIMIT = 2 ** 32;

const problems = new Map<string, Promise<string | undefined>>();

/** Why it does not, if so; links a kernel the first time. Never rejects. */
export function linkConfinementProblem(worker: string, library: string): Promise<string | undefined> {
  const key = `${worker}\n${library}`;
  let problem = problems.get(key);
  if (problem === undefined) {
    problem = new Promise((resolve) => {
      const limits = { memoryLimitBytes: MEMORY_LIMIT, confine: "required" } as const;
      const request = packed([["nvjitlink link", library], ["-arch=sm_75"], ["2"], ["probe"], [KERNEL]]);
      ask(worker, request, limits, (answer) => {
        if (answer instanceof Error) resolve(answer.message);
        else resolve("died" in answer ? `a confined process ${answer.died}` : undefined);
      });
    });
    problems.set(key, problem);
  }
  return problem;
}
