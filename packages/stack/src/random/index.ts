export { Random } from "./generator.js";
export {
  type CrossoverOptions,
  crossover,
  deleteInstructions,
  insertInstructions,
  type PerturbationOptions,
  perturbConstants,
  replaceInstructions,
  swapInstructions,
} from "./mutate.js";
export { ProgramSampler, type ProgramSamplerOptions } from "./sampler.js";
export type { InstructionKind } from "./vocabulary.js";
