// A buffer as a picture: pixels on a canvas, or cells with numbers if they are few.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { numbersOf, rangeOf, shortNumber } from "../model/results.js";
import type { ShownBuffer } from "../model/run.js";
import { toneOf } from "./tones.js";

/** The most columns of a picture whose cells have room for their numbers. */
const MOST_CELLS = 12;

export function Image({ buffer, width }: { buffer: ShownBuffer; width: number }) {
  const { name, type } = buffer;
  const values = useMemo(() => numbersOf(buffer.values), [buffer]);
  const rows = Math.max(1, Math.ceil(values.length / width));
  const { low, high } = rangeOf(values);
  return (
    <figure class="image">
      {width <= MOST_CELLS && rows <= 32 ? (
        <Cells values={values} width={width} rows={rows} low={low} high={high} />
      ) : (
        <Pixels values={values} width={width} rows={rows} low={low} high={high} name={name} />
      )}
      <figcaption>
        <code>{name}</code> {type}, {rows} × {width} <span class="scale" aria-hidden="true" />
        <span>
          {shortNumber(low)} to {shortNumber(high)}
        </span>
      </figcaption>
    </figure>
  );
}

interface Grid {
  readonly values: ArrayLike<number>;
  readonly width: number;
  readonly rows: number;
  readonly low: number;
  readonly high: number;
}

const share = (value: number, { low, high }: Pick<Grid, "low" | "high">) =>
  high > low ? (value - low) / (high - low) : 0.5;

function Pixels({ name, ...grid }: Grid & { name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { values, width, rows } = grid;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const image = context.createImageData(width, rows);
    for (let i = 0; i < values.length && i < width * rows; i++) {
      const [red, green, blue] = toneOf(share(values[i] ?? 0, grid));
      image.data.set([red, green, blue, 255], 4 * i);
    }
    context.putImageData(image, 0, 0);
  }, [values, width, rows]);
  return (
    <canvas
      ref={canvas}
      width={width}
      height={rows}
      role="img"
      aria-label={`Picture of ${name}, ${rows} rows of ${width}; the table has the values`}
    />
  );
}

function Cells({ values, width, rows, ...range }: Grid) {
  return (
    <div class="scroll">
      <table class="cells">
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            <tr key={row}>
              {Array.from({ length: width }, (_, column) => {
                const value = values[row * width + column];
                if (value === undefined) return <td key={column} />;
                const tone = toneOf(share(value, range));
                const [red, green, blue] = tone;
                const ink = red * 0.3 + green * 0.59 + blue * 0.11 > 140 ? "#111" : "#fff";
                return (
                  <td key={column} style={{ background: `rgb(${tone.join()})`, color: ink }}>
                    {shortNumber(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
