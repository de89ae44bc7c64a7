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

const LANES = 32;

/** For each lane of a warp, the lane that it reads when b and c are the same for all of them; -1 when that is out of range. */
export function sourceLanes(choose: Choose, b: number, c: number): readonly number[] {
  const segment = (c >>> 8) & 31;
  return Array.from({ length: LANES }, (_, lane) =>
    choose(lane, b, segment, (lane & segment) | (c & 31 & ~segment)),
  );
}
