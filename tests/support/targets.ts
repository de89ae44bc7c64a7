// The architectures that kernels of the corpus are compiled for.
import { runSeed } from "../../packages/stack/test/support/random.js";
import { SOAK } from "./counts.js";

const GENERATIONS = ["sm_80", "sm_90", "sm_120"];

/** Three generations of GPUs, or one of them, which changes from run to run. */
export const TARGETS = SOAK ? GENERATIONS : [GENERATIONS[runSeed() % GENERATIONS.length]!];
