import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  optimizationResult,
  optimizationSpend,
  optimizationStep,
} from '../../../../src-shared/domain/optimization.ts';
import { plantDamage } from '../../../optimize/planted.fixture.ts';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { startFakeModelServer } from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { officialSdks } from '../../../testing/testPrograms.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);

/** What `--json` prints, and nothing more. */
const answerShape = z.strictObject({
  status: z.string(),
  unit: z.enum(['case', 'task']),
  stopped: z.string().nullable(),
  objective: z.string(),
  seed: z.number(),
  candidates: z.number(),
  estimate: optimizationSpend,
  typical: optimizationSpend,
  warnings: z.array(z.string()),
  proof_rank: z.number().nullable(),
  assumes_first_proof: z.boolean(),
  spent: optimizationSpend,
  result: optimizationResult.nullable(),
  steps: z.array(optimizationStep),
});
const read = (stdout: string) => answerShape.parse(JSON.parse(stdout));

const toolsFile = z.object({
  tools: z.array(z.looseObject({ name: z.string(), description: z.string() })),
});
const patchFile = z.array(
  z.object({ op: z.enum(['test', 'add']), path: z.string(), value: z.string() }),
);

/** Four tools that work and eight with a sentence of their neighbor, with eight cases each. */
const kept = 12;

beforeAll(async () => {
  folder = await temporaryFolder();
  const { whole, damaged, cases } = plantDamage();
  // The fixture damages its first 20 tools; the last ten are whole.
  const chosen = [...damaged.slice(0, 8), ...damaged.slice(26)];
  expect(chosen).toHaveLength(kept);
  const names = new Set(chosen.map(({ name }) => name));
  const tools = (list: readonly (typeof whole)[number][]): string =>
    JSON.stringify({
      tools: list
        .filter(({ name }) => names.has(name))
        .map(({ server, name, description, inputSchema }) => ({
          server,
          name,
          description,
          inputSchema,
        })),
    });
  await writeFile(at('damaged.json'), tools(chosen));
  await writeFile(at('whole.json'), tools(whole));
  await writeFile(
    at('suite.json'),
    JSON.stringify({
      version: 1,
      name: 'planted',
      servers: ['office'],
      cases: cases
        .filter(({ id }) => names.has(id.slice(0, id.lastIndexOf('-'))))
        .map(({ id, query, expectedCalls }) => ({
          id,
          name: id,
          query,
          expected_calls: expectedCalls,
        })),
    }),
  );
});
afterAll(() => folder.remove());

/** An agent that calls the tool whose description shares the most words with the request. */
const agent = `
import { Client, StdioClientTransport } from '${officialSdks()}';
import { readFileSync } from 'node:fs';
const [config, prompt] = process.argv.slice(2);
const { office } = JSON.parse(readFileSync(config, 'utf8')).mcpServers;
const client = new Client({ name: 'stand-in', version: '1.0.0' });
await client.connect(new StdioClientTransport(office));
const words = (text) => new Set(text.toLowerCase().match(/[a-z]{3,}/g) ?? []);
const asked = words(prompt);
const ranked = (await client.listTools()).tools
  .map(({ name, description }) => ({
    name,
    shared: [...words(name + ' ' + description)].filter((word) => asked.has(word)).length,
  }))
  .toSorted((a, b) => b.shared - a.shared);
await client.callTool({ name: ranked[0].name, arguments: {} });
`;

function optimize(tools: string, ...more: string[]): Promise<Ended> {
  const provider = more.includes('--provider') ? [] : ['--provider', 'builtin'];
  return runCommand(
    ['optimize', '--suite', at('suite.json'), '--tools', at(tools), ...provider, ...more],
    { workspace: at('workspace') },
  );
}

