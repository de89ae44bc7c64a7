// The archives of whole searches: the same for any number of workers, and the same as before. `npm run node-versions` and `npm run packaging`
// compare them in other versions of Node and in a browser.
import { expect, it } from "vitest";
import { SOAK } from "../../../tests/support/counts.js";
import { EXPECTED, hashesOfSearches } from "../scripts/searches.mjs";

it.each(SOAK ? [1, 2, 4] : [1, 2])("archives are the same for %i workers", async (workers) => {
  expect(await hashesOfSearches(workers)).toEqual(EXPECTED);
});
