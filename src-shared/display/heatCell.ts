/**
 * A cell of the heat map takes two bytes: an overlap in steps of 1/`cellSteps`, and the highest bit
 * where the pair is flagged.
 */
export const cellSteps = 32_767;
export const flaggedBit = 0x8000;
