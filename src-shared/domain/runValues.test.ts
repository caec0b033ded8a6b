import { describe, expect, it } from 'vitest';
import {
  fillRunValues,
  isRunValue,
  localDate,
  MissingRunValue,
  runValueNames,
} from './runValues.ts';

const values = {
  today: '2026-11-27',
  run_dir: '/tmp/run',
  'before.balance': 40.1,
  'before.name': 'Ann',
};

describe('values of a run', () => {
  it('are filled in at any depth, with their type where a text is nothing else', () => {
    expect(
      fillRunValues(
        {
          exact: '{{before.balance}}',
          more: ['{{ before.balance + 0.2 }}', '{{before.balance-10}}'],
          text: 'Dear {{before.name}}, {{before.balance}} on {{today}} in {{run_dir}}/a',
          matcher: { $gte: '{{before.balance + 10}}' },
        },
        values,
      ),
    ).toEqual({
      exact: 40.1,
      more: [40.3, 30.1],
      text: 'Dear Ann, 40.1 on 2026-11-27 in /tmp/run/a',
      matcher: { $gte: 50.1 },
    });
  });

  it.each([
    ['{{today}}', '2026-11-27'],
    ['{{today+3d}}', '2026-11-30'],
    ['{{today + 5d}}', '2026-12-02'],
    ['{{today - 27d}}', '2026-10-31'],
    ['{{ today+400d }}', '2028-01-01'],
  ])('count days from the date of the run: %s', (text, expected) => {
    expect(fillRunValues(text, values)).toBe(expected);
  });

  it.each(['{{other}}', '{{today+3}', '{{{today', '{{today + 3w}}', '{today}', '{{before.}}'])(
    'leave %s as it is written',
    (text) => {
      expect(fillRunValues({ text }, values)).toEqual({ text });
      expect(runValueNames({ text })).toEqual([]);
    },
  );

  it.each([
    ['{{before.missing}}', 'The value of before.missing is not known.'],
    ['{{before.name + 1}}', "can't be calculated"],
    ['{{before.balance + 1d}}', "can't be calculated"],
    ['{{today + 1}}', "can't be calculated"],
    ['{{today + 0.5d}}', "can't be calculated"],
  ])('are refused where they mean nothing: %s', (text, message) => {
    expect(() => fillRunValues(['x', { text }], values)).toThrow(MissingRunValue);
    expect(() => fillRunValues(['x', { text }], values)).toThrow(message);
  });

  it('are named once each, and tell a value from a text with one', () => {
    expect(runValueNames({ a: '{{today}} {{today+1d}}', b: ['{{before.x}}'] })).toEqual([
      'today',
      'before.x',
    ]);
    expect([
      isRunValue('{{today}}'),
      isRunValue('on {{today}}'),
      isRunValue(''),
      isRunValue(3),
    ]).toEqual([...[true, false, false, false]]);
  });

  it('begin with the date in the time zone of the computer', () => {
    expect(localDate(new Date(2026, 0, 2, 23, 59))).toBe('2026-01-02');
  });
});
