import { describe, expect, it } from 'vitest';
import { LimitedLines } from './limitedLines.ts';

/** What passes, and the ids of what is left out, for a text in chunks of a size. */
async function pass(text: string, size: number) {
  const left: (string | null)[] = [];
  const lines = new LimitedLines(100, (id) => void left.push(id));
  const passed: Buffer[] = [];
  lines.on('data', (piece: Buffer) => void passed.push(piece));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) lines.write(bytes.subarray(at, at + size));
  const ended = new Promise((resolve) => lines.once('end', resolve));
  lines.end();
  await ended;
  return { passed: Buffer.concat(passed).toString(), left };
}

const long = (id: string, isLast = false): string => {
  const text = `"text":"${'é'.repeat(200)}"`;
  return isLast ? `{${text},"id":${id}}` : `{"id":${id},${text}}`;
};

describe.each([1, 7, 64, 100_000])('lines in chunks of %i bytes', (size) => {
  it('pass on as they are within the limit', async () => {
    const text = '{"id":1}\n\n{"text":"é"}\r\nlast';
    expect(await pass(text, size)).toEqual({ passed: text, left: [] });
  });

  it('are left out beyond it, one by one, with their ids', async () => {
    const text = ['{"id":1}', long('2'), '{"id":3}', long('"a"', true), long('x'), '{"id":6}', ''];
    expect(await pass(text.join('\n'), size)).toEqual({
      passed: '{"id":1}\n{"id":3}\n{"id":6}\n',
      left: ['2', '"a"', null],
    });
  });

  it('are told with the id of the request, and not with those in its arguments', async () => {
    const filled = `"text":"${'é'.repeat(200)}"`;
    const text = [
      `{"params":{"id":3,${filled},"a":[{"id":4}]},"id":5}`,
      `{"params":{"id":3},${filled}}`,
      `{"text":"\\"id\\":6,${'é'.repeat(200)}","id":"\\"b\\""}`,
      `{"id":7,"params":{"text":"} \\" {","id":8,${filled}}}`,
      `[{"id":9,${filled}}]`,
      '',
    ];
    expect(await pass(text.join('\n'), size)).toEqual({
      passed: '',
      left: ['5', null, String.raw`"\"b\""`, '7', null],
    });
  });

  it('are left out at the end of the input too', async () => {
    expect(await pass(`{"id":1}\n${long('2')}`, size)).toEqual({
      passed: '{"id":1}\n',
      left: ['2'],
    });
  });
});
