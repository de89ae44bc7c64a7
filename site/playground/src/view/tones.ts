// The colors of pictures: from dark blue to light yellow, even in lightness, so that they can be read in grayscale.
const STOPS = [
  [26, 22, 66],
  [45, 60, 130],
  [35, 110, 150],
  [40, 155, 140],
  [110, 195, 105],
  [205, 220, 70],
  [255, 245, 180],
] as const;

/** The color for a share from 0 to 1; gray for what is not a number. */
export function toneOf(share: number): readonly [number, number, number] {
  if (Number.isNaN(share)) return [128, 128, 128];
  const at = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const low = STOPS[Math.floor(at)] ?? STOPS[0];
  const high = STOPS[Math.ceil(at)] ?? low;
  const part = at - Math.floor(at);
  const mix = (a: number, b: number) => Math.round(a + (b - a) * part);
  return [mix(low[0], high[0]), mix(low[1], high[1]), mix(low[2], high[2])];
}
