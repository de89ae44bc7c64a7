// What the module of linear models is instantiated with: sizes, and the parts of `LinearPlaces`, in its order.

// @ts-ignore: decorator
@external("places", "0")
export declare const columns: usize;
// @ts-ignore: decorator
@external("places", "1")
export declare const features: usize;
// @ts-ignore: decorator
@external("places", "2")
export declare const statistics: usize;
// @ts-ignore: decorator
@external("places", "3")
export declare const height: usize;
// @ts-ignore: decorator
@external("places", "4")
export declare const projection: usize;
// @ts-ignore: decorator
@external("places", "5")
export declare const offsets: usize;
// @ts-ignore: decorator
@external("places", "6")
export declare const factor: usize;
// @ts-ignore: decorator
@external("places", "7")
export declare const input: usize;
// @ts-ignore: decorator
@external("places", "8")
export declare const vector: usize;
// @ts-ignore: decorator
@external("places", "9")
export declare const batch: usize;
// @ts-ignore: decorator
@external("places", "10")
export declare const labels: usize;
// @ts-ignore: decorator
@external("places", "11")
export declare const batchFeatures: usize;
// @ts-ignore: decorator
@external("places", "12")
export declare const sums: usize;
// @ts-ignore: decorator
@external("places", "13")
export declare const weights: usize;
// @ts-ignore: decorator
@external("places", "14")
export declare const block: usize;
// @ts-ignore: decorator
@external("places", "15")
export declare const blockFeatures: usize;
// @ts-ignore: decorator
@external("places", "16")
export declare const means: usize;
// @ts-ignore: decorator
@external("places", "17")
export declare const spreads: usize;
