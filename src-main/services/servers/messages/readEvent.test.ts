import { expect, it } from 'vitest';
import { beginningOf, type WireEvent } from '../../../adapters/mcp/wireTap.ts';
import { hideSecrets, maskedHeaders } from './hideSecrets.ts';
import { readEvent } from './readEvent.ts';

const read = (kind: 'sent' | 'received', text: string) =>
  readEvent({ kind, ...beginningOf(text) }).map(
    ({ from, kind: found, method, tool, messageId, failed }) =>
      [from, found, method, tool, messageId, failed].join(' ').replaceAll(/\s+/g, ' '),
  );

/** JSON-RPC 2.0, sections 4 to 6; batches of MCP 2025-03-26. */
const forms: [string, string[]][] = [
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', ['server request ping 1 false']],
  ['{"jsonrpc":"2.0","id":"a","method":"roots/list"}', ['server request roots/list a false']],
  ['{"jsonrpc":"2.0","method":"notifications/x"}', ['server notification notifications/x false']],
  ['{"jsonrpc":"2.0","id":1,"result":{}}', ['server result 1 false']],
  ['{"jsonrpc":"2.0","id":1,"result":{"isError":true}}', ['server result 1 true']],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"a"}}', ['server error 1 true']],
  [
    '[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"a"}]',
    ['server result 1 false', 'server notification a false'],
  ],
  ['Listening on stdio', ['server text true']],
  ['{"jsonrpc":"2.0","id":1,"result":', ['server text true']],
  ['{"level":30,"msg":"a log line"}', ['server text true']],
  ['  \r', []],
];

it.each(forms)('reads %s', (text, expected) => {
  expect(read('received', text)).toEqual(expected);
});

it('reads the beginning of a message that is too large to be kept whole', () => {
  const long = 'x'.repeat(300_000);
  expect(read('received', `{"jsonrpc":"2.0","id":7,"result":{"a":"${long}"}}`)).toEqual([
    'server result 7 false',
  ]);
  expect(
    read('received', `{"result":{"method":"a","b":"${long}"},"jsonrpc":"2.0","id":7}`),
  ).toEqual(['server result false']);
  expect(read('sent', `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":"${long}"}`)).toEqual(
    ['client request tools/call 8 false'],
  );
  const [error] = readEvent({
    kind: 'received',
    ...beginningOf(`{"jsonrpc":"2.0","id":9,"error":{"message":"${long}ä"}}`),
  });
  expect(error).toMatchObject({ kind: 'error', failed: true, isCut: true, bytes: 300_049 });
});

it('says how a process ended, and marks an end that this program did not cause', () => {
  const ended = (code: number | null, signal: NodeJS.Signals | null) => {
    const event: WireEvent = { kind: 'process', pid: 7, exit: { code, signal } };
    return readEvent(event).map(({ text, failed }) => `${text} ${failed}`)[0];
  };
  expect(ended(0, null)).toBe('Process 7 ended: exit code 0. false');
  expect(ended(3, null)).toBe('Process 7 ended: exit code 3. true');
  expect(ended(null, 'SIGTERM')).toBe('Process 7 ended: SIGTERM. false');
  expect(ended(null, 'SIGSEGV')).toBe('Process 7 ended: SIGSEGV. true');
});

const padding = `"text":"${'word '.repeat(1000)}"`;
it.each([
  ['{"password":"hunter22"}', '{"password":"••••••"}'],
  ['{"count":1,"secret":12345678}', '{"count":1,"secret":"••••••"}'],
  ['started with token=zxcvbnm123456', 'started with token=••••••'],
  ['a b token=zxcvbnm123456', 'a b token=••••••'],
  ['{"a":"{\\"api_key\\":\\"abcdef123456\\"}"}', '{"a":"••••••"}'],
  [
    '{"_meta":{"progressToken":7},"nextCursor":"abc"}',
    '{"_meta":{"progressToken":7},"nextCursor":"abc"}',
  ],
  ['use ghp_abcdefghij0123456789', 'use ••••••'],
  [`{${padding},"password":"hunter22"}`, `{${padding},"password":"••••••"}`],
  [`{${padding},"secret":12345678}`, `{${padding},"secret":"••••••"}`],
  [`{${padding},"note":"ghp_abcdefghij0123456789"}`, `{${padding},"note":"••••••"}`],
])('hides what is a credential in %s', (text, expected) => {
  expect(hideSecrets(text)).toBe(expected);
});

it('hides the values of headers that sign in, and leaves the others', () => {
  expect(
    maskedHeaders([
      ['Authorization', 'Bearer abc'],
      ['X-API-Key', 'a1b2c3d4e5'],
      ['Set-Cookie', 'sid=a1b2c3d4e5f6g7; Path=/'],
      ['Mcp-Session-Id', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
      ['Content-Type', 'application/json'],
      ['Mcp-Protocol-Version', '2025-11-25'],
    ]),
  ).toEqual([
    'Authorization: Bearer ••••••',
    'X-API-Key: ••••••',
    expect.not.stringContaining('a1b2c3'),
    'Mcp-Session-Id: ••••••',
    'Content-Type: application/json',
    'Mcp-Protocol-Version: 2025-11-25',
  ]);
});
