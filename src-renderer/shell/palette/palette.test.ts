import { describe, expect, it } from 'vitest';
import { paletteActions } from './paletteActions.ts';
import { places } from '../places.ts';

/** Everything the palette finds by typing, apart from what is named in the workspace. */
const entries = [
  ...places.flatMap(({ label, to, tabs, keywords = [] }) => [
    { words: [label, ...keywords], to },
    ...tabs.map((tab) => ({ words: [label, tab.label, ...tab.keywords], to: tab.to })),
  ]),
  ...paletteActions.map(({ label, keywords, to }) => ({ words: [label, ...keywords], to })),
];
const find = (typed: string): string[] =>
  entries
    .filter(({ words }) => words.some((word) => word.toLowerCase().includes(typed)))
    .map(({ to }) => to);

describe('the palette', () => {
  it.each([
    ['quality', '/tools?quality'],
    ['lint', '/tools?quality'],
    ['rating', '/tools?ratings'],
    ['similar', '/tools/similar'],
    ['overlap', '/tools/similar'],
    ['cost', '/tools/tokens'],
    ['poison', '/tools/signals'],
    ['codex', '/tools/clients'],
    ['servers', '/tools'],
    ['candidate', '/tools?only=candidates'],
    ['rewrite', '/tools?only=candidates'],
    ['proof', '/tools?only=candidates'],
    ['compare', '/results/last?compare='],
    ['trajectory', '/results/new?run=tasks'],
    ['trend', '/suites'],
    ['what if', '/results/last/estimate'],
    ['optimiz', '/results/last/search'],
    ['metrics', '/results/numbers'],
    ['evaluations', '/results'],
    ['improve', '/results'],
    ['backup', '/settings'],
    ['retriev', '/labs/retrieval'],
    ['detector', '/labs/detectors'],
    ['frontier', '/labs/accuracy-vs-tokens'],
    ['promptfoo', '/suites/import'],
    ['cursor', '/tools/import'],
  ])('finds a page for “%s”', (typed, to) => {
    expect(find(typed)).toContain(to);
  });

  it('finds every place and tab by its name and by each of its words', () => {
    for (const { label, to, tabs } of places) {
      expect(find(label.toLowerCase())).toContain(to);
      for (const tab of tabs)
        for (const word of [tab.label, ...tab.keywords])
          expect([word, find(word.toLowerCase())]).toEqual([
            word,
            expect.arrayContaining([tab.to]),
          ]);
    }
  });
});
