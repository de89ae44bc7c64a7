// The codes, columns and loss of a call, read once.
import type { CodeBatch } from "@mm-ptx/types/code";
import type { LossData } from "../machine/machine.js";
import { type Codes, readCodes, takeCodes } from "./codes.js";
import { type Column, type Columns, readColumns, takeColumns } from "./columns.js";
import { type Loss, readLoss, takeLoss } from "./loss.js";

/** The data of a call. */
export interface BatchData extends Columns {
  readonly batch: Codes;
  readonly loss: LossData | undefined;
}

/** The options that describe the data. */
interface DataOptions {
  /** The number of rows, unless columns or the target of the loss determine it. */
  readonly rows?: number | undefined;
  readonly loss?: Loss | undefined;
}

export function readData(
  codes: CodeBatch,
  columns: readonly Column[],
  options: DataOptions & { readonly loss: Loss },
): BatchData & { readonly loss: LossData };
export function readData(codes: CodeBatch, columns: readonly Column[], options: DataOptions): BatchData;
/**
 * Reads what a call computes with. Getters of the caller run before anything is checked, so that they cannot change it afterwards.
 * @throws ColumnsError INVALID_ARGUMENT
 */
export function readData(
  codes: CodeBatch,
  columns: readonly Column[],
  { rows, loss }: DataOptions,
): BatchData {
  const given = takeCodes(codes);
  const list = takeColumns(columns);
  const taken = loss === undefined ? undefined : takeLoss(loss);
  const data = readColumns(list, rows ?? list[0]?.length ?? taken?.target.length);
  return { ...data, batch: readCodes(given), loss: taken && readLoss(taken, data.rows) };
}

/** Checks columns and a loss as `evaluateBatch` does when there are codes. @throws ColumnsError INVALID_ARGUMENT */
export function checkData(columns: readonly Column[], loss: Loss): void {
  const list = takeColumns(columns);
  const taken = takeLoss(loss);
  readLoss(taken, readColumns(list, list[0]?.length ?? taken.target?.length).rows);
}
