import { describe, expect, it } from 'vitest';
import { ruleDetectors } from '../domain/security.ts';
import type { Severity } from '../domain/severity.ts';
import {
  causeText,
  detectorLabel,
  markedAsSafe,
  scanHeadline,
  serverSignalVerdict,
  subjectName,
} from './signalTexts.ts';

const signals = (...given: [Severity, string][]) =>
  given.map(([severity, tool]) => ({ severity, tool }));

describe('serverSignalVerdict', () => {
  it.each([
    [[], 'No signals'],
    [signals(['critical', 'a'], ['critical', 'a']), '2 critical signals in 1 tool'],
    [signals(['high', 'a'], ['low', 'b'], ['low', 'c']), '1 high signal in 1 tool, 2 less severe'],
    [signals(['high', '']), '1 high signal in the server instructions'],
    [
      signals(['medium', 'a'], ['medium', 'b'], ['medium', '']),
      '3 medium signals in 2 tools and the server instructions',
    ],
  ])('%#: %j is “%s”', (given, expected) => {
    expect(serverSignalVerdict(given)).toBe(expected);
  });
});

describe('scanHeadline', () => {
  const on = (server: string, severity: Severity, tool: string) => ({ server, severity, tool });

  it('names the server with the most severe signal, as the first one if others have signals', () => {
    expect(scanHeadline([on('a', 'critical', 'x'), on('b', 'low', 'y')], 9)).toBe(
      'Review a first: 1 critical signal in 1 tool',
    );
    expect(scanHeadline([on('a', 'high', 'x'), on('a', 'low', 'y')], 9)).toBe(
      'Review a: 1 high signal in 1 tool, 1 less severe',
    );
  });

  it('says how many tools have no signal', () => {
    expect(scanHeadline([], 33)).toBe('No signals in 33 tools');
  });
});

describe('texts of signals', () => {
  it('has a title and an advice of its own for each detector', () => {
    const texts = ruleDetectors.map(causeText);
    expect(new Set(texts.map(({ title }) => title)).size).toBe(ruleDetectors.length);
    expect(new Set(texts.map(({ advice }) => advice)).size).toBe(ruleDetectors.length);
  });

  it('names an unknown detector by its words', () => {
    expect(causeText('model_judge').title).toBe('Model judge');
    expect(detectorLabel('rug_pull')).toBe('Rug pull');
  });

  it('names the server instructions, and a mark without a reason', () => {
    expect(subjectName('todo', 'add')).toBe('todo:add');
    expect(subjectName('todo', '')).toBe('todo (server instructions)');
    expect(markedAsSafe('')).toBe('Marked as safe.');
    expect(markedAsSafe('Ours.')).toBe('Marked as safe: Ours.');
  });
});
