/**
 * The few instructions of WebAssembly that the tile and the walk need, as bytes. Source:
 * WebAssembly Core Specification 2.0, chapter 5.
 */

export type Code = readonly number[];

/** An unsigned number in groups of seven bits, the lowest first. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  do {
    bytes.push((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>>= 7;
  } while (value > 0);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (;;) {
    const low = value & 0x7f;
    value >>= 7;
    const last = (value === 0 && (low & 0x40) === 0) || (value === -1 && (low & 0x40) !== 0);
    bytes.push(last ? low : low | 0x80);
    if (last) return bytes;
  }
}

const text = (word: string): number[] => [...unsigned(word.length), ...Buffer.from(word, 'latin1')];
const list = (items: readonly Code[]): number[] => [...unsigned(items.length), ...items.flat()];
const section = (id: number, content: Code): number[] => [
  id,
  ...unsigned(content.length),
  ...content,
];

export const types = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const;

export const localGet = (local: number): Code => [0x20, ...unsigned(local)];
export const localSet = (local: number): Code => [0x21, ...unsigned(local)];
export const i32Const = (value: number): Code => [0x41, ...signed(value)];
export const i32Add: Code = [0x6a];
export const i32Sub: Code = [0x6b];
export const i32Mul: Code = [0x6c];
export const i32LessUnsigned: Code = [0x49];
export const f32Add: Code = [0x92];
export const f32Mul: Code = [0x94];
/** Alignment is a hint only; 2 = four bytes. */
export const i32Load = (offset: number): Code => [0x28, 2, ...unsigned(offset)];
export const f32Load = (offset: number): Code => [0x2a, 2, ...unsigned(offset)];
export const f32Store = (offset: number): Code => [0x38, 2, ...unsigned(offset)];
export const v128Load = (offset: number): Code => [0xfd, 0, 4, ...unsigned(offset)];
export const v128Zero: Code = [0xfd, 12, ...new Array<number>(16).fill(0)];
export const f32x4Lane = (lane: number): Code => [0xfd, 0x1f, lane];
export const f32x4Add: Code = [0xfd, ...unsigned(0xe4)];
export const f32x4Mul: Code = [0xfd, ...unsigned(0xe6)];

/** Repeats `body` while what it leaves on the stack is not 0. */
export const repeatWhile = (body: Code): Code => [0x03, 0x40, ...body, 0x0d, 0, 0x0b];

/**
 * A module of one function without a result, exported as `run`, that works on the imported shared
 * memory `host.memory`.
 */
export function writeModule({
  parameters,
  locals,
  body,
}: {
  parameters: number;
  locals: readonly { count: number; type: number }[];
  body: Code;
}): Uint8Array<ArrayBuffer> {
  const declared = list(locals.map(({ count, type }) => [...unsigned(count), type]));
  const code = [...declared, ...body, 0x0b];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([[0x60, ...list(new Array<Code>(parameters).fill([types.i32])), 0]])),
    // Shared memories say how far they may grow; this takes one of any size.
    ...section(2, list([[...text('host'), ...text('memory'), 2, 3, 0, ...unsigned(65_536)]])),
    ...section(3, list([[0]])),
    ...section(7, list([[...text('run'), 0, 0]])),
    ...section(10, list([[...unsigned(code.length), ...code]])),
  ]);
}
