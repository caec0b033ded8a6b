import { describe, expect, it } from 'vitest';
import { readCompare } from './compare/compareAddress.ts';
import { resultFor } from './links.ts';

const started = (id: string, ...models: string[]) =>
  ({ id, models: models.map((model) => ({ id: model })) }) as Parameters<
    typeof resultFor
  >[0][number];

describe('the address of what was just started', () => {
  it('is that of the only evaluation, with the way back', () => {
    expect(resultFor([started('e1', 'm')], null)).toBe('/results/e1');
    expect(resultFor([started('e1', 'm')], '/tools/a/b/edit')).toBe(
      '/results/e1?return=%2Ftools%2Fa%2Fb%2Fedit',
    );
  });

  it('compares several with the first one, by the first model where there are two', () => {
    const shown = resultFor(
      ['e1', 'e2', 'e3'].map((id) => started(id, 'm')),
      null,
    );
    expect(shown.startsWith('/results/e3?')).toBe(true);
    expect(readCompare(new URLSearchParams(shown.split('?')[1]))).toMatchObject({
      base: { id: 'e1', modelSettingsId: null },
      own: null,
      others: [{ id: 'e2', modelSettingsId: null }],
    });
    const both = resultFor([started('e1', 'm', 'n'), started('e2', 'm', 'n')], null);
    expect(readCompare(new URLSearchParams(both.split('?')[1]))).toMatchObject({
      base: { id: 'e1', modelSettingsId: 'm' },
      own: 'm',
      others: [],
    });
  });
});
