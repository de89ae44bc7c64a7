// Runs searches in this version of Node, and fails if their archives are not those of all versions.

import { deepStrictEqual } from "node:assert/strict";
import { EXPECTED, hashesOfSearches } from "../../packages/search/scripts/searches.mjs";

for (const workers of [1, 2]) deepStrictEqual(await hashesOfSearches(workers), EXPECTED);
