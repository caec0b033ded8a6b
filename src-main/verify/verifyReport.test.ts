import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unnoticedChanges } from './mutations.fixture.ts';
import { verifyReport, type Verification } from './verifyReport.ts';

const goldens = new URL('../services/reports/golden/', import.meta.url);
const files = readdirSync(goldens).filter((name) => name.endsWith('.json'));
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, goldens), 'utf8'));

function verified(document: unknown): Verification {
  const verification = verifyReport(document);
  if (!verification) throw new Error('A report of an unknown kind.');
  return verification;
}

const unlisted = 'the entries of the corpus are not in the report';
const notChecked: Record<string, string[]> = {
  'evaluation.json': [
    'check.allow_failed: it was given with the command',
    'check.thresholds[*].limit: it was given with the command',
  ],
  'retrieval.json': ['baseline_delta: the baseline is in another file'],
  'scan.json': [
    'items: items without a finding are not listed',
    'runs_averaged: a constant of scans',
    'tools: tools without a finding are not listed',
  ],
  'score.json': [
    `combined.categories[*].flagged: ${unlisted}`,
    `combined.hard_negatives.flagged: ${unlisted}`,
    `combined.tp: ${unlisted}, only their sum is`,
    'gate.detectors[*]: where the detector is not in the report',
    `per_detector[*].categories[*].flagged: ${unlisted}`,
    `per_detector[*].fn: ${unlisted}, only their sum is`,
    `per_detector[*].fp: ${unlisted}, only their sum is`,
    `per_detector[*].hard_negatives.flagged: ${unlisted}`,
    `per_detector[*].tp: ${unlisted}, only their sum is`,
    'runs_averaged: the runs of the model are not in the report',
  ],
  'similarity.json': ['pairs[*].similarity_score: the texts of the tools are not in the report'],
  'tokens.json': [
    'formats: the texts of the tools are not in the report',
    'model.usd_per_1000_requests: the price of the model is not in the report',
  ],
};

describe('verification of reports', () => {
  it('has a golden of every kind of report', () => {
    expect(new Set(files.map((name) => verified(read(name)).kind)).size).toBe(7);
  });

  it.each(files)('%s agrees with its own rows', (name) => {
    expect(verified(read(name)).differences).toEqual([]);
  });

  it.each(files)(
    '%s with any one value changed differs, or says that it is not checked',
    (name) => {
      expect(unnoticedChanges(read(name))).toEqual([]);
    },
  );

  it.each(files)('%s names what does not follow from its rows', (name) => {
    expect(verified(read(name)).notChecked).toEqual(notChecked[name] ?? []);
  });

  it('is null for other documents and versions', () => {
    expect(verifyReport({ format: 'touchstone-tokens', version: 2 })).toBeNull();
    expect(verifyReport([])).toBeNull();
  });
});
