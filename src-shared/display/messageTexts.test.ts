import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProtocolMessage } from '../domain/protocolMessage.ts';
import { addPage, filterMessages, indentJson, messageName, methodsIn } from './messageTexts.ts';

const message = (seq: number, more: Partial<ProtocolMessage> = {}): ProtocolMessage => ({
  seq,
  at: '2026-07-28T10:00:00.000Z',
  connection: 1,
  from: 'client',
  kind: 'request',
  method: 'tools/list',
  tool: null,
  messageId: String(seq),
  answers: null,
  durationMs: null,
  bytes: 2,
  failed: false,
  isCut: false,
  preview: '{}',
  ...more,
});

it.each([
  [{}, 'tools/list'],
  [{ method: 'tools/call', tool: 'add_task' }, 'tools/call add_task'],
  [{ kind: 'result', from: 'server' }, 'result of tools/list'],
  [
    { kind: 'error', from: 'server', method: 'server/discover' },
    'server/discover refused (optional)',
  ],
  [{ kind: 'error', from: 'server', method: null, failed: true }, 'error of an unknown request'],
  [{ kind: 'http', method: 'POST 200' }, 'HTTP POST 200'],
  [{ kind: 'stderr', method: null }, 'standard error'],
  [{ kind: 'process', method: null }, 'process started'],
  [{ kind: 'process', method: null, from: 'server' }, 'process ended without error'],
  [{ kind: 'process', method: null, from: 'server', failed: true }, 'process ended'],
  [{ kind: 'text', method: null }, 'not a message'],
] as const)('names %j', (more, name) => {
  expect(messageName(message(1, more))).toBe(name);
});

describe('the lines of the log', () => {
  const lines = [
    message(1),
    message(2, { from: 'server', kind: 'result' }),
    message(3, { method: 'ping', failed: true }),
  ];

  it('are filtered by direction, method and errors, newest first', () => {
    const seqs = (filter: Partial<Parameters<typeof filterMessages>[1]>) =>
      filterMessages(lines, { from: null, method: null, failedOnly: false, ...filter }).map(
        ({ seq }) => seq,
      );
    expect(seqs({})).toEqual([3, 2, 1]);
    expect(seqs({ from: 'client' })).toEqual([3, 1]);
    expect(seqs({ method: 'tools/list' })).toEqual([2, 1]);
    expect(seqs({ failedOnly: true })).toEqual([3]);
    expect(methodsIn(lines)).toEqual(['ping', 'tools/list']);
  });

  it('lose what the program dropped, and all of them after a restart', () => {
    const before = { messages: lines, firstSeq: 1, lastSeq: 3, dropped: 0 };
    const next = { messages: [message(4)], firstSeq: 3, lastSeq: 4, dropped: 2 };
    expect(addPage(before, next).messages.map(({ seq }) => seq)).toEqual([3, 4]);
    const restarted = { messages: [message(1)], firstSeq: 1, lastSeq: 1, dropped: 0 };
    expect(addPage(before, restarted).messages).toHaveLength(1);
    const cleared = { messages: [], firstSeq: 4, lastSeq: 3, dropped: 0 };
    expect(addPage(before, cleared)).toEqual(cleared);
  });
});

describe('indented JSON', () => {
  it('has one member per line, and numbers as they were sent', () => {
    expect(indentJson('{"id":12345678901234567890,"a":[1.0,{}],"b":"x, {y}: \\"z"}')).toBe(
      '{\n  "id": 12345678901234567890,\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": "x, {y}: \\"z"\n}',
    );
  });

  it('is the same value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(indentJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps a text that is cut, broken or none', () => {
    expect(indentJson('{"a":"it is c')).toBe('{\n  "a": "it is c');
    expect(indentJson(']')).toBe(']');
    expect(indentJson('Listening: on {stdio}')).toBe('Listening: on {stdio}');
    expect(indentJson('[['.repeat(50_000)).length).toBeLessThan(100_000 * 82);
  });
});
