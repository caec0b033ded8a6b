/** `touchstone/metrics`: the arithmetic of reports. Pure; each function states range and source. */
export * from '../../src-shared/metrics/calibration.ts';
export * from '../../src-shared/metrics/clusteredInterval.ts';
export * from '../../src-shared/metrics/confusion.ts';
export * from '../../src-shared/metrics/holm.ts';
export * from '../../src-shared/metrics/intervals.ts';
export * from '../../src-shared/metrics/mcnemar.ts';
export * from '../../src-shared/metrics/nonInferiority.ts';
export * from '../../src-shared/metrics/passAtK.ts';
export * from '../../src-shared/metrics/quantile.ts';
export * from '../../src-shared/metrics/ranking.ts';
