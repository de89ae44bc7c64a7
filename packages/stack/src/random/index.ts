// The entry `@mm-ptx/stack/random`: drawing programs at random, and varying them.
export { Random, type RandomSource } from "./generator.js";
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
export type { NumberSource, ProgramSamplerOptions } from "./options.js";
export { ProgramSampler } from "./sampler.js";
export type { InstructionKind } from "./vocabulary.js";
