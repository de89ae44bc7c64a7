// Products of matrices, as a module that several models share.
export { affine, products, relu, sumRows } from "../src/model/dense.js";
