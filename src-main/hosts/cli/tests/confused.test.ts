import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

/** Two cases that several tools satisfy: one call is one of them, the other is not. */
let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const tool = (name: string) => ({ server: 's', tool: name });
const suite = (...anyOf: string[]) => ({
  version: 1,
  name: 'any',
  servers: ['s'],
  cases: [{ id: 'a', name: 'a', query: 'Do it', expected_calls: [{ any_of: anyOf.map(tool) }] }],
});
const tools = {
  tools: ['t', 'u', 'v'].map((name) => ({
    server: 's',
    name,
    description: 'Does it.',
    input_schema: { type: 'object' },
  })),
};
/** A model that calls t, whatever is asked. */
const model = `console.log(JSON.stringify({ choices: [{ finish_reason: 'tool_calls', message: {
  role: 'assistant', tool_calls: [{ id: '1', type: 'function', function: { name: 's__t', arguments: '{}' } }] } }] }));`;

const run = async (...args: string[]): Promise<Ended> => {
  const ended = await runCommand(args, { workspace: at('workspace') });
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
};
const evaluate = (name: string): Promise<Ended> =>
  run(
    ...['eval', '--suite', name, '--tools', at('tools.json'), '--provider', 'command'],
    ...['--model', 'm', '--command', `${process.execPath} ${at('model.mjs')}`],
  );

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('model.mjs'), model);
  writeFileSync(at('tools.json'), JSON.stringify(tools));
  for (const [name, ...anyOf] of [
    ['right', 't', 'u'],
    ['wrong', 'u', 'v'],
  ] as [string, ...string[]][]) {
    writeFileSync(at(`${name}.json`), JSON.stringify({ ...suite(...anyOf), name }));
    await run('suite', 'import', at(`${name}.json`));
  }
});
afterAll(() => folder.remove());

describe('the most confused tools of a case that several tools satisfy', () => {
  it('leave out a call to one of them, in every list of the command line', async () => {
    const shown = [
      await evaluate('right'),
      await run('evaluations', 'show', '1'),
      await run('metrics', '--suite', 'right'),
    ];
    for (const { stdout } of shown) {
      expect(stdout).toContain('1 of 1 case passed');
      expect(stdout).not.toContain('Most confused');
    }
  });

  it('name a call to another tool', async () => {
    const shown = [
      await evaluate('wrong'),
      await run('evaluations', 'show', '2'),
      await run('metrics', '--suite', 'wrong'),
      await run('metrics'),
    ];
    for (const { stdout } of shown)
      expect(stdout).toMatch(/Most confused \(expected → called\):\n {2}s:u \| s:v → s:t +1(\n|$)/);
  });
});