describe('touchstone optimize', () => {
  it('exits with 0 if a candidate is proven, and writes every export', async () => {
    const { code, stdout, stderr } = await optimize(
      'damaged.json',
      ...['--json', '--out', at('patch.json'), '--diff', at('tools.diff')],
      ...['--markdown', at('request.md'), '--tools-out', at('better.json')],
    );
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.any(String) });
    const { result, steps, ...answer } = read(stdout);
    expect(answer).toMatchObject({ status: 'accepted', objective: 'accuracy', seed: 42 });
    expect(answer).toMatchObject({ warnings: [], proof_rank: 1, assumes_first_proof: true });
    expect(stderr).toContain('The level assumes that this is the first proof');
    expect(steps).toHaveLength(answer.candidates);
    if (result === null) throw new Error('It was proven without a result.');
    const { edits, won, lost, pValue, level, passedBefore, passedAfter } = result;
    expect(pValue).toBeLessThanOrEqual(level);
    expect(passedAfter - passedBefore).toBe(won - lost);

    // Applied to the tools file, the patch gives the proven texts and changes nothing else.
    const { tools } = toolsFile.parse(JSON.parse(await readFile(at('damaged.json'), 'utf8')));
    const patch = patchFile.parse(JSON.parse(await readFile(at('patch.json'), 'utf8')));
    const patched = structuredClone(tools);
    for (const { op, path, value } of patch) {
      const [, list, index, field] = path.split('/');
      const tool = patched[Number(index)];
      expect(list).toBe('tools');
      if (!tool || (field !== 'name' && field !== 'description'))
        throw new Error(`It changes ${path}.`);
      if (op === 'test') expect(tool[field]).toBe(value);
      else tool[field] = value;
    }
    const expected = tools.map(({ name, description, ...rest }) => {
      const edit = edits.find(({ toolId }) => toolId === `office:${name}`);
      return { ...rest, name, description: edit?.newText ?? description };
    });
    expect(patched).toEqual(expected);
    expect(patched).not.toEqual(tools);
    const whole = toolsFile.parse(JSON.parse(await readFile(at('better.json'), 'utf8')));
    expect(whole.tools).toEqual(expected);

    const diff = await readFile(at('tools.diff'), 'utf8');
    const markdown = await readFile(at('request.md'), 'utf8');
    for (const { oldText, newText } of edits) {
      expect(diff).toContain(`-${oldText}\n`);
      expect(diff).toContain(`+${newText}\n`);
    }
    expect(markdown).toContain(diff.trimEnd());
    expect(markdown).toContain('on suite planted');
    expect(markdown).not.toContain('Not proven');
    expect(markdown).toContain('The level assumes that this is the first proof');
  });

  it('says before the search that too few held-out cases can prove fewer tokens', async () => {
    const { stdout, stderr } = await optimize(
      'whole.json',
      ...['--json', '--objective', 'tokens', '--steps', '1'],
    );
    const { warnings } = read(stdout);
    expect(warnings[0]).toContain('Proof 1 on this half needs at least 173 held-out cases');
    for (const warning of warnings) expect(stderr).toContain(`warning: ${warning}`);
  });

  it('edits only the tools that it is given', async () => {
    const { stdout } = await optimize('damaged.json', '--json', '--tool', 'office:badge');
    const { steps } = read(stdout);
    expect(steps.length).toBeGreaterThan(0);
    const edited = steps.flatMap(({ edits }) => edits.map(({ toolId }) => toolId));
    expect(new Set(edited)).toEqual(new Set(['office:badge']));
  });

  it('tries a candidate with an agent, which plays the cases with its texts', async () => {
    await writeFile(at('agent.mjs'), agent);
    const command = [process.execPath, './agent.mjs', '{{mcp_config}}', '{{prompt}}'];
    await writeFile(at('agent.yaml'), JSON.stringify({ name: 'words', command }));
    const suite = z
      .looseObject({ cases: z.array(z.looseObject({ id: z.string() })) })
      .parse(JSON.parse(await readFile(at('suite.json'), 'utf8')));
    const cases = suite.cases.filter(({ id }) => id.startsWith('badge-'));
    await writeFile(at('badge.json'), JSON.stringify({ ...suite, cases }));
    const { stdout } = await runCommand(
      [
        ...['optimize', '--suite', at('badge.json'), '--tools', at('damaged.json'), '--json'],
        ...['--provider', 'agent', '--agent', at('agent.yaml')],
        ...['--tool', 'office:ledger', '--steps', '2'],
      ],
      { workspace: at('workspace') },
    );
    const { steps, spent } = read(stdout);
    expect(steps).toMatchObject([
      { result: 'best', screening: { passed: 5, before: 0, cases: 5 }, passRate: 1 },
    ]);
    expect(spent.calls).toBeGreaterThanOrEqual(5);
  });

  it('exits with 1 if nothing is proven, and writes no file', async () => {
    const { code, stdout } = await optimize('whole.json', '--out', at('nothing.json'));
    expect(code).toBe(1);
    expect(stdout).toContain('No candidate was better on the search half.');
    expect(await readdir(folder.path)).not.toContain('nothing.json');
  });

  it('stops at its budget and says so', async () => {
    const { code, stdout } = await optimize('damaged.json', '--json', '--budget', 'calls=80');
    const answer = read(stdout);
    expect(answer.stopped).toBe('budget');
    expect(answer.spent.calls).toBeLessThanOrEqual(80);
    expect(answer.estimate.calls).toBeLessThanOrEqual(80);
    expect([0, 1]).toContain(code);
  });

  it.each([
    ['an unknown objective', ['--objective', 'speed'], '--objective'],
    ['an unknown limit', ['--budget', 'dollars=1'], '--budget'],
    ['a limit without a number', ['--budget', 'calls=some'], '--budget calls=some'],
    ['half a call', ['--budget', 'calls=1.5'], '--budget calls=1.5'],
    ['no candidates at all', ['--steps', '0'], '--steps'],
    ['an unknown proposer', ['--proposer', 'magic'], '--proposer'],
    ['a proposer without a model', ['--proposer', 'openai'], '--proposer openai'],
    ['an agent without a name', ['--provider', 'agent'], 'Give --agent NAME'],
    ['an agent as proposer', ['--proposer', 'agent'], 'An agent plays cases'],
    ['a proposer that writes no text', ['--proposer', 'builtin'], 'writes no text'],
    ['a tool that is not in the file', ['--tool', 'office:bagde'], 'Did you mean office:badge?'],
    ['a patch that can’t be written', ['--out', '/nowhere/at/all.json'], '/nowhere/at/all.json'],
  ])('exits with 2 for %s', async (_what, more, named) => {
    const { code, stdout, stderr } = await optimize('damaged.json', ...more);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(named);
  });

  it('exits with 3 if the model under test scores nothing, and searches nothing', async () => {
    await using server = await startFakeModelServer({ key: 'another key' });
    const { code, stdout, stderr } = await optimize(
      'damaged.json',
      ...['--provider', 'openai-compatible', '--model', 'fake-model'],
      ...['--base-url', `${server.origin}/v1`],
    );
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('could be scored');
  });

  it('exits with 3 if the proposer does not answer, and can be told from “nothing proven”', async () => {
    await using server = await startFakeModelServer({ key: 'another key' });
    const { code, stdout } = await optimize(
      'damaged.json',
      '--json',
      ...['--proposer', 'openai-compatible', '--proposer-model', 'writer'],
      ...['--proposer-url', `${server.origin}/v1`],
    );
    expect(code).toBe(3);
    expect(read(stdout)).toMatchObject({ status: 'failed', result: null, steps: [] });
    expect(read(stdout).stopped).toContain('writer');
  });
});
