// Uniform mutation by addition and deletion (Helmuth, McPhee and Spector, "Program synthesis using uniform mutation by addition and
// deletion", GECCO 2018), on trees: each node may get an operator above it, and each operator may be replaced by one of its operands.
import { AstWord } from "../../spaces/ast-layout.js";
import { lengthOf } from "./draft.js";
import type { AstChange } from "./operator.js";

/** The probability of an addition at each node, times 2^16. Deletions are as likely, so that sizes stay the same on average. */
const RATE = 0.09 * 0x10000;

let starts = new Int32Array(64);

export const umad: AstChange = ({ draft, sampler, symbols, maxLength }, parent, _other, draws) => {
  const length = lengthOf(parent);
  const { words, start } = parent;
  const { room } = draft;
  if (starts.length <= maxLength) starts = new Int32Array(maxLength + 1);
  let changes = 0;
  let depth = 0;
  let end = draft.end;
  for (let node = 0; node < length; node++) {
    const at = start + AstWord.perInstruction * node;
    const head = words[at]!;
    const arity = head >>> AstWord.arityShift;
    const chance = draws.word();
    const isChanged = (chance & 0xffff) < RATE;
    if (arity === 0) {
      starts[depth++] = end;
      if (isChanged) {
        sampler.writeLeaf(draws, room, end);
        changes++;
      } else {
        room[end] = head;
        room[end + 1] = words[at + 1]!;
      }
      end += AstWord.perInstruction;
    } else {
      const first = depth - arity;
      if (isChanged) {
        const kept = first + draws.below(arity);
        const from = starts[kept]!;
        const to = kept + 1 < depth ? starts[kept + 1]! : end;
        const base = starts[first]!;
        room.copyWithin(base, from, to);
        end = base + to - from;
        changes++;
      } else {
        room[end] = head;
        room[end + 1] = words[at + 1]!;
        end += AstWord.perInstruction;
      }
      depth = first + 1;
    }
    if (chance >>> 16 < RATE) {
      const written = (end - draft.start) / AstWord.perInstruction;
      const operator = sampler.operatorUpTo(maxLength - written - (length - 1 - node), draws);
      if (operator < 0) continue;
      const operands = symbols.arity[operator]!;
      const place = draws.below(operands);
      const base = starts[depth - 1]!;
      const shift = AstWord.perInstruction * place;
      if (place > 0) room.copyWithin(base + shift, base, end);
      for (let to = base; to < base + shift; to += AstWord.perInstruction) sampler.writeLeaf(draws, room, to);
      end += shift;
      for (let operand = place + 1; operand < operands; operand++) {
        sampler.writeLeaf(draws, room, end);
        end += AstWord.perInstruction;
      }
      sampler.writeOperator(operator, room, end);
      end += AstWord.perInstruction;
      changes++;
    }
  }
  draft.end = end;
  return changes > 0;
};
