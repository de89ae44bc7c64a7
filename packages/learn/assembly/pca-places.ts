// What the module of principal components is instantiated with: sizes, and the parts of `PcaPlaces`, in its order.

// @ts-ignore: decorator
@external("places", "0")
export declare const columns: usize;
// @ts-ignore: decorator
@external("places", "1")
export declare const components: usize;
// @ts-ignore: decorator
@external("places", "2")
export declare const stride: usize;
// @ts-ignore: decorator
@external("places", "3")
export declare const block: usize;
// @ts-ignore: decorator
@external("places", "4")
export declare const blockSums: usize;
// @ts-ignore: decorator
@external("places", "5")
export declare const blockProducts: usize;
// @ts-ignore: decorator
@external("places", "6")
export declare const one: usize;
// @ts-ignore: decorator
@external("places", "7")
export declare const shift: usize;
// @ts-ignore: decorator
@external("places", "8")
export declare const sums: usize;
// @ts-ignore: decorator
@external("places", "9")
export declare const products: usize;
// @ts-ignore: decorator
@external("places", "10")
export declare const means: usize;
// @ts-ignore: decorator
@external("places", "11")
export declare const covariance: usize;
// @ts-ignore: decorator
@external("places", "12")
export declare const basis: usize;
// @ts-ignore: decorator
@external("places", "13")
export declare const variances: usize;
// @ts-ignore: decorator
@external("places", "14")
export declare const images: usize;
// @ts-ignore: decorator
@external("places", "15")
export declare const small: usize;
// @ts-ignore: decorator
@external("places", "16")
export declare const vectors: usize;
