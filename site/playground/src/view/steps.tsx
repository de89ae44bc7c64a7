// Steps through one thread: the instruction, and the registers that it read and wrote.
import { useState } from "preact/hooks";
import type { Dimensions } from "../model/state.js";
import type { Session, View } from "../session.js";
import { Triple } from "./triple.js";

export function Steps({ session, view }: { session: Session; view: View }) {
  const { traceResult, step, state, running } = view;
  const [block, setBlock] = useState<Dimensions>([0, 0, 0]);
  const [thread, setThread] = useState<Dimensions>([0, 0, 0]);
  const steps = traceResult?.steps ?? [];
  const current = steps[step];
  const go = (to: number) => session.show({ step: Math.min(Math.max(0, to), steps.length - 1) });
  return (
    <div class="steps">
      <div class="row">
        <Triple
          label="Block"
          value={block}
          least={0}
          most={state.launch.grid.map((n) => n - 1)}
          onChange={setBlock}
        />
        <Triple
          label="Thread"
          value={thread}
          least={0}
          most={state.launch.block.map((n) => n - 1)}
          onChange={setThread}
        />
        <button type="button" onClick={() => session.trace({ block, thread })} disabled={running}>
          Trace
        </button>
      </div>
      {steps.length > 0 && (
        <>
          <div class="row">
            <button
              type="button"
              aria-label="Previous step"
              disabled={step <= 0}
              onClick={() => go(step - 1)}
            >
              ◀
            </button>
            <input
              type="range"
              aria-label="Step"
              min={0}
              max={steps.length - 1}
              value={step}
              onInput={({ currentTarget }) => go(currentTarget.valueAsNumber)}
            />
            <button
              type="button"
              aria-label="Next step"
              disabled={step >= steps.length - 1}
              onClick={() => go(step + 1)}
            >
              ▶
            </button>
            <span>
              {step + 1} of {steps.length}
              {traceResult?.stepsCut ? " (the first ones)" : ""}
            </span>
          </div>
          {current && (
            <div class="step-now" role="status" aria-live="polite">
              <code>
                line {current.line}: {current.instruction}
              </code>
              <ul>
                {current.values.map(({ register, text, type }) => (
                  <li key={register}>
                    <code>{register}</code> <span>{`${type}`}</span> <b>{text}</b>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </div>
  );
}
