import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { numberPaths, patternOf, type Path } from './recount.ts';
import { verifyReport, type Verification } from './verifyReport.ts';

const goldens = new URL('../services/reports/golden/', import.meta.url);
const files = readdirSync(goldens).filter((name) => name.endsWith('.json'));
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, goldens), 'utf8'));

function verified(document: unknown): Verification {
  const verification = verifyReport(document);
  if (!verification) throw new Error('A report of an unknown kind.');
  return verification;
}

/** A copy with one number changed by 0.02, or by 1 if it is whole. */
function changed(document: unknown, path: Path): unknown {
  const copy = structuredClone(document);
  const owner = path.slice(0, -1).reduce((value, key) => Reflect.get(value as object, key), copy);
  const key = path.at(-1) ?? '';
  const value = Reflect.get(owner as object, key) as number;
  Reflect.set(owner as object, key, Number.isInteger(value) ? value + 1 : value + 0.02);
  return copy;
}

/** What the text of the command says is not checked, as a test of a path. */
function isNamed(verification: Verification, path: Path): boolean {
  return verification.notChecked.some((text) =>
    patternOf(path).startsWith(text.split(': ')[0] ?? ''),
  );
}

/** Numbers of rows that no number of a golden follows from; all others change one. */
const looseRows = [
  /^models\[\*\]\.conditions\./,
  /^(baseline_|candidates\[\*\]\.)?number$/,
  /^settings\.(repetitions|high_confidence)$/,
  /^runs\[\*\]\.(repetition|attempt|follow_up_(in|out)put_tokens)$/,
  // Of runs that are not TP.
  /^runs\[\*\]\.(matched_parameters|expected_parameters|parameter_completeness)$/,
  /^findings\[\*\]\.span\[\*\]$/,
  /^(compared\[\*\]\.)?per_query\[\*\]\.(labels\[\*\]\.relevance|ranked)$/,
  // A limit that is moved a little decides as before.
  /^(gate\.tolerance\.\w+|threshold|budget\.limit)$/,
  // The goldens' tools have no parameters, and their other dimensions are equal.
  /^weights\.\w+$/,
];

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
    '%s with any one number changed differs, or says that it is not checked',
    (name) => {
      const document = read(name);
      const verification = verified(document);
      const unnoticed = [...numberPaths(document)].filter(
        (path) =>
          !isNamed(verification, path) &&
          verifyReport(changed(document, path))?.differences.length === 0,
      );
      const patterns = unnoticed.map(patternOf);
      expect(patterns.filter((one) => !looseRows.some((rows) => rows.test(one)))).toEqual([]);
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
