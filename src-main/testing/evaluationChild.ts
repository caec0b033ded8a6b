import { createServices } from '../app/createServices.ts';
import { createConnector } from '../adapters/mcp/connect.ts';
import { evaluationRequest } from '../../src-shared/domain/evaluation.ts';
import { taskEvaluationRequest } from '../../src-shared/domain/taskEvaluation.ts';
import { todoServer } from './taskRuns.ts';

/**
 * Runs an evaluation of 250 cases or of three tasks on the Todo server and kills itself at a step:
 * `node evaluationChild.ts UNIT FOLDER STEP [ORIGIN LIMIT]`. It says "done" if the evaluation has
 * fewer steps. With an origin, tasks ask the model there, at a dollar for each 1,000 tokens of input
 * and under a limit in dollars.
 */
const [unit = '', folder = '', stopAt = '', origin, limit] = process.argv.slice(2);
let step = 0;
function pass(): void {
  step += 1;
  if (step === Number(stopAt)) process.kill(process.pid, 'SIGKILL');
}

const turn = 'Add a task "Buy milk" for user u-1.';
const caseOf = (_: unknown, at: number) => `  - id: c${at}
    name: c${at}
    query: '${turn}'
    expected_calls: [{ server: todo, tool: add_task }]
`;
const taskOf = (id: string) => `  - id: ${id}
    name: ${id}
    turns: ['${turn}', 'Mark the task as completed.']
    setup: [{ server: todo, tool: add_task, arguments: { user_id: u-1, title: Pay rent } }]
    checks:
      - state: { server: todo, tool: list_tasks, arguments: { user_id: u-1 }, at: /tasks, contains: { completed: true } }
`;
const entries = unit === 'case' ? Array.from({ length: 250 }, caseOf) : ['a', 'b', 'c'].map(taskOf);
const connect = createConnector();
const opened = await createServices({
  host: 'cli',
  folder,
  connect: async (...target) => {
    pass();
    const connection = await connect(...target);
    const callTool = connection.callTool.bind(connection);
    return Object.assign(connection, {
      callTool: async (...call: Parameters<typeof callTool>) => {
        pass();
        const answer = await callTool(...call);
        pass();
        return answer;
      },
    });
  },
});
const { services } = opened;
await services.servers.create({ name: 'todo', config: todoServer });
const { signal } = new AbortController();
const text = `version: 1\nname: S\nservers: [todo]\ncases:\n${entries.join('')}`;
const { id: suiteId } = await services.suites.import(
  { fileName: 's.yaml', text, replace: false },
  { signal },
);
const baseUrl = `${origin}/v1`;
if (origin !== undefined)
  await services.models.setPrice({
    provider: 'openai-compatible',
    model: 'fake-model',
    inputUsd: 1_000,
    outputUsd: 0,
  });
// Steps count from here.
step = 0;
const { evaluations } = services;
if (unit === 'case') {
  const { id } = await evaluations.start(
    evaluationRequest.parse({ suiteId, models: [{ provider: 'builtin', model: 'default-v1' }] }),
  );
  for await (const _event of evaluations.watch({ id, afterSeq: 0 }, { signal })) pass();
} else {
  const { id } = await evaluations.start({
    unit: 'task',
    ...taskEvaluationRequest.parse({
      suiteId,
      mode: 'full',
      agreedServers: ['todo'],
      concurrency: 1,
      models: [
        origin === undefined
          ? { provider: 'builtin', model: 'default-v1' }
          : { provider: 'openai-compatible', model: 'fake-model', baseUrl },
      ],
      ...(limit !== undefined && { spendLimitUsd: Number(limit) }),
    }),
  });
  for await (const event of evaluations.watch({ unit: 'task', id, afterSeq: 0 }, { signal }))
    if (event.type === 'runs') pass();
}
await opened.close();
process.stdout.write('done\n');
