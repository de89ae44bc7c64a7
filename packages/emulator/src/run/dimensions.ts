// The sizes of grids and blocks, and places in them.

/** Numbers of blocks or threads in x, y and z. */
export type Dimensions = readonly [x: number, y: number, z: number];
