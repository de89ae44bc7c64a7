// Which lane a lane of `shfl` reads, by the mode (PTX ISA, shfl.sync).

/** Maps a lane, b, and the segment and its last lane to the lane that is read; -1 when it is out of range. */
export type Choose = (lane: number, b: number, segment: number, last: number) => number;

export const SHUFFLES: Readonly<Record<string, Choose>> = {
  up: (lane, b, _, last) => (lane - b >= last ? lane - b : -1),
  down: (lane, b, _, last) => (lane + b <= last ? lane + b : -1),
  bfly: (lane, b, _, last) => ((lane ^ b) <= last ? lane ^ b : -1),
  idx: (lane, b, segment, last) => {
    const from = (lane & segment) | (b & ~segment);
    return from <= last ? from : -1;
  },
};
