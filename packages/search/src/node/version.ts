// The version of this package.
import { readFileSync } from "node:fs";

const MANIFEST = new URL("../../package.json", import.meta.url);

export const VERSION: string = JSON.parse(readFileSync(MANIFEST, "utf8")).version;
