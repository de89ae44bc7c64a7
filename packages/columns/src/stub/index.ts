// The entry `@mm-ptx/columns/stub`: straight-line code from PTX that was written by hand.
export type { SiteOperand } from "@mm-ptx/types/core";
export { parseStub } from "./parse.js";
