import { afterEach, describe, expect, it } from 'vitest';
import { createConnector } from '../../adapters/mcp/connect.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import { createServices } from '../../app/createServices.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import { taskEvaluationRequest } from '../../../src-shared/domain/taskEvaluation.ts';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { isNightly } from '../../testing/nightly.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';

afterEach(expectNoLeaks);

/** Counts how many servers work on a run at once: from the first call to the end. */
function countWorking() {
  const connect = createConnector({
    deadlines: { connectMs: 60_000, listMs: 60_000, callMs: 60_000 },
  });
  let working = 0;
  const counts = { most: 0, runs: 0 };
  const counting: ConnectMcp = async (...target) => {
    const connection = await connect(...target);
    const [callTool, close] = [
      connection.callTool.bind(connection),
      connection.close.bind(connection),
    ];
    let isWorking = false;
    return Object.assign(connection, {
      callTool: (...call: Parameters<typeof callTool>) => {
        if (!isWorking) {
          isWorking = true;
          working += 1;
          counts.runs += 1;
          counts.most = Math.max(counts.most, working);
        }
        return callTool(...call);
      },
      close: async () => {
        await close();
        if (isWorking) working -= 1;
        isWorking = false;
      },
    });
  };
  return { connect: counting, counts };
}

/** Starts evaluations of the same tasks at once and returns how they ended. */
async function evaluate(
  config: ServerConfig,
  { tasks, evaluations, concurrency }: Record<'tasks' | 'evaluations' | 'concurrency', number>,
) {
  await using folder = await temporaryFolder();
  const { connect, counts } = countWorking();
  const opened = await createServices({ host: 'cli', folder: folder.path, connect });
  try {
    const { servers, suites, evaluations: own } = opened.services;
    await servers.create({ name: 'fake', config });
    const { signal } = new AbortController();
    const { id: suiteId } = await suites.import(
      {
        fileName: 's.json',
        replace: false,
        text: JSON.stringify({
          version: 1,
          name: 'S',
          servers: ['fake'],
          cases: Array.from({ length: tasks }, (_, at) => ({
            id: `t${at}`,
            name: `t${at}`,
            turns: [`Echo the text "number ${at}".`],
            checks: [{ calls: { must: ['echo'] } }],
          })),
        }),
      },
      { signal },
    );
    const ended = await Promise.all(
      Array.from({ length: evaluations }, async () => {
        const { id } = await own.start({
          unit: 'task',
          ...taskEvaluationRequest.parse({
            suiteId,
            mode: 'full',
            agreedServers: ['fake'],
            concurrency,
            models: [{ provider: 'builtin', model: 'default-v1' }],
          }),
        });
        for await (const _event of own.watch({ unit: 'task', id, afterSeq: 0 }, { signal }));
        const { state, outcomes } = await own.get({ unit: 'task', id });
        return [state, outcomes.succeeded];
      }),
    );
    return { ended, ...counts };
  } finally {
    await opened.close();
  }
}

describe('runs that share a machine', () => {
  it('have many stdio servers at once, one for each run, and end them all', async () => {
    const tasks = isNightly ? 50 : 12;
    const { ended, most, runs } = await evaluate(fakeStdioServer(), {
      tasks,
      evaluations: 1,
      concurrency: tasks,
    });
    expect(ended).toEqual([['completed', tasks]]);
    expect(runs).toBe(tasks);
    // Servers do not wait for each other: how many overlap is up to the machine.
    expect(most).toBeGreaterThan(1);
  });

  it('use the same server over HTTP one at a time, also in two evaluations at once', async () => {
    await using server = await startFakeHttpServer();
    const { ended, most, runs } = await evaluate(server.config(), {
      tasks: 5,
      evaluations: 2,
      concurrency: 4,
    });
    expect(ended).toEqual([
      ['completed', 5],
      ['completed', 5],
    ]);
    expect([runs, most]).toEqual([10, 1]);
  });
});
