// The sections `.nv.info` and `.nv.info.NAME`: a kernel's requirements as a list of numbered attributes. NVIDIA
// documents the names that cuobjdump prints, but not the layout; this is what the compilers of CUDA 12 and 13 write.
//
//   offset  size  content
//        0     1  format: 1 no value, 2 one byte, 3 two bytes, 4 a length in the next two bytes
//        1     1  attribute
//        2     2  the value, or the number of bytes that follow

import { type Bytes, invalid } from "./bytes.js";

/** The attributes that are read here; EIATTR_… in cuobjdump. */
export const PARAM_CBANK = 0x0a;
export const MAX_THREADS = 0x05;
export const REQNTID = 0x10;
export const FRAME_SIZE = 0x11;
export const MIN_STACK_SIZE = 0x12;
export const KPARAM_INFO = 0x17;
export const REGCOUNT = 0x2f;
export const CTA_PER_CLUSTER = 0x3d;
export const MAX_CLUSTER_RANK = 0x3f;
/** Replaces KPARAM_INFO where parameters are large. */
export const KPARAM_INFO_V2 = 0x45;
export const NUM_BARRIERS = 0x4c;

export interface Attribute {
  readonly number: number;
  /** The value, if it has one or two bytes; otherwise 0. */
  readonly value: number;
  /** Empty if the value is a number. */
  readonly content: Bytes;
}

const NO_VALUE = 1;
const BYTE = 2;
const HALF = 3;
const SIZED = 4;

/** @throws CubinError `INVALID_CUBIN` */
export function readAttributes(section: Bytes): Attribute[] {
  const attributes: Attribute[] = [];
  for (let at = 0; at < section.length; ) {
    const format = section.u8(at);
    const number = section.u8(at + 1);
    const half = section.u16(at + 2);
    const size = format === SIZED ? half : 0;
    const content = section.part(at + 4, size, section.what);
    switch (format) {
      case NO_VALUE:
      case SIZED:
        attributes.push({ number, value: 0, content });
        break;
      case BYTE:
      case HALF:
        attributes.push({ number, value: format === BYTE ? half & 0xff : half, content });
        break;
      default:
        throw invalid("an attribute of format 1 to 4", `format ${format}`, section.start + at);
    }
    at += 4 + size;
  }
  return attributes;
}
