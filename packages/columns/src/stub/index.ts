// The entry `@mm-ptx/columns/stub`: straight-line code from handwritten PTX.
export type { SiteOperand } from "@mm-ptx/types/core";
export { parseStub } from "./parse.js";
