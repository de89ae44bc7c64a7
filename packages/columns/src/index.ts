// Straight-line code on columns of data.
export { type CodePlace, ColumnsError, type ColumnsErrorCode } from "./error.js";
