import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from './stdioTransport.ts';
import { readLine } from './readLine.ts';

const read = (text: string): unknown[] =>
  readLine(Buffer.from(text)).map((line) => (line.kind === 'message' ? line.message : line.kind));

describe('readLine', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":{}}', { jsonrpc: '2.0', id: 1, result: {} }],
    ['ready: {"jsonrpc":"2.0","id":"a","result":{}} ok', { jsonrpc: '2.0', id: 'a', result: {} }],
    ['{"jsonrpc":"2.0","id":1,"result":{},"took":3}', { jsonrpc: '2.0', id: 1, result: {} }],
    [
      '{"jsonrpc":"2.0","method":"notifications/message","params":{}}',
      { jsonrpc: '2.0', method: 'notifications/message', params: {} },
    ],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}',
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'm' } },
    ],
  ])('T19: finds the message in %s', (text, message) => {
    expect(read(text)).toEqual([message]);
  });

  test('T20: tells a malformed answer from noise', () => {
    for (const text of [
      '{"id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":1}',
      '{"jsonrpc":"2.0","id":1,"result":5}',
      '{"jsonrpc":"2.0","id":1,"error":"x"}',
    ])
      expect(read(text)).toEqual(['malformed']);
    for (const text of [
      '{"level":"info","msg":"up"}',
      '{"jsonrpc":"2.0","method":"x", "id":1',
      'plain',
      '[1, 2]',
      '{}',
      '{"id":1,"method":"request"}',
    ]) {
      expect(new Set(read(text))).toEqual(new Set(['noise']));
    }
  });

  test('reads both messages of a batch', () => {
    expect(
      read('[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]'),
    ).toHaveLength(2);
  });
});

describe('LineSplitter', () => {
  test('T19: gives the same lines however the bytes are split into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '')),
          { minLength: 1 },
        ),
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        (lines, sizes) => {
          const bytes = Buffer.from(`${lines.join('\n')}\n`);
          const seen: string[] = [];
          const splitter = new LineSplitter(
            () => 1_000_000,
            (line) => seen.push(line.toString('utf8')),
          );
          for (let at = 0; at < bytes.length;) {
            const size: unknown = sizes.next().value;
            if (typeof size !== 'number') throw new Error('no size');
            splitter.push(bytes.subarray(at, at + size));
            at += size;
          }
          expect(seen).toEqual(lines);
          expect(splitter.rest()).toHaveLength(0);
        },
      ),
    );
  });

  test('T23: accepts a line at the limit and rejects one a byte longer', () => {
    const seen: number[] = [];
    const splitter = new LineSplitter(
      () => 10,
      (line) => seen.push(line.length),
    );
    expect(splitter.push(Buffer.from(`${'x'.repeat(10)}\n`))).toBe(true);
    expect(splitter.push(Buffer.from('x'.repeat(10)))).toBe(true);
    expect(splitter.push(Buffer.from('x'))).toBe(false);
    expect(seen).toEqual([10]);
  });
});
