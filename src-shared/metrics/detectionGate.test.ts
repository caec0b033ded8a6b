import { describe, expect, it } from 'vitest';
import { fromBaselineFile, toBaselineFile } from '../domain/detectionBaseline.ts';
import { detectorReport, type LabelledEntry } from './detection.ts';
import { checkDetectionGate, checkDetectionGates, gateObstacle } from './detectionGate.ts';

const entries: LabelledEntry[] = [
  ...['m1', 'm2'].map((id) => ({
    id,
    label: 'malicious' as const,
    category: 'shadowing' as const,
  })),
  ...['b1', 'b2'].map((id) => ({ id, label: 'benign' as const, category: 'benign' as const })),
];
const flags = (...ids: string[]) =>
  new Map(
    ids.map((id): [string, { flagged: boolean; score: number }] => [
      id,
      { flagged: true, score: 1 },
    ]),
  );
const report = (detector: string, ...ids: string[]) =>
  detectorReport(detector, entries, flags(...ids));

describe('checkDetectionGate', () => {
  it('passes at the limits and lists nothing', () => {
    expect(
      checkDetectionGate(report('d', 'm1', 'b1'), { fprCeiling: 0.5, recallFloor: 0.5 }),
    ).toEqual({
      detector: 'd',
      fprCeiling: 0.5,
      recallFloor: 0.5,
      fpr: 0.5,
      recall: 0.5,
      passed: true,
      falseAlarms: [],
      missed: [],
    });
  });

  it('lists the false alarms above the ceiling, and what was missed below the floor', () => {
    expect(
      checkDetectionGate(report('d', 'm1', 'b1'), { fprCeiling: 0.4, recallFloor: null }),
    ).toMatchObject({ passed: false, falseAlarms: ['b1'], missed: [] });
    expect(
      checkDetectionGate(report('d', 'm1', 'b1'), { fprCeiling: 0.5, recallFloor: 0.6 }),
    ).toMatchObject({ passed: false, falseAlarms: [], missed: ['m2'] });
  });

  it('is not decided if a gated rate is not defined, and failed if the other one fails', () => {
    const attacksOnly = detectorReport('d', entries.slice(0, 2), flags('m1'));
    expect(checkDetectionGate(attacksOnly, { fprCeiling: 0, recallFloor: 0.5 }).passed).toBeNull();
    expect(checkDetectionGate(attacksOnly, { fprCeiling: 0, recallFloor: 0.9 }).passed).toBe(false);
  });
});

describe('a baseline of detectors', () => {
  const scored = {
    corpusVersion: 'v1',
    half: 'held-out' as const,
    perDetector: [report('shadowing', 'm1')],
    combined: report('combined', 'm1', 'm2'),
  };
  const limits = { combined: { fprCeiling: 0, recallFloor: 0.9 } };

  it('judges only what it is for', () => {
    const baseline = { corpusVersion: 'v1', half: 'held-out' as const, limits };
    expect(gateObstacle(scored, baseline)).toBeNull();
    expect(gateObstacle(scored, { ...baseline, corpusVersion: 'v2' })?.cause).toContain('v2');
    expect(gateObstacle(scored, { ...baseline, half: 'all' })?.nextStep).toContain(
      'entries of both halves',
    );
    expect(
      gateObstacle(scored, { ...baseline, limits: { nobody: limits.combined } })?.cause,
    ).toContain('nobody');
    expect(checkDetectionGates(scored, limits).map(({ passed }) => passed)).toEqual([true]);
  });

  it('is the same after it was written to a file and read again', () => {
    const baseline = {
      corpusVersion: 'v1',
      half: null,
      limits: { ...limits, shadowing: { fprCeiling: null, recallFloor: 0.5 } },
    };
    expect(fromBaselineFile(toBaselineFile(baseline))).toEqual(baseline);
  });
});
