import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { AgentTemplate } from '../../src-shared/domain/agentTemplate.ts';
import { modelConfiguration } from '../../src-shared/domain/model.ts';
import { createModelAccess } from '../adapters/llm/openChatModel.ts';
import { isRunning } from '../adapters/process/programFolder.ts';
import { noteWaits, tool } from './fakeModelServer/openTestModel.ts';
import { temporaryFolder, type TemporaryFolder } from './temporaryFolder.ts';

export const agentTools = [
  tool('add', { type: 'object', properties: { title: { type: 'string' } } }),
  tool('drop'),
];

/**
 * Writes a program that plays an agent for the tests of a file. It is told its own folder, in which it
 * leaves notes, and what to do. Opens it as a model.
 *
 * @param more further words of its command
 */
export function standInAgent(
  program: string,
  template: Partial<AgentTemplate> = {},
  more: readonly string[] = [],
) {
  let folder: TemporaryFolder;
  let opened = 0;
  beforeAll(async () => {
    folder = await temporaryFolder();
    writeFileSync(join(folder.path, 'agent.mjs'), program);
  });
  afterAll(() => folder.remove());
  return async (does: string, change: Partial<AgentTemplate> = {}, timeout = 60) => {
    const own = join(folder.path, `${does}-${(opened += 1)}`);
    mkdirSync(own);
    const command = [process.execPath, join(folder.path, 'agent.mjs'), own, does, ...more];
    const model = await createModelAccess({ timing: noteWaits() }).open(
      modelConfiguration.parse({
        provider: 'agent',
        model: 'stand-in',
        agent: { name: 'stand-in', command, ...template, ...change },
        timeout,
      }),
    );
    const read = (name: string): unknown => JSON.parse(readFileSync(join(own, name), 'utf8'));
    return { model, read, has: (name: string) => existsSync(join(own, name)) };
  };
}

/** The folders of runs that this process has left. */
export const runFolders = (): string[] =>
  readdirSync(tmpdir()).filter(
    (name) => name.startsWith('touchstone-run-') && name.includes(`-${process.pid}-`),
  );

/** Waits until the processes whose numbers an agent noted have ended. */
export async function expectEnded(pids: unknown): Promise<void> {
  for (const pid of pids as number[])
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
}
