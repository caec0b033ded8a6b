import Database from 'better-sqlite3';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { optimization, type Optimization } from '../../../src-shared/domain/optimization.ts';
import { runCommand } from '../../testing/commandLine.ts';
import type { Reaction, SeenRequest } from '../../testing/fakeModelServer/react.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { startLineChild } from '../../testing/lineChild.ts';
import { sampled } from '../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { testProgram } from '../../testing/testPrograms.ts';

const child = testProgram('src-main/testing/optimizeChild.ts');
const words = ['sweep', 'polish', 'measure', 'repair', 'paint', 'inspect'];

let folder: TemporaryFolder;
let server: FakeModelServer;
const at = (name: string): string => join(folder.path, name);

/** Calls the tool whose description says a word of the request, else none. */
function byWords({ query, body }: SeenRequest): Reaction {
  const tools = (body['tools'] ?? []) as { function: { name: string; description?: string } }[];
  const found = tools.find(({ function: { description = '' } }) =>
    words.some((word) => query.includes(word) && description.includes(word)),
  );
  return found
    ? { does: 'answer', calls: [{ name: found.function.name, arguments: {} }] }
    : { does: 'answer', text: 'There is no tool for it.' };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startFakeModelServer({ rule: byWords });
  await writeFile(
    at('suite.json'),
    JSON.stringify({
      version: 1,
      name: 'house',
      servers: ['s'],
      cases: Array.from({ length: 60 }, (_, n) => ({
        id: `case-${n}`,
        name: `case ${n}`,
        query: `Please ${words[n % 6] ?? ''} and ${words[(n + 1) % 6] ?? ''} it, number ${n}`,
        expected_calls: [{ server: 's', tool: 'clean_house' }],
      })),
    }),
  );
  const tool = (name: string, description: string) => ({
    server: 's',
    name,
    description,
    input_schema: { type: 'object' },
  });
  await writeFile(
    at('tools.json'),
    JSON.stringify({
      tools: [
        // Both have the description of the other.
        tool('clean_house', 'Waters a garden with its flowers, hedges, and lawn.'),
        tool(
          'water_garden',
          'Cleans a house: can sweep, polish, measure, repair, paint, and inspect it.',
        ),
      ],
    }),
  );
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});

/** A workspace with the evaluation that every optimization of this file starts from. */
async function evaluated(): Promise<string> {
  const workspace = at('evaluated');
  const imported = await runCommand(['suite', 'import', at('suite.json')], { workspace });
  const evaluation = await runCommand(
    [
      ...['eval', '--suite', 'house', '--tools', at('tools.json'), '--allow-failed', '0'],
      ...['--provider', 'openai-compatible', '--model', 'fake-model'],
      ...['--base-url', `${server.origin}/v1`, '--concurrency', '4'],
    ],
    { workspace },
  );
  expect({ imported, evaluation }).toMatchObject({
    imported: { code: 0 },
    evaluation: { code: 0 },
  });
  return workspace;
}

/** What a workspace holds, read while no program has it open. */
function stored(workspace: string): { evaluationId: string; answers: string[] } {
  const db = new Database(join(workspace, 'touchstone.sqlite'), { readonly: true });
  try {
    const answers = db
      .prepare<[], string>(
        "SELECT evaluation_id || '/' || position FROM test_runs WHERE status = 'completed'",
      )
      .pluck()
      .all();
    const evaluationId = db
      .prepare<[], string>('SELECT id FROM evaluations ORDER BY number LIMIT 1')
      .pluck()
      .get();
    return { evaluationId: evaluationId ?? '', answers };
  } finally {
    db.close();
  }
}

/** Runs the optimization of a workspace to its end, or kills it at the given request. */
async function run(workspace: string, killAt: number | null): Promise<Optimization | null> {
  const { evaluationId } = stored(workspace);
  await using program = startLineChild(child, [workspace, evaluationId]);
  if (killAt === null) {
    const line = await program.nextLine();
    expect(await program.ended).toBe(0);
    return optimization.parse(JSON.parse(line ?? 'null'));
  }
  await server.seen(killAt);
  program.kill();
  expect(await program.ended).toBeNull();
  return null;
}

/** How much of the search is done at each kill. */
const shares = [0.05, 0.3, 0.5, 0.75, 0.95];

it('goes on after each SIGKILL with every stored answer, and ends like an unbroken search', async () => {
  const origin = await evaluated();
  const before = server.requests.length;
  await cp(origin, at('unbroken'), { recursive: true });
  await cp(origin, at('killed'), { recursive: true });

  const unbroken = await run(at('unbroken'), null);
  const asked = server.requests.length - before;
  expect(unbroken).toMatchObject({ state: 'accepted', spent: { calls: asked } });

  const start = server.requests.length;
  const base = stored(at('killed')).answers.length;
  let answers: readonly string[] = [];
  let wasted = 0;
  for (const share of sampled(shares, (one) => one !== 0.3 && one !== 0.75)) {
    // Each life starts with what was lost in the ones before it.
    await run(at('killed'), start + Math.round(share * asked) + wasted);
    const now = stored(at('killed')).answers;
    expect(now).toEqual(expect.arrayContaining([...answers]));
    const lost = server.requests.length - start - (now.length - base);
    // Answers in flight, and those that wait for the next commit of a group.
    expect(lost).toBeGreaterThanOrEqual(wasted);
    [answers, wasted] = [now, lost];
  }
  const killed = await run(at('killed'), null);
  // Nothing that was stored is asked again.
  expect(server.requests.length - start).toBe(asked + wasted);
  expect(stored(at('killed')).answers).toEqual(expect.arrayContaining([...answers]));
  expect(stored(at('killed')).answers).toHaveLength(stored(at('unbroken')).answers.length);

  const told = (one: Optimization | null) =>
    one && { state: one.state, stopped: one.stopped, steps: one.steps, result: one.result };
  expect(told(killed)).toEqual(told(unbroken));
  expect(killed?.spent.calls).toBe(asked);
});
