// Writes docs/hints.md, and the table of options that change machine code into the README.
import { readFileSync, writeFileSync } from "node:fs";
import { CODE_FLAGS } from "../dist/cli/code-flags.js";
import { CODE_OPTIONS } from "../dist/ptx/code-options.js";
import { CAUSES } from "../dist/ptx/hints.js";
import { codeOptionsTable, withCodeOptions } from "./code-options-table.mjs";
import { hintsDocument } from "./hints-document.mjs";

writeFileSync(new URL("../../../docs/hints.md", import.meta.url), hintsDocument(CAUSES));

const readme = new URL("../README.md", import.meta.url);
const table = codeOptionsTable(CODE_OPTIONS, CODE_FLAGS);
writeFileSync(readme, withCodeOptions(readFileSync(readme, "utf8"), table));
