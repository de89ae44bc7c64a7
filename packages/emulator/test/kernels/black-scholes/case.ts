import { kernelCase, values } from "../../support/kernel-case.js";

const N = 200;
const spots = values(N, 17).map((value) => 20 + 10 * value);
const strikes = values(N, 18).map((value) => 20 + 12 * value);
const years = values(N, 19).map((value) => 2 + 1.5 * value);
const [rate, volatility] = [0.02, 0.3];

function normal(d: number): number {
  const k = 1 / (1 + 0.2316419 * Math.abs(d));
  const polynomial =
    k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const tail = 0.39894228 * Math.exp(-0.5 * d * d) * polynomial;
  return d > 0 ? 1 - tail : tail;
}

function price(i: number): [call: number, put: number] {
  const root = volatility * Math.sqrt(years[i]!);
  const d1 = (Math.log(spots[i]! / strikes[i]!) + (rate + 0.5 * volatility ** 2) * years[i]!) / root;
  const d2 = d1 - root;
  const discounted = strikes[i]! * Math.exp(-rate * years[i]!);
  return [
    spots[i]! * normal(d1) - discounted * normal(d2),
    discounted * (1 - normal(d2)) - spots[i]! * (1 - normal(d1)),
  ];
}

export default kernelCase({
  buffers: { spots, strikes, years, calls: new Float32Array(N), puts: new Float32Array(N) },
  launches: [
    {
      kernel: "price",
      grid: 4,
      block: 64,
      args: [
        ...["spots", "strikes", "years", "calls", "puts"].map((buffer) => ({ buffer })),
        { f32: rate },
        { f32: volatility },
        { s32: N },
      ],
    },
  ],
  expected: {
    calls: spots.map((_, i) => price(i)[0]),
    puts: spots.map((_, i) => price(i)[1]),
  },
  // The results are differences of numbers around 20.
  tolerance: { calls: 2e-3, puts: 2e-3 },
});
