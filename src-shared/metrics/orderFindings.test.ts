import { describe, expect, it } from 'vitest';
import { orderFindings, type FoundAt } from './orderFindings.ts';

const found = (
  kind: FoundAt['kind'],
  rule: string,
  severity: FoundAt['severity'],
  more: Partial<FoundAt> = {},
): FoundAt => ({
  kind,
  rule,
  severity,
  title: rule,
  why: '',
  fix: '',
  failed: 0,
  other: null,
  edit: null,
  points: 0,
  place: '',
  ...more,
});

const rules = (list: ReturnType<typeof orderFindings>): string[] => list.map(({ rule }) => rule);

describe('the findings of a tool', () => {
  it('are ordered by severity, then by failures, then by kind', () => {
    expect(
      rules(
        orderFindings(
          [
            found('tokens', 'cut', 'medium'),
            found('similar', 's:b', 'medium', { failed: 6 }),
            found('similar', 's:c', 'medium', { failed: 15 }),
            found('quality', 'name', 'low', { failed: 99 }),
            found('quality', 'vague', 'medium'),
            found('signals', 'order', 'critical'),
            found('quality', 'words', 'high', { failed: 13 }),
          ],
          null,
        ),
      ),
    ).toEqual(['order', 'words', 's:c', 's:b', 'vague', 'cut', 'name']);
  });

  it('of one rule are one, with the worst severity and all failures', () => {
    const [one, ...more] = orderFindings(
      [
        found('quality', 'undescribed', 'low', { place: '/a', title: 'a has none', failed: 1 }),
        found('quality', 'undescribed', 'medium', { place: '/b', title: 'b has none', failed: 2 }),
        found('quality', 'undescribed', 'low', { place: '/c', title: 'c has none' }),
      ],
      null,
    );
    expect(more).toEqual([]);
    expect(one).toMatchObject({ title: 'b has none (+2 more)', severity: 'medium', failed: 3 });
  });

  it('are in the fix if nothing of the rule is found with it', () => {
    const before = [
      found('quality', 'undescribed', 'low', { place: '/a' }),
      found('quality', 'undescribed', 'low', { place: '/b' }),
      found('tokens', 'descriptions', 'low'),
    ];
    const inFix = (remaining: FoundAt[] | null): unknown[] =>
      orderFindings(before, remaining).map((one) => [one.rule, one.inFix]);
    expect(inFix(null)).toEqual([
      ['undescribed', false],
      ['descriptions', false],
    ]);
    expect(inFix(before.slice(0, 1))).toEqual([
      ['undescribed', false],
      ['descriptions', true],
    ]);
    expect(inFix([])).toEqual([
      ['undescribed', true],
      ['descriptions', true],
    ]);
  });
});
