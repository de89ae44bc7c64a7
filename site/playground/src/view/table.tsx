// The values of buffers, a page at a time, and all of them as CSV.
import { useEffect, useMemo, useState } from "preact/hooks";
import { resultsCsv, shortNumber } from "../model/results.js";
import type { ShownBuffer } from "../model/run.js";

const ROWS = 12;

export function Table({ buffers }: { buffers: readonly ShownBuffer[] }) {
  const [page, setPage] = useState(0);
  const length = Math.max(0, ...buffers.map(({ values }) => values.length));
  const pages = Math.max(1, Math.ceil(length / ROWS));
  const current = Math.min(page, pages - 1);
  const link = useMemo(
    () => URL.createObjectURL(new Blob([resultsCsv(buffers)], { type: "text/csv" })),
    [buffers],
  );
  useEffect(() => () => URL.revokeObjectURL(link), [link]);
  if (buffers.length === 0) return <p class="hint">No buffer is shown. Choose one among the data.</p>;
  return (
    <div class="values">
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">index</th>
              {buffers.map(({ name, type }) => (
                <th key={name} scope="col">
                  {name} <small>{type}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: Math.min(ROWS, length - current * ROWS) }, (_, i) => {
              const index = current * ROWS + i;
              return (
                <tr key={index}>
                  <th scope="row">{index}</th>
                  {buffers.map(({ name, values }) => (
                    <td key={name}>{values[index] === undefined ? "" : shortNumber(values[index])}</td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <div class="pages">
        <button type="button" disabled={current === 0} onClick={() => setPage(current - 1)}>
          Back
        </button>
        <span>
          page {current + 1} of {pages}
        </span>
        <button type="button" disabled={current === pages - 1} onClick={() => setPage(current + 1)}>
          Next
        </button>
        <a href={link} download="results.csv">
          CSV
        </a>
      </div>
    </div>
  );
}
