// Products of matrices and the scaling of rows, as a module that several models share.
export { scale } from "./scaling";
export { multiply, relu } from "../src/model/dense.js";
