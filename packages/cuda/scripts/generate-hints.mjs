// Writes docs/hints.md.
import { writeFileSync } from "node:fs";
import { CAUSES } from "../dist/ptx/hints.js";
import { hintsDocument } from "./hints-document.mjs";

writeFileSync(new URL("../../../docs/hints.md", import.meta.url), hintsDocument(CAUSES));
