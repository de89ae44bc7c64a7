// What the module of trees is instantiated with: sizes, and the parts of `TreesPlaces`, in its order.

// @ts-ignore: decorator
@external("places", "0")
export declare const columns: usize;
// @ts-ignore: decorator
@external("places", "1")
export declare const trees: usize;
// @ts-ignore: decorator
@external("places", "2")
export declare const depth: usize;
// @ts-ignore: decorator
@external("places", "3")
export declare const bins: usize;
/** The nodes of a tree: as many as it has levels if these share their splits. */
// @ts-ignore: decorator
@external("places", "4")
export declare const nodesPerTree: usize;
// @ts-ignore: decorator
@external("places", "5")
export declare const isOblivious: bool;
/** Whether each tree learns its splits from half of the rows. */
// @ts-ignore: decorator
@external("places", "6")
export declare const isHalf: bool;
/** The bytes of a leaf's histogram. */
// @ts-ignore: decorator
@external("places", "7")
export declare const size: usize;
// @ts-ignore: decorator
@external("places", "8")
export declare const keys: usize;
// @ts-ignore: decorator
@external("places", "9")
export declare const otherKeys: usize;
// @ts-ignore: decorator
@external("places", "10")
export declare const digits: usize;
// @ts-ignore: decorator
@external("places", "11")
export declare const binned: usize;
// @ts-ignore: decorator
@external("places", "12")
export declare const edges: usize;
// @ts-ignore: decorator
@external("places", "13")
export declare const edgeCounts: usize;
// @ts-ignore: decorator
@external("places", "14")
export declare const residuals: usize;
// @ts-ignore: decorator
@external("places", "15")
export declare const entries: usize;
// @ts-ignore: decorator
@external("places", "16")
export declare const order: usize;
// @ts-ignore: decorator
@external("places", "17")
export declare const otherOrder: usize;
// @ts-ignore: decorator
@external("places", "18")
export declare const segments: usize;
// @ts-ignore: decorator
@external("places", "19")
export declare const divisions: usize;
// @ts-ignore: decorator
@external("places", "20")
export declare const histograms: usize;
// @ts-ignore: decorator
@external("places", "21")
export declare const slots: usize;
// @ts-ignore: decorator
@external("places", "22")
export declare const totals: usize;
// @ts-ignore: decorator
@external("places", "23")
export declare const gains: usize;
// @ts-ignore: decorator
@external("places", "24")
export declare const reciprocals: usize;
// @ts-ignore: decorator
@external("places", "25")
export declare const nodes: usize;
// @ts-ignore: decorator
@external("places", "26")
export declare const splitColumns: usize;
// @ts-ignore: decorator
@external("places", "27")
export declare const thresholds: usize;
// @ts-ignore: decorator
@external("places", "28")
export declare const leaves: usize;
// @ts-ignore: decorator
@external("places", "30")
export declare const block: usize;
// @ts-ignore: decorator
@external("places", "31")
export declare const turned: usize;
// @ts-ignore: decorator
@external("places", "32")
export declare const masks: usize;
// @ts-ignore: decorator
@external("places", "33")
export declare const sums: usize;
// @ts-ignore: decorator
@external("places", "34")
export declare const planes: usize;
