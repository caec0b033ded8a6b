import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import { sealKeyVariable, sealOf } from '../../../runtime/seal.ts';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { compareRows } from '../input/partRows.ts';
import { scanPart } from '../../../services/runs/merge/partFile.ts';
import { verifyReport } from '../../../verify/verifyReport.ts';

type Unit = 'cases' | 'tasks';
type Shard = Record<string, unknown> & { index: number };
type Part = Record<string, unknown> & { shard: Shard };

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (args: string[], env = {}): Promise<Ended> =>
  runCommand(args, { workspace: at('workspace'), env });

const names = ['send', 'read'];
beforeAll(async () => {
  folder = await temporaryFolder();
  const tools = names.map((name) => ({
    ...{ server: 'mail', name: `${name}_message`, description: `To ${name} a message.` },
    input_schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  }));
  writeFileSync(at('tools.json'), JSON.stringify({ tools }));
  const cases = Array.from({ length: 6 }, (_, number) => ({
    ...{ id: `c${number}`, name: `Case ${number}` },
    query: `${number % 4 === 0 ? 'Do something with' : names[number % 2]} message ${number}`,
    expected_calls: [
      {
        ...{ server: 'mail', tool: `${names[number % 2] ?? ''}_message` },
        parameters: { id: number === 5 ? -1 : number },
      },
    ],
  }));
  const tasks = Array.from({ length: 4 }, (_, number) => ({
    ...{ id: `t${number}`, name: `Task ${number}` },
    turns: [`${names[number % 2]} message ${number}`],
    checks: [
      { calls: { must: [`${names[number % 2] ?? ''}_message`] } },
      { answer: { $contains: number < 2 ? 'nothing of this kind' : 'found' } },
    ],
    stub_results: names.map((name) => ({
      ...{ server: 'mail', tool: `${name}_message`, result: { found: `${name} ${number}` } },
    })),
  }));
  const suite = { version: 1, name: 'mail', servers: ['mail'], cases: [...cases, ...tasks] };
  writeFileSync(at('suite.json'), JSON.stringify(suite));
  for (const unit of ['cases', 'tasks'])
    for (const index of [1, 2]) await evaluate(unit as Unit, index, at(`${unit}-${index}.json`));
});
afterAll(() => folder.remove());

async function evaluate(unit: Unit, index: number, file: string, env = {}): Promise<void> {
  const { code, stderr } = await run(
    [
      ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), '--quiet'],
      ...['--only', unit, '--provider', 'builtin', '--shard', `${index}/2`, '--report', file],
    ],
    env,
  );
  expect(code, stderr).toBe(0);
}

/** How many values of runs and rows differ; Infinity where they can't be read. */
async function differencesOfRows(path: string): Promise<number> {
  const { head, ...scanned } = await scanPart(path);
  const part = { ...scanned, path, head: JSON.parse(head) as unknown };
  return compareRows(part).then(
    ({ length }) => length,
    () => Infinity,
  );
}

const read = (file: string): Part => JSON.parse(readFileSync(file, 'utf8')) as Part;

/** The member of a list that a step of a path means. */
const finders: Record<string, (item: unknown) => boolean> = {
  '@FN': (item) => JSON.stringify(item).includes(String.raw`\"classification\":\"FN\"`),
  '@TP': (item) => JSON.stringify(item).includes(String.raw`\"classification\":\"TP\"`),
  '@failed': (item) => JSON.stringify(item).includes('"check_failed"'),
};

/** A copy with another value at a path; texts on the way are read as JSON, `+` merges an object. */
function changed(value: unknown, [step, ...rest]: readonly string[], to: unknown): unknown {
  if (step === undefined) return to;
  if (typeof value === 'string')
    return JSON.stringify(changed(JSON.parse(value), [step, ...rest], to));
  if (step === '+') return { ...(value as object), ...(to as object) };
  if (!Array.isArray(value)) {
    const owner = value as Record<string, unknown>;
    return { ...owner, [step]: changed(owner[step], rest, to) };
  }
  const found = finders[step];
  const at = found ? value.findIndex(found) : Number(step);
  expect(at).toBeGreaterThanOrEqual(0);
  const more = to === undefined && rest.length === 0 ? [] : [changed(value[at], rest, to)];
  return value.toSpliced(at, 1, ...more);
}

/** The seal that anybody can make of a changed part. */
function resealed({ shard, ...part }: Part): Part {
  const { seal: _, ...content } = shard;
  const text = canonicalJson([
    ...[part['evaluation_id'], part['suite'], part['reason'], content],
  ] as JsonValue);
  return { ...part, shard: { ...shard, seal: sealOf(text, null) } };
}

