import { describe, expect, it } from 'vitest';
import { spansOf } from './matrixAxes.ts';

const axis = (id: string, group: string | null) => ({ id, label: id, title: id, group });

describe('spansOf', () => {
  it('returns no spans for a single server', () => {
    expect(spansOf([axis('a', 'todo'), axis('b', 'todo'), axis('none', null)])).toEqual([]);
  });

  it('puts every tool under its own server', () => {
    expect(
      spansOf([
        axis('a', 'x'),
        axis('b', 'x'),
        axis('c', 'y'),
        axis('none', null),
        axis('phantom', null),
      ]),
    ).toEqual([
      { group: 'x', start: 0, length: 2 },
      { group: 'y', start: 2, length: 1 },
      { group: null, start: 3, length: 2 },
    ]);
  });
});
