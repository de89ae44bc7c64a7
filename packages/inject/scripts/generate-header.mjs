// Writes include/ptx_inject.h, the CUDA header with the default types.
import { writeFileSync } from "node:fs";
import { cudaHeader } from "../dist/index.js";

writeFileSync(new URL("../include/ptx_inject.h", import.meta.url), cudaHeader());
