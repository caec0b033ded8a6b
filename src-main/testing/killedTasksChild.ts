import { readFileSync } from 'node:fs';
import { createServices } from '../app/createServices.ts';
import type { ServerConfig } from '../../src-shared/domain/server.ts';
import { taskEvaluationRequest } from '../../src-shared/domain/taskEvaluation.ts';

/** What the child runs: a suite on servers, with what its plan asks to agree to. */
export interface KilledTasks {
  suite: string;
  servers: Record<string, ServerConfig>;
  request: object;
}

/**
 * Runs an evaluation of tasks until it ends or is killed: `node killedTasksChild.ts FOLDER FILE`. The
 * file holds what it runs as JSON.
 */
const [folder = '', file = ''] = process.argv.slice(2);
const { suite: text, servers, request } = JSON.parse(readFileSync(file, 'utf8')) as KilledTasks;
const opened = await createServices({ host: 'cli', folder });
const { services } = opened;
for (const [name, config] of Object.entries(servers))
  await services.servers.create({ name, config });
const { signal } = new AbortController();
const imported = await services.suites.import(
  { fileName: 's.yaml', text, replace: false },
  { signal },
);
const asked = taskEvaluationRequest.parse({
  ...{ suiteId: imported.id, mode: 'full', concurrency: 1 },
  models: [{ provider: 'builtin', model: 'default-v1' }],
  ...request,
});
const { evaluations } = services;
const plan = await evaluations.plan({ unit: 'task', ...asked });
const { id } = await evaluations.start({
  ...{ unit: 'task', ...asked },
  ...{ agreedServers: plan.servers, agreedPrograms: plan.programs },
});
for await (const _ of evaluations.watch({ unit: 'task', id, afterSeq: 0 }, { signal }));
await opened.close();
