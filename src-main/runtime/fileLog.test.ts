import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRedactor } from '../adapters/secrets/redactor.fixture.ts';
import { temporaryFolder } from '../testing/temporaryFolder.ts';
import { createFileLog } from './fileLog.ts';

const clock = { now: () => '2026-01-02T03:04:05.678Z', monotonic: () => 0 };
const secret = 'sk-canary-0123456789abcdef';

it('T60: redacts keys in every form, in the file and in what it shows', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'touchstone.log');
  const heard: string[] = [];
  const log = createFileLog({
    file,
    clock,
    redact: createRedactor([secret]),
    also: { info: (text) => void heard.push(text), error: (text) => void heard.push(text) },
  });
  log.error(
    `401 for Bearer ${secret} and ${Buffer.from(secret).toString('base64')} and ${encodeURIComponent(secret)}`,
  );
  const written = (await readFile(file, 'utf8')) + heard.join() + log.lastLines(9).join();
  expect(written).not.toContain('canary');
  expect(written).not.toContain(Buffer.from(secret).toString('base64').slice(4, 20));
  expect(log.lastLines(9)).toHaveLength(1);
});

it('keeps an entry on one line and removes control characters', async () => {
  await using folder = await temporaryFolder();
  const log = createFileLog({ file: join(folder.path, 'log'), clock, redact: (text) => text });
  log.info('server said\n2026-01-02T03:04:05.678Z error all is lost\u001b[2J\u202e');
  expect(log.lastLines(5)).toEqual([
    '2026-01-02T03:04:05.678Z info server said ⏎ 2026-01-02T03:04:05.678Z error all is lost?[2J?',
  ]);
});

it('starts a new file at its limit and still returns the last lines', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'log');
  const log = createFileLog({ file, clock, redact: (text) => text, maxBytes: 1000 });
  for (let line = 0; line < 100; line += 1) log.info(`line ${line} ${'x'.repeat(30)}`);
  expect((await stat(file)).size + (await stat(`${file}.old`)).size).toBeLessThanOrEqual(2000);
  const lines = log.lastLines(10);
  expect(lines.map((line) => /line (\d+)/.exec(line)?.[1])).toEqual([
    '90',
    '91',
    '92',
    '93',
    '94',
    '95',
    '96',
    '97',
    '98',
    '99',
  ]);
});

it('does not throw when the file cannot be written', () => {
  const log = createFileLog({ file: '/nonexistent/folder/log', clock, redact: (text) => text });
  log.error('lost');
  expect(log.lastLines(5)).toEqual([]);
});
