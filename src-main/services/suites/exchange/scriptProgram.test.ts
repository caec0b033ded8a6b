import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { programOfScript } from './scriptProgram.ts';

test.each([
  [{ file: 'verify.sh' }, ['./verify.sh'], 300],
  [{ file: '../checks/verify.sh', timeout: '2m' }, ['../checks/verify.sh'], 120],
  [{ inline: 'test -f a', timeout: '1m30s' }, ['sh', '-c', 'test -f a'], 90],
  [{ inline: '#!/usr/bin/env python3\nexit(1)', timeout: '2h' }, ['python3', '-c', 'exit(1)'], 600],
])('a script of a task becomes a program: %j', (script, words, timeout) => {
  const program = programOfScript(script);
  expect(program?.command.slice(4)).toEqual(words);
  expect(program?.timeout).toBe(timeout);
});

test.each([[{}], [{ inline: '#!/usr/bin/awk -f\n{print}' }]])(
  'a script that nothing here can start is none: %j',
  (script) => {
    expect(programOfScript(script)).toBeNull();
  },
);

test.skipIf(process.platform === 'win32').each([
  ['exit 0', 0, { passed: true }],
  ['echo noise; exit 3', 0, { passed: false, reason: 'The script ended with exit code 3.' }],
  ['exit 127', 127, null],
])('its exit code is its verdict: %s', (inline, status, verdict) => {
  const [program = '', ...args] = programOfScript({ inline })?.command ?? [];
  const ended = spawnSync(program, args, { encoding: 'utf8' });
  expect(ended.status).toBe(status);
  expect(ended.stdout === '' ? null : JSON.parse(ended.stdout)).toEqual(verdict);
});
