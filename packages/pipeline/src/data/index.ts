// The entry `@mm-ptx/pipeline/data`: arrays from files.
export { type CsvOptions, csv } from "./csv.js";
export type { FilePath } from "./file-path.js";
export { npy } from "./npy.js";
export { raw } from "./raw.js";
