import {
  f32Add,
  f32Store,
  f32x4Add,
  f32x4Lane,
  f32x4Mul,
  i32Add,
  i32Const,
  i32LessUnsigned,
  i32Mul,
  i32Sub,
  localGet,
  localSet,
  repeatWhile,
  types,
  v128Load,
  v128Zero,
  writeModule,
  type Code,
} from './wasmCode.ts';

/**
 * Rows of the one side and of the other that are multiplied at once: with these the sums stay in
 * registers.
 */
export const tileRows = 2;
export const tileColumns = 4;
/**
 * Vectors are padded with zeros to a multiple of this length: the loop takes so many values at a
 * step.
 */
export const tileStep = 16;

/**
 * Products of `tileRows` vectors at `a` with `groups · tileColumns` vectors at `b`; the vectors are
 * `bytes` long, the rows of the answer `outBytes`.
 */
export type RunTile = (
  a: number,
  b: number,
  groups: number,
  bytes: number,
  out: number,
  outBytes: number,
) => void;

const [a, b, groups, bytes, out, outBytes] = [0, 1, 2, 3, 4, 5];
const rowPointer = (row: number): number => 6 + row;
const columnPointer = (column: number): number => 6 + tileRows + column;
const end = 6 + tileRows + tileColumns;
const loaded = (row: number): number => end + 1 + row;
const other = end + 1 + tileRows;
const sum = (row: number, column: number): number => other + 1 + row * tileColumns + column;

const rowsOf = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const advance = (pointer: number, by: Code): Code => [
  ...localGet(pointer),
  ...by,
  ...i32Add,
  ...localSet(pointer),
];

function startGroup(): Code {
  return [
    ...rowsOf(tileRows).flatMap((row) => [
      ...localGet(a),
      ...localGet(bytes),
      ...i32Const(row),
      ...i32Mul,
      ...i32Add,
      ...localSet(rowPointer(row)),
    ]),
    ...rowsOf(tileColumns).flatMap((column) => [
      ...localGet(b),
      ...localGet(bytes),
      ...i32Const(column),
      ...i32Mul,
      ...i32Add,
      ...localSet(columnPointer(column)),
    ]),
    ...[...localGet(a), ...localGet(bytes), ...i32Add, ...localSet(end)],
    ...rowsOf(tileRows * tileColumns).flatMap((at) => [...v128Zero, ...localSet(sum(0, at))]),
  ];
}

function step(): Code {
  const part = (offset: number): Code => [
    ...rowsOf(tileRows).flatMap((row) => [
      ...localGet(rowPointer(row)),
      ...v128Load(offset),
      ...localSet(loaded(row)),
    ]),
    ...rowsOf(tileColumns).flatMap((column) => [
      ...[...localGet(columnPointer(column)), ...v128Load(offset), ...localSet(other)],
      ...rowsOf(tileRows).flatMap((row) => [
        ...localGet(sum(row, column)),
        ...localGet(loaded(row)),
        ...localGet(other),
        ...f32x4Mul,
        ...f32x4Add,
        ...localSet(sum(row, column)),
      ]),
    ]),
  ];
  return [
    ...rowsOf(tileStep / 4).flatMap((at) => part(at * 16)),
    ...rowsOf(tileRows).flatMap((row) => advance(rowPointer(row), i32Const(tileStep * 4))),
    ...rowsOf(tileColumns).flatMap((column) =>
      advance(columnPointer(column), i32Const(tileStep * 4)),
    ),
    ...[...localGet(rowPointer(0)), ...localGet(end), ...i32LessUnsigned],
  ];
}

function storeGroup(): Code {
  const lanes = (at: number): Code =>
    rowsOf(4).flatMap((lane) => [
      ...localGet(at),
      ...f32x4Lane(lane),
      ...(lane === 0 ? [] : f32Add),
    ]);
  return rowsOf(tileRows).flatMap((row) =>
    rowsOf(tileColumns).flatMap((column) => [
      ...localGet(out),
      ...localGet(outBytes),
      ...i32Const(row),
      ...i32Mul,
      ...i32Add,
      ...lanes(sum(row, column)),
      ...f32Store(column * 4),
    ]),
  );
}

function tileModule(): Uint8Array<ArrayBuffer> {
  const group: Code = [
    ...startGroup(),
    ...repeatWhile(step()),
    ...storeGroup(),
    ...advance(b, [...localGet(bytes), ...i32Const(tileColumns), ...i32Mul]),
    ...advance(out, i32Const(tileColumns * 4)),
    ...[...localGet(groups), ...i32Const(1), ...i32Sub, ...localSet(groups), ...localGet(groups)],
  ];
  return writeModule({
    parameters: 6,
    locals: [
      { count: tileRows + tileColumns + 1, type: types.i32 },
      { count: tileRows + 1 + tileRows * tileColumns, type: types.v128 },
    ],
    body: repeatWhile(group),
  });
}

let compiled: object | null = null;

/**
 * The tile on a shared memory. It is assembled here from its instructions: no compiler is needed to
 * build the program.
 */
export function openTile(memory: WebAssembly.Memory): RunTile {
  compiled ??= new WebAssembly.Module(tileModule());
  const { run } = new WebAssembly.Instance(compiled, { host: { memory } }).exports;
  if (typeof run !== 'function') throw new Error('The tile exports no function.');
  return (...all) => {
    Reflect.apply(run, null, all);
  };
}
