// Products of matrices and the scaling of rows, as a module that several models share.
export { scale } from "./scaling";
export { affine, products, relu, sumRows } from "../src/model/dense.js";
