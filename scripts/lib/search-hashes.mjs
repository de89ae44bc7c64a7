// Runs searches in this version of Node, and fails if their archives are not those of all versions.

import { deepStrictEqual } from "node:assert/strict";
import { EXPECTED, hashesOfSearches } from "../../packages/search/scripts/searches.mjs";

const WORKERS = process.env.MM_PTX_SOAK === "1" ? [1, 2] : [2];
for (const workers of WORKERS) deepStrictEqual(await hashesOfSearches(workers), EXPECTED);
