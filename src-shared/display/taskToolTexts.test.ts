import { describe, expect, it } from 'vitest';
import { firstWrongText } from './taskToolTexts.ts';
import { plainText } from './verdictTexts.ts';

describe('firstWrongText', () => {
  const text = (step: Parameters<typeof firstWrongText>[0]) => plainText(firstWrongText(step));

  it('names the tool that was called and the one that is expected', () => {
    expect(text({ step: 1, expected: 't:done', called: 't:edit', by: 'check' })).toBe(
      'Step 2 calls t:edit; t:done is expected.',
    );
    expect(text({ step: 1, expected: 't:done', called: 't:edit', by: 'reference' })).toBe(
      'Step 2 calls t:edit; t:done is expected, as in a run that succeeded.',
    );
  });

  it('says which call the checks forbid', () => {
    expect(text({ step: 0, expected: null, called: 't:drop', by: 'check' })).toBe(
      'Step 1 calls t:drop, which the checks forbid.',
    );
  });

  it('claims nothing about what else a step calls by which a tool was left out', () => {
    expect(text({ step: 0, expected: 't:status', called: null, by: 'check' })).toBe(
      't:status is expected first; it is never called.',
    );
  });
});
