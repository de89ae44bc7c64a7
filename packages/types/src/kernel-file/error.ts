// The error for kernel files.
import { MmPtxError } from "../core/error.js";

/**
 * FILE_FORMAT: the bytes are not a kernel file, or violate the format. FILE_TRUNCATED: they end early. FILE_CHECKSUM: they
 * were altered. INVALID_ARGUMENT: the value to write is not of the kind that a kernel file holds.
 */
export type KernelFileErrorCode = "FILE_CHECKSUM" | "FILE_FORMAT" | "FILE_TRUNCATED" | "INVALID_ARGUMENT";

export class KernelFileError extends MmPtxError<KernelFileErrorCode> {
  override readonly name: string = "KernelFileError";
  /** The byte of the file that is wrong; `undefined` for INVALID_ARGUMENT. */
  readonly offset: number | undefined;

  constructor(code: KernelFileErrorCode, message: string, offset?: number) {
    super(code, offset === undefined ? message : `${message} (byte ${offset})`);
    this.offset = offset;
  }
}
