import { expect, it } from 'vitest';
import type { UnscoredGroup } from './judgement.ts';
import { joinReasons } from './unscoredReasons.ts';

const group = (
  failure: UnscoredGroup['failure'],
  message: string | null,
  runs = 1,
  name = message ?? 'none',
): UnscoredGroup => ({ failure, message, runs, cases: [name] });

it.each([
  ['double quotes', 'No model "a-1" here', 'No model "b-2" here'],
  ['typographic quotes', 'No model “a-1” here', 'No model “b-2” here'],
  ['German quotes', 'No model „a-1“ here', 'No model „b-2“ here'],
  ['guillemets', 'No model «a-1» here', 'No model «b-2» here'],
  ['single quotes', "Can't read 'a-1' here", "Can't read 'b-2' here"],
  ['curved single quotes', 'No model ‘a-1’ here', 'No model ‘b-2’ here'],
  ['backticks', 'No model `a-1` here', 'No model `b-2` here'],
  ['quotes of several kinds', 'No model "a-1" here', 'No model `b-2` here'],
  ['an id of a request', 'HTTP 500 (req_01ABCdef9)', 'HTTP 500 (req_77ZZZabc1)'],
  [
    'a UUID',
    'Failed: 0c9a1d2e-1111-4222-8333-9f0a1b2c3d4e',
    'Failed: 1c9a1d2e-5555-4222-8333-9f0a1b2c3d4e',
  ],
  ['a port', 'connect ECONNREFUSED 127.0.0.1:41234', 'connect ECONNREFUSED 127.0.0.1:50001'],
  ['a port of IPv6', 'No answer of [::1]:8980.', 'No answer of [::1]:8981.'],
  ['a port in words', 'Port 8980 is taken', 'Port 8981 is taken'],
  ['a process', 'The server (process 4711) ended', 'The server (process 4712) ended'],
  [
    'a path',
    'ENOENT: no such file, open /tmp/a-1/x.db',
    'ENOENT: no such file, open /tmp/b-2/x.db',
  ],
  ['a path of Windows', 'No C:\\Temp\\a-1\\x.db here', 'No C:\\Temp\\b-2\\x.db here'],
  ['a trace in hexadecimal', 'Failed at 9f8e7d6c5b4a39281706', 'Failed at 1f8e7d6c5b4a39281705'],
])('joins messages that differ only in %s', (_what, one, other) => {
  expect(joinReasons([group('provider', one, 2), group('provider', other, 3)])).toEqual([
    { failure: 'provider', message: other, runs: 5, cases: [other, one] },
  ]);
});

it.each([
  ['statuses', 'It answered 500', 'It answered 503'],
  ['tools', "s:add isn't a tool of s", "s:drop isn't a tool of s"],
  ['addresses', 'No answer of http://a.test/v1/chat', 'No answer of http://b.test/v1/chat'],
  [
    'paths of an address',
    'No answer of http://a.test/v1/chat',
    'No answer of http://a.test/v2/chat',
  ],
  ['alternatives', 'Neither yes/no', 'Neither on/off'],
  ['apostrophes', "It isn't one, it's two", "It isn't six, it's two"],
])('keeps messages apart that differ in %s', (_what, one, other) => {
  expect(joinReasons([group('provider', one), group('provider', other)])).toHaveLength(2);
});

it('keeps kinds of failure apart', () => {
  expect(joinReasons([group('provider', 'Away'), group('server', 'Away')])).toHaveLength(2);
});

it('says one cause once for the runs that it kept from starting', () => {
  const cause = 'openai (127.0.0.1): the connection failed.';
  expect(
    joinReasons([
      group(null, cause, 70, 'c'),
      group('cancelled', `It was abandoned while in progress. ${cause}`, 7, 'b'),
      group('provider', cause, 1, 'a'),
      group('cancelled', 'Somebody stopped it.', 2, 'd'),
    ]),
  ).toEqual([
    {
      failure: 'provider',
      message: `${cause} 77 of these runs were not asked after that.`,
      runs: 78,
      cases: ['a', 'c', 'b'],
    },
    group('cancelled', 'Somebody stopped it.', 2, 'd'),
  ]);
});
