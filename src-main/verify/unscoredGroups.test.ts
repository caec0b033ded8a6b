import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { UnscoredGroup } from '../../src-shared/domain/judgement.ts';
import { joinReasons } from '../../src-shared/domain/unscoredReasons.ts';
import { unscoredGroups } from './unscoredGroups.ts';

const cause = 'openai (127.0.0.1) answered 401: Wrong key.';
const reasons = [
  null,
  cause,
  `It was abandoned while in progress. ${cause}`,
  'No model "a" here',
  'No model “b” here',
  'connect ECONNREFUSED 127.0.0.1:41234',
  'connect ECONNREFUSED 127.0.0.1:50001',
  'No file /tmp/run-1/data.db',
  'No file /tmp/run-2/data.db',
  'HTTP 500 (req_01ABCdef9)',
  'HTTP 500 (req_77ZZZabc1)',
  'The endpoint returned a call of s:add as text (hermes). Start it with its tool-call parser.',
  'The endpoint returned a call of s:drop as text (xml). Start it with its tool-call parser.',
] as const;
const run = fc.record({
  key: fc.constantFrom('a', 'b', 'c'),
  failure: fc.constantFrom<UnscoredGroup['failure'][]>(null, 'provider', 'cancelled', 'server'),
  reason: fc.constantFrom(...reasons),
});

it('groups runs without a score as the program does', () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 30 }), (runs) => {
      const groups = [
        ...Map.groupBy(runs, ({ failure, reason }) => `${failure}\n${reason}`).values(),
      ].map((same) => ({
        failure: same[0]?.failure ?? null,
        message: same[0]?.reason ?? null,
        runs: same.length,
        cases: [...new Set(same.map(({ key }) => key))],
      }));
      const joined = joinReasons(groups).map(({ message, ...group }) => ({
        ...group,
        reason: message,
      }));
      expect(unscoredGroups(runs, 5)).toEqual(joined);
    }),
    { numRuns: 500 },
  );
});

it('says a cause once, with the runs that it kept from being asked', () => {
  const runs = [
    { key: 'a', failure: 'provider', reason: cause },
    { key: 'b', failure: null, reason: cause },
    { key: 'c', failure: null, reason: cause },
  ];
  expect(unscoredGroups(runs, 5)).toEqual([
    {
      failure: 'provider',
      reason: `${cause} 2 of these runs were not asked after that.`,
      runs: 3,
      cases: ['a', 'b', 'c'],
    },
  ]);
});