const send = 'mail:send_message';
/** A missed call as a right one, in the stored score alone. */
const right = {
  ...{ classification: 'TP', toolSelectionCorrect: true, parameterCompleteness: 1 },
  ...{ parameterCorrectness: 1, parameterTypeConformance: true, missingParameters: [] },
  ...{ passed: true, recommendations: [], units: [{ expected: send, selected: send }] },
};
const notStarted = { status: 'pending', score: null, observation: null };
const noReply = { status: 'failed', failure: 'provider', error: 'no reply', score: null };
const free = { inputUsd: 0, outputUsd: 0, source: 'own', date: '2026-01-01' };
const solved = {
  ...{ outcome: 'succeeded', succeeded: true },
  checks: ['calls', 'answer'].map((kind, at) => ({
    ...{ id: `check-${at + 1}`, kind, passed: true, reason: 'Fine.' },
  })),
};
const notPlayed = {
  ...{ status: 'pending', outcome: null, verdict: null, facts: null, trajectory: null },
};

/** Edits of one part: of its runs, of what they were asked, and of what its report says. */
const edits: [Unit, path: string, to: unknown][] = [
  ['cases', 'shard.runs.@FN.score.+', right],
  ['cases', 'shard.runs.@FN.score.passed', true],
  ['cases', 'shard.runs.@FN.score.classification', 'TP'],
  ['cases', 'shard.runs.@FN.score.units.0.selected', send],
  ['cases', 'shard.runs.@FN.score.confidenceCategory', 'robust'],
  ['cases', 'shard.runs.@FN.score.reasoning', 'Fine.'],
  ['cases', 'shard.runs.@TP.score.matchedParameters', 9],
  ['cases', 'shard.runs.@TP.score.parameterCompleteness', 0.5],
  ['cases', 'shard.runs.@TP.score.hallucinatedParameters', ['x']],
  ['cases', 'shard.runs.@FN.score', null],
  ['cases', 'shard.runs.@FN.scorer', 'touchstone-scorer/4'],
  ['cases', 'shard.runs.@FN.observation.calls.0.tool', 'other_message'],
  ['cases', 'shard.runs.@TP.observation.calls.0.arguments', { id: 'x' }],
  ['cases', 'shard.runs.@TP.observation.calls', []],
  ['cases', 'shard.runs.@FN.observation.confidence.score', 0.9],
  ['cases', 'shard.runs.@FN.observation.usage', { input: 1, output: 1, source: 'measured' }],
  ['cases', 'shard.runs.@FN.observation', null],
  ['cases', 'shard.runs.@FN.status', 'failed'],
  ['cases', 'shard.runs.@FN.+', noReply],
  ['cases', 'shard.runs.@FN.+', notStarted],
  ['cases', 'shard.runs.@TP.error', 'no reply'],
  ['cases', 'shard.runs.@FN.is_current', false],
  ['cases', 'shard.runs.@FN.attempt', 2],
  ['cases', 'shard.runs.@FN.repetition', 2],
  ['cases', 'shard.runs.@FN.position', 2],
  ['cases', 'shard.runs.@FN.execution_time_ms', 9_999],
  ['cases', 'shard.runs.@FN.run_id', 'other'],
  ['cases', 'shard.runs.@FN.model_id', 'other'],
  ['cases', 'shard.runs.@FN', undefined],
  ['cases', 'shard.cases.0.content.expectedCalls.0.tool', 'read_message'],
  ['cases', 'shard.cases.0.content.query', 'Read it'],
  ['cases', 'shard.cases.0.key', 'other'],
  ['cases', 'shard.settings.highConfidence', 0],
  ['cases', 'shard.settings.passedWhen', 'selection'],
  ['cases', 'shard.tools.0.tool.inputSchema', { type: 'object' }],
  ['cases', 'shard.tools.0.raw.description', 'Other.'],
  ['cases', 'shard.tools.0.tool.description', 'Other.'],
  ['cases', 'shard.servers.0.status', 'failed'],
  ['cases', 'shard.models.0.settings.model', 'better'],
  ['cases', 'shard.models.0.price', JSON.stringify(free)],
  ['cases', 'suite', 'other'],
  ['cases', 'runs.0.passed', true],
  ['cases', 'runs.0.case_hash', 'a'.repeat(64)],
  ['cases', 'tools.0.hash', 'a'.repeat(64)],
  ['cases', 'metrics.pass_rate.value', 1],
  ['cases', 'verdict.headline', 'All passed.'],
  ['tasks', 'shard.runs.@failed.outcome', 'succeeded'],
  ['tasks', 'shard.runs.@failed.failure', 'server'],
  ['tasks', 'shard.runs.@failed.verdict.checks.1.passed', true],
  ['tasks', 'shard.runs.@failed.+', { outcome: 'succeeded', verdict: JSON.stringify(solved) }],
  ['tasks', 'shard.runs.@failed.trajectory.steps.1.text', 'nothing of this kind'],
  ['tasks', 'shard.runs.@failed.trajectory.steps.0.calls', []],
  ['tasks', 'shard.runs.@failed.trajectory.end', { by: 'refused' }],
  ['tasks', 'shard.runs.@failed.facts.calls', 0],
  ['tasks', 'shard.runs.@failed.facts.unwantedEffects', 3],
  ['tasks', 'shard.runs.@failed.facts.spend.usd', 5],
  ['tasks', 'shard.runs.@failed.verdict', null],
  ['tasks', 'shard.runs.@failed.+', notPlayed],
  ['tasks', 'shard.tasks.0.content.checks.1', undefined],
  ['tasks', 'shard.tools.1.tool.description', 'Other.'],
  ['tasks', 'shard.servers.0.server', 'other'],
  ['tasks', 'runs.0.outcome', 'succeeded'],
  ['tasks', 'runs.0.task_hash', 'a'.repeat(64)],
  ['tasks', 'tasks.success_rate.value', 1],
];

