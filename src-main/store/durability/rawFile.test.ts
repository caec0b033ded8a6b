import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/testDatabase.ts';
import { readRaw } from './rawFile.ts';

/** The file locks of this process, as Linux lists them. */
const countLocks = () =>
  readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(` ${process.pid} `)).length;

test('keeps the locks of a connection when its file is read directly', ({ skip }) => {
  skip(process.platform !== 'linux', 'only Linux lists the locks of a process');
  using at = createTestDatabase();
  const before = countLocks();
  expect(before).toBeGreaterThan(1);
  expect(readRaw(at.file, (handle) => handle)).toBeGreaterThan(2);
  expect(countLocks()).toBe(before);
});
