import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { startLineChild, type LineChild } from '../../testing/lineChild.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { identifyProcess, isAlive } from './processIdentity.ts';
import { openStore } from '../store.ts';
import { acquireWorkspaceLock, readLockHolder, type HostKind } from './workspaceLock.ts';
import { testProgram } from '../../testing/testPrograms.ts';

const program = testProgram('src-main/testing/databaseChild.ts');
const clock = tickingClock();
let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const take = (host: HostKind = 'electron') =>
  acquireWorkspaceLock({ folder: folder.path, host, clock });
const lockFile = () => join(folder.path, 'touchstone.lock');
const answer = z.record(z.string(), z.unknown());
const answerOf = async (child: LineChild) =>
  answer.parse(JSON.parse((await child.nextLine()) ?? 'null'));

async function takingChild(): Promise<LineChild> {
  const child = startLineChild(program, ['lock', folder.path]);
  expect(await child.nextLine()).toBe('"ready"');
  return child;
}

function refusal(): { error: ServiceError; milliseconds: number } {
  const start = performance.now();
  try {
    take();
  } catch (error) {
    if (error instanceof ServiceError) return { error, milliseconds: performance.now() - start };
    throw error;
  }
  throw new Error('The lock was given away twice.');
}

test('T54: refuses a second process at once and names the holder', async () => {
  await using child = await takingChild();
  child.send('take it');
  expect(await answerOf(child)).toEqual({ won: child.pid });
  const { error, milliseconds } = refusal();
  expect(error.code).toBe('CONFLICT');
  expect(error.data.thing).toContain(folder.path);
  expect(error.data.cause).toContain(`process ${child.pid}`);
  expect(error.data.cause).toContain('the touchstone command');
  expect(milliseconds).toBeLessThan(1000);
  expect(readLockHolder(folder.path)).toMatchObject({
    pid: child.pid,
    host: 'cli',
    endpoint: null,
  });

  child.kill();
  await child.ended;
  expect(readLockHolder(folder.path)).toBeNull();
  const lock = take('loopback');
  expect(readLockHolder(folder.path)).toMatchObject({ pid: process.pid, host: 'loopback' });
  lock.release();
});

test('T54: lets exactly one process take over a dead holder’s workspace', async () => {
  {
    await using dead = await takingChild();
    dead.send('take it');
    await dead.nextLine();
  }
  for (let round = 0; round < 3; round += 1) {
    const children = await Promise.all(Array.from({ length: 4 }, takingChild));
    for (const child of children) child.send('take it');
    const answers = await Promise.all(children.map(answerOf));
    const winners = answers.filter(({ won }) => won !== undefined);
    expect(winners).toHaveLength(1);
    for (const lost of answers.filter(({ won }) => won === undefined))
      expect(lost).toMatchObject({ code: 'CONFLICT', thing: expect.stringContaining(folder.path) });
    expect(readLockHolder(folder.path)?.pid).toBe(winners[0]?.['won']);
    // Killed while it holds: the next round takes over again.
    await Promise.all(children.map((child) => child[Symbol.asyncDispose]()));
  }
});

test('T54: refuses a second host of the same process and releases only its own lock', () => {
  const lock = take();
  expect(refusal().error.data.cause).toContain(`process ${process.pid}`);
  lock.release();
  const next = take('cli');
  lock.release();
  expect(readLockHolder(folder.path)).toMatchObject({ host: 'cli', nonce: next.holder.nonce });
  expect(refusal().error.code).toBe('CONFLICT');
  next.release();
  expect(readdirSync(folder.path)).toEqual(['touchstone.lock.guard']);
});

test('keeps the endpoint’s token private to the owner and out of errors', () => {
  const lock = take();
  const guard = join(folder.path, 'touchstone.lock.guard');
  expect([statSync(lockFile()).mode & 0o777, statSync(guard).mode & 0o777]).toEqual([0o600, 0o600]);
  lock.setEndpoint({ port: 4711, token: 'a-secret-token' });
  expect(readLockHolder(folder.path)?.endpoint).toEqual({ port: 4711, token: 'a-secret-token' });
  expect(statSync(lockFile()).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path).sort()).toEqual(['touchstone.lock', 'touchstone.lock.guard']);
  expect(JSON.stringify(refusal().error.data)).not.toContain('a-secret-token');
  lock.setEndpoint(null);
  expect(readLockHolder(folder.path)?.endpoint).toBeNull();
  lock.release();
  lock.setEndpoint({ port: 1, token: 'late' });
  expect(readLockHolder(folder.path)).toBeNull();
});