describe('a part that was changed', () => {
  it('is unlike one that was not', async () => {
    for (const unit of ['cases', 'tasks'])
      expect(await differencesOfRows(at(`${unit}-1.json`))).toBe(0);
  });

  it.each(edits)('is refused by merge, with a new seal too: %s, %s', async (unit, path, to) => {
    const original = read(at(`${unit}-1.json`));
    const part = changed(original, path.split('.'), to) as Part;
    expect(part).not.toEqual(original);
    writeFileSync(at('forged.json'), JSON.stringify(resealed(part)));
    const parts = [at('forged.json'), at(`${unit}-2.json`)];
    const { code, stdout, stderr } = await run(['merge', ...parts, '--json']);
    expect([code, stdout], stderr).toEqual([2, '']);
    // With the old seal, a recount of this part alone shows it.
    expect(verifyReport(part)?.differences.length).toBeGreaterThan(0);
    // A part that is too large to be recounted is compared run by run.
    if (
      path.startsWith('shard.runs.') &&
      !/\.(scorer?|verdict|observation|trajectory)\b/.test(path)
    )
      expect(await differencesOfRows(at('forged.json'))).not.toBe(0);
  });

  it.each(['cases', 'tasks'] as const)(
    'is refused in all places, if parts of %s are signed',
    async (unit) => {
      const env = { [sealKeyVariable]: 'a key that the machines of a build share' };
      const files = [1, 2].map((index) => at(`signed-${unit}-${index}.json`));
      for (const [place, file] of files.entries()) await evaluate(unit, place + 1, file, env);
      const merged = await run(['merge', ...files, '--json'], env);
      expect(merged.code, merged.stderr).toBe(0);
      const refused = async (given: string[], variables: object): Promise<string> => {
        const { code, stderr } = await run(['merge', ...given], variables);
        expect(code, stderr).toBe(2);
        return stderr;
      };
      expect(await refused(files, {})).toContain(`${sealKeyVariable} isn’t set here`);
      expect(await refused(files, { [sealKeyVariable]: 'another' })).toContain('another key');
      const plain = [1, 2].map((index) => at(`${unit}-${index}.json`));
      expect(await refused(plain, env)).toContain('isn’t signed');
      // Settings that all parts share, and no row shows: only a key gives this away.
      const both = files.map((file, index) => {
        const part = changed(read(file), ['shard', 'settings', 'seed'], 9) as Part;
        writeFileSync(at(`both-${index}.json`), JSON.stringify(resealed(part)));
        return at(`both-${index}.json`);
      });
      expect(await refused(both, env)).toContain('isn’t signed');
    },
  );

  it.each(['cases', 'tasks'] as const)(
    'is refused where a tool of its %s is there twice, and a recount shows it',
    async (unit) => {
      const original = read(at(`${unit}-1.json`));
      const { tools } = original.shard as unknown as { tools: unknown[] };
      const part = resealed(changed(original, ['shard', 'tools'], [...tools, tools[0]]) as Part);
      writeFileSync(at('forged.json'), JSON.stringify(part));
      const { code, stderr } = await run(['merge', at('forged.json'), at(`${unit}-2.json`)]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('shard.tools.length is 3, recounted 2.') as string,
      ]);
      expect(verifyReport(part)?.differences).toHaveLength(1);
    },
  );

  it('names where it is not as it was written', async () => {
    const part = changed(read(at('cases-1.json')), ['shard', 'servers', '0', 'status'], 7) as Part;
    writeFileSync(at('forged.json'), JSON.stringify(resealed(part)));
    const { code, stderr } = await run(['merge', at('forged.json'), at('cases-2.json')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /One of them was changed after it was written \(0\.status: Invalid option: [^{\n]+\)\./,
    );
  });

  it('is refused without its seal', async () => {
    const part = changed(read(at('cases-1.json')), ['shard', 'seal'], undefined);
    writeFileSync(at('forged.json'), JSON.stringify(part));
    const { code, stderr } = await run(['merge', at('forged.json'), at('cases-2.json')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Part 1 has no seal') as string]);
  });
});
