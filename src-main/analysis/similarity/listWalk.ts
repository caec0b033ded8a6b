import { openKernel } from './kernel.ts';

/**
 * One member of a list: where its tool's sum is, counted in bytes from the first sum, and its
 * weight.
 */
export const memberBytes = 8;
/**
 * One list that a tool walks: the addresses of its first member and of its end, and the weight that
 * the tool itself has in it.
 */
export const walkBytes = 12;

/**
 * Walks the lists from `first` to `end` (there is at least one, and none is empty) and adds weight
 * × weight to the sums.
 */
export type RunWalk = (first: number, end: number, sums: number) => void;

/**
 * The walk on a shared memory. Adding to sums that are spread over the memory takes half the time
 * here that it takes in JavaScript, which checks every index.
 */
export const openWalk = (memory: WebAssembly.Memory): RunWalk => openKernel('listWalk', memory);
