import { expect, test } from 'vitest';
import { programOfScript } from './scriptProgram.ts';

test.each([
  [{ file: 'verify.sh' }, ['./verify.sh'], 300],
  [{ file: '../checks/verify.sh', timeout: '2m' }, ['../checks/verify.sh'], 120],
  [{ inline: 'test -f a', timeout: '1m30s' }, ['sh', '-c', 'test -f a'], 90],
  [{ inline: '#!/usr/bin/env python3\nexit(1)', timeout: '2h' }, ['python3', '-c', 'exit(1)'], 600],
])('a script of a task becomes a program: %j', (script, words, timeout) => {
  expect(programOfScript(script)).toEqual({ command: words, timeout, exit_code: true });
});

test.each([[{}], [{ inline: '#!/usr/bin/awk -f\n{print}' }]])(
  'a script that nothing here can start is none: %j',
  (script) => {
    expect(programOfScript(script)).toBeNull();
  },
);
