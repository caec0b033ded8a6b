import { describe, expect, it } from 'vitest';
import { latencyHistogram } from '../../../../../src-shared/metrics/latencyHistogram.ts';
import { latencyFinding, shownBins } from './latencyTexts.ts';

describe('shownBins', () => {
  it('labels the bins from the first to the last with a value', () => {
    const labels = shownBins([latencyHistogram([120, 700]), latencyHistogram([1500])]).map(
      ({ label }) => label,
    );
    expect(labels).toEqual(['100–200 ms', '200–500 ms', '500 ms–1 s', '1–2 s']);
    expect(shownBins([latencyHistogram([0.2])])).toEqual([{ at: 0, label: 'under 1 ms' }]);
    expect(shownBins([latencyHistogram([9e9])])[0]?.label).toBe('5,000 s or more');
    expect(shownBins([latencyHistogram([])])).toEqual([]);
  });
});

describe('latencyFinding', () => {
  it('gives p50 and p95 of one model, or of the fastest one', () => {
    const slow = { modelSettingsId: 'slow', p50: 2500, p95: 9000 };
    const fast = { modelSettingsId: 'fast', p50: 420, p95: 1200 };
    const nameOf = (id: string) => id;
    expect(latencyFinding([slow], nameOf)).toBe(
      'Half of the answers took 2.5 s or less, 95% took 9 s or less',
    );
    expect(latencyFinding([slow, fast], nameOf)).toBe(
      'fast is the fastest (p50 420 ms, p95 1.2 s)',
    );
    expect(latencyFinding([], nameOf)).toBe('No answer was timed');
  });
});
