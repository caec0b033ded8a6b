import { openKernel } from './kernel.ts';

/**
 * Vectors of each side that are multiplied at once: with these the sums stay in registers. The
 * shape is fixed in `simdTile.wat`.
 */
export const tileRows = 2;
export const tileColumns = 4;
/** Vectors are padded with zeros to a multiple of this length: the values of one step. */
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

/** The tile on a shared memory. */
export const openTile = (memory: WebAssembly.Memory): RunTile => openKernel('simdTile', memory);
