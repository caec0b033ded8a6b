import { describe, expect, it } from 'vitest';
import { choosing, held, options, submitting, typed, wholeNumber } from './controls.tsx';

describe('a field for a whole number', () => {
  it.each([
    [7, 7],
    ['7', 7],
    [0, 1],
    [-3, 1],
    [2000, 1000],
    ['', 1],
    ['abc', 1],
  ])('takes %j as %j within 1 to 1,000', (typed, taken) => {
    const told: number[] = [];
    wholeNumber(5, [1, 1000], (value) => told.push(value)).onChange(typed);
    expect(told).toEqual([taken]);
  });

  it('keeps 0 where it is the lowest', () => {
    const told: number[] = [];
    const field = wholeNumber(5, [0, 10], (value) => told.push(value));
    field.onChange(0);
    expect({ ...field, told }).toMatchObject({ min: 0, max: 10, allowDecimal: false, told: [0] });
  });
});

describe('a field of a form', () => {
  it('passes on what is typed and what is wrong with it', () => {
    const told: string[] = [];
    const field = typed('a', (text) => told.push(text), 'Too short.');
    field.onChange({ currentTarget: { value: 'ab' } });
    expect({ ...field, told }).toMatchObject({ value: 'a', error: 'Too short.', told: ['ab'] });
  });

  it('keeps an error that it was given in another way', () => {
    const ignore = (): void => undefined;
    expect({ error: 'Used already.', ...typed('a', ignore) }.error).toBe('Used already.');
    expect({ error: 'Used already.', ...choosing('a', ignore) }.error).toBe('Used already.');
  });

  it('holds any value with its error', () => {
    const onChange = (): void => undefined;
    expect(held(['a'], onChange, 'Unknown server.')).toEqual({
      value: ['a'],
      onChange,
      error: 'Unknown server.',
    });
  });
});

describe('a choice that always holds one', () => {
  const told = (next: 'pairs' | 'groups' | null): string[] => {
    const list: string[] = [];
    choosing<'pairs' | 'groups'>('pairs', (value) => list.push(value)).onChange(next);
    return list;
  };

  it('tells another choice', () => {
    expect(told('groups')).toEqual(['groups']);
  });

  it('ignores that it is cleared or chosen again', () => {
    expect([told(null), told('pairs')]).toEqual([[], []]);
  });

  it('lists its options in their order', () => {
    expect(options({ pairs: 'Pairs', groups: 'Groups' })).toEqual([
      { value: 'pairs', label: 'Pairs' },
      { value: 'groups', label: 'Groups' },
    ]);
  });
});

it('submits a form without loading a page', () => {
  const calls: string[] = [];
  submitting(() => calls.push('act')).onSubmit({ preventDefault: () => calls.push('prevent') });
  expect(calls).toEqual(['prevent', 'act']);
});