test('ignores a lock file with a reused pid or unreadable content', () => {
  const self = identifyProcess();
  const entry = { ...self, host: 'electron', since: clock.now(), nonce: 'old', endpoint: null };
  writeFileSync(lockFile(), JSON.stringify({ ...entry, startTime: 'an earlier boot/1' }));
  if (process.platform === 'linux') expect(readLockHolder(folder.path)).toBeNull();
  const lock = take();
  expect(readLockHolder(folder.path)?.nonce).toBe(lock.holder.nonce);
  lock.release();
  for (const rubbish of ['', '{"pid":1', '[]']) {
    writeFileSync(lockFile(), rubbish);
    expect(readLockHolder(folder.path)).toBeNull();
    take().release();
  }
});

test('respects a living holder where the file system has no working locks', () => {
  const self = identifyProcess();
  if (self.startTime === null) return;
  writeFileSync(
    lockFile(),
    JSON.stringify({
      ...self,
      host: 'electron',
      since: clock.now(),
      nonce: 'other',
      endpoint: null,
    }),
  );
  expect(refusal().error.data.cause).toContain(`process ${self.pid}`);
  expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toMatchObject({ nonce: 'other' });
});

test('knows which processes are alive', async () => {
  expect(isAlive(identifyProcess())).toBe(true);
  await using child = await takingChild();
  const identity = identifyProcess(child.pid);
  expect(isAlive(identity)).toBe(true);
  child.kill();
  await child.ended;
  expect(isAlive(identity)).toBe(false);
  expect(isAlive({ pid: child.pid, startTime: null })).toBe(false);
});

test.runIf(process.platform === 'linux')('counts a zombie process as ended', async () => {
  // The shell becomes a program that never collects the child that it began; its output ends with
  // that child.
  const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 60 >/dev/null 3<&-'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  try {
    const line = await once(parent.stdout ?? parent, 'data');
    const identity = identifyProcess(Number(String(line[0])));
    expect(isAlive(identity)).toBe(true);
    // A shell that is still one would collect the child.
    await expect
      .poll(() => readFileSync(`/proc/${String(parent.pid)}/comm`, 'utf8'))
      .toBe('sleep\n');
    const ended = once(parent.stdout ?? parent, 'end');
    const input = parent.stdio[3];
    if (input === null || input === undefined || !('end' in input))
      throw new Error('There is no third stream.');
    input.end();
    await ended;
    await expect.poll(() => isAlive(identity)).toBe(false);
    expect(readFileSync(`/proc/${identity.pid}/stat`, 'utf8')).toContain(') Z ');
  } finally {
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  }
});

test('T54: names the process that blocks a write, within the time limit', async () => {
  const file = join(folder.path, 'touchstone.sqlite');
  const db = openDatabase({
    file,
    migrationsFolder: realMigrationsFolder,
    clock,
    access: 'write',
    busyTimeoutMs: 100,
  });
  const store = openStore(db, { clock, nextId: () => 'suite' });
  await using child = startLineChild(program, ['hold-write-lock', file, realMigrationsFolder]);
  expect(await child.nextLine()).toBe('"holding"');
  const start = performance.now();
  const insert = () => store.suites.insert({ name: 'S', system: null, messages: [], servers: [] });
  expect(insert).toThrow(
    expect.objectContaining({
      code: 'TROUBLE',
      message: expect.stringContaining(`process ${child.pid} (loopback)`),
    }),
  );
  expect(performance.now() - start).toBeLessThan(5000);
  child.send('let go');
  expect(await child.nextLine()).toBe('"released"');
  expect(insert()).toMatchObject({ name: 'S' });
  db.close();
});

test('rolls back only the nested transaction that failed', () => {
  const db = openDatabase({
    file: join(folder.path, 'touchstone.sqlite'),
    migrationsFolder: realMigrationsFolder,
    clock,
    access: 'write',
  });
  let ids = 0;
  const store = openStore(db, { clock, nextId: () => `id ${(ids += 1)}` });
  const suite = (name: string) =>
    store.suites.insert({ name, system: null, messages: [], servers: [] });
  store.transaction(() => {
    suite('outer');
    const inner = () =>
      store.transaction(() => {
        suite('inner');
        suite('outer');
      });
    expect(inner).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  });
  expect(store.suites.list().map(({ name }) => name)).toEqual(['outer']);
  expect(() => store.transaction(async () => suite('late'))).toThrow(/promise/);
  expect(store.suites.list()).toHaveLength(1);
  db.close();
});
