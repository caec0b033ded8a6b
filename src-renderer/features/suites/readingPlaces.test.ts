import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { valueAtPointer } from '../../../src-shared/domain/jsonPointer.ts';
import { readingPlaces } from './readingPlaces.ts';
import { readingOf } from './taskForm.ts';

it('lists the whole value, then each member before what it holds', () => {
  const { places } = readingPlaces({ tasks: [{ 'a/b': 1 }], count: 1 }, 100);
  expect(places.map(({ at, depth }) => [at, depth])).toEqual([
    ['', 0],
    ['/tasks', 1],
    ['/tasks/0', 2],
    ['/tasks/0/a~1b', 3],
    ['/count', 1],
  ]);
});

it('leads with each pointer to the value that is shown for it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (given) => {
      const value = given as JsonValue;
      for (const place of readingPlaces(value, 500).places)
        expect(valueAtPointer(value, place.at)).toEqual(place.value);
    }),
  );
});

it('says that there are more places than are listed', () => {
  expect(readingPlaces([1, 2, 3], 4).more).toBe(false);
  expect(readingPlaces([1, 2, 3], 3).more).toBe(true);
});

it.each([
  ['no tool', [], { tool: '', arguments: '{}' }, 'Choose a tool and valid arguments first.'],
  [
    'broken arguments',
    [],
    { tool: 'a:b', arguments: '{' },
    'Choose a tool and valid arguments first.',
  ],
  [
    'an incomplete setup',
    [{ row: 0, tool: '', arguments: '{}' }],
    { tool: 'a:b', arguments: '' },
    'Complete the setup calls first.',
  ],
])('reads nothing with %s', (_, setup, check, problem) => {
  expect(readingOf(setup, check)).toEqual({ ok: false, problem });
});

it('reads with the setup of the task and the arguments of the check', () => {
  const setup = [{ row: 3, tool: 'a:add', arguments: '{"n": 1}' }];
  expect(readingOf(setup, { tool: 'a:list', arguments: '' })).toEqual({
    ok: true,
    setup: [{ server: 'a', tool: 'add', arguments: { n: 1 } }],
    read: { server: 'a', tool: 'list', arguments: {} },
  });
});
