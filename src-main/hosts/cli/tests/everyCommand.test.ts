import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isRateMetric, metricsOf } from '../../../../src-shared/domain/gate.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { memoryIo, runCommand, startCommand } from '../../../testing/commandLine.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { createProgram, loadAllCommands } from '../program.ts';

/*
 * The documents that programs depend on: each command once, with --json, on one workspace or on
 * files alone. A path names a field that must be there, whatever it holds: `tools[].tool_id` that
 * of the first tool, `metrics.*.n` that of every metric.
 */
let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const call = (name: string) => ({ name, arguments: { title: 'milk' } });
const tool = (name: string, description: string) => ({
  server: 'todo',
  name,
  description,
  input_schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
});
const suite = {
  version: 1,
  name: 'small',
  servers: ['todo'],
  cases: [
    {
      id: 'a',
      name: 'a',
      query: 'add a task called milk',
      expected_calls: [{ server: 'todo', tool: 'add_task' }],
    },
  ],
};
const recorded = {
  id: 'r1',
  query: 'q',
  tools: [{ name: 'add_task', inputSchema: { type: 'object' } }],
  expected_calls: [call('add_task')],
  actual_calls: [call('add_task')],
};

function missing(document: unknown, path: string): boolean {
  const [, head = '', many, rest = ''] = /^([^.[]+)(\[\])?\.?(.*)$/.exec(path) ?? [];
  if (typeof document !== 'object' || document === null) return true;
  const found =
    head === '*' ? Object.values(document) : [(document as Record<string, unknown>)[head]];
  return found.some((value) => {
    const inner =
      many === undefined ? value : Array.isArray(value) ? (value as unknown[])[0] : undefined;
    return inner === undefined || (rest !== '' && missing(inner, rest));
  });
}

async function ask(
  args: readonly string[],
  paths: string,
  { code = 0, workspace = 'none', input = '' } = {},
): Promise<void> {
  const ended = await runCommand([...args, '--json', '--quiet'], {
    workspace: at(workspace),
    input,
  });
  expect([args[0], ended.code], ended.stderr).toEqual([args[0], code]);
  const [line = '', ...more] = ended.stdout.trimEnd().split('\n');
  const document = JSON.parse(line) as unknown;
  expect([
    args.join(' '),
    more.length,
    paths.split(' ').filter((path) => missing(document, path)),
  ]).toEqual([args.join(' '), 0, []]);
}

const estimate = ['value', 'low', 'high', 'n'];
const evaluation = `evaluation_id status provider model counts.tp counts.fp counts.tn counts.fn counts.failed counts.total ${metricsOf.case
  .filter(isRateMetric)
  .flatMap((metric) => estimate.map((part) => `metrics.${metric}.${part}`))
  .join(
    ' ',
  )} confidence.robust confidence.needs_clarity confidence.misleading confidence.wrong_low confidence.unmeasured confusion.labels[] confusion.matrix[] per_tool[] latency_ms.p50 latency_ms.p95 tokens.input tokens.output cost_usd duration_ms`;

beforeAll(async () => {
  folder = await temporaryFolder();
  mkdirSync(at('none'));
  const files = {
    'tools.json': {
      tools: [tool('add_task', 'Adds a new task'), tool('new_task', 'Adds a new task to the list')],
    },
    'suite.json': suite,
    'report.json': {
      counts: { failed: 0, open: 0 },
      metrics: { accuracy: { value: 0.5, low: 0.4, high: 0.6, n: 10 } },
    },
    'ranking.json': { rankings: { q1: ['todo:add_task'] } },
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(at(name), JSON.stringify(content));
  writeFileSync(at('upper.sh'), 'printf %s "$1"\n');
  writeFileSync(
    at('upper.tool.json'),
    JSON.stringify({
      touchstone_tool: 1,
      name: 'upper',
      description: 'Repeats a text.',
      executor_type: 'shell',
      executor_config: { output: 'text', args: ['{{text}}'] },
      input_schema: { type: 'object', properties: { text: { type: 'string' } } },
      script: 'upper.sh',
    }),
  );
});
afterAll(async () => {
  await folder.remove();
});

it.each<[string, () => string[], string, { code?: number; input?: string }?]>([
  [
    'score',
    () => ['score', '--input', '-'],
    'id classification tool_selection_correct parameter_completeness parameter_correctness parameter_type_conformance hallucinated_parameters missing_parameters passed parameters[].name parameters[].expected parameters[].actual parameters[].verdict parameters[].reason matches',
    { input: JSON.stringify(recorded) },
  ],
  [
    'eval',
    () => [
      'eval',
      '--suite',
      at('suite.json'),
      '--tools',
      '-',
      '--provider',
      'builtin',
      '--max',
      'accuracy=0.5',
    ],
    evaluation,
    { code: 1, input: JSON.stringify({ tools: [tool('add_task', 'Adds a new task')] }) },
  ],
  [
    'optimize',
    () => [
      'optimize',
      '--suite',
      '-',
      '--tools',
      at('tools.json'),
      '--provider',
      'builtin',
      '--budget',
      'calls=500',
    ],
    'status stopped objective seed candidates estimate.calls typical.calls spent.calls result steps',
    {
      code: 1,
      input: JSON.stringify({
        ...suite,
        cases: Array.from({ length: 8 }, (_, n) =>
          suite.cases.map((each) => ({ ...each, id: `${each.id}-${n}` })),
        ).flat(),
      }),
    },
  ],
  [
    'frontier',
    () => [
      'frontier',
      '--suite',
      '-',
      '--tools',
      at('tools.json'),
      '--provider',
      'builtin',
      '--k',
      '1,all',
    ],
    'points[].k points[].tokens points[].accuracy.n points[].selection_f1.value',
    { input: JSON.stringify(suite) },
  ],
  [
    'similarity',
    () => [
      'similarity',
      '--tools',
      at('tools.json'),
      '--threshold',
      '0.1',
      '--full',
      '--matrix',
      '--recommend',
    ],
    'tool_ids[] method semantic_source threshold pairs[].tool_a_id pairs[].tool_b_id pairs[].similarity_score pairs[].full_similarity_score pairs[].overlap pairs[].dimensions.semantic pairs[].dimensions.parameters pairs[].dimensions.description pairs[].flagged recommendations matrix[]',
  ],
  [
    'similarity of a file of servers with embedded tools',
    () => ['similarity', '--tools', '-', '--threshold', '0.1'],
    'tool_ids[] pairs[].tool_a_id pairs[].tool_b_id',
    {
      input: JSON.stringify({
        servers: ['one', 'two'].map((name) => ({
          name,
          tools: [{ name: 'add_task', description: 'Adds a new task', inputSchema: {} }],
        })),
      }),
    },
  ],
  [
    'lint',
    () => ['lint', '--tools', '-', '--fail-on', 'high'],
    'findings[].tool_id findings[].rule findings[].severity findings[].message servers[].server servers[].score',
    { code: 1, input: JSON.stringify({ tools: [tool('do_it', '')] }) },
  ],
  [
    'retrieval',
    () => [
      'retrieval',
      '--corpus',
      join(programFiles.datasets, 'corpus_v1.json'),
      '--golden',
      join(programFiles.datasets, 'retrieval_golden_v1.json'),
      '--retriever',
      'default',
      '--baseline',
      join(programFiles.datasets, 'baseline_v1.json'),
    ],
    'corpus_version golden_version retriever metrics.recall_at.1 metrics.recall_at.3 metrics.recall_at.5 metrics.recall_at.10 metrics.mrr metrics.ndcg_at_10 metrics.map per_query[].id per_query[].ranking[] per_query[].recall_at_5 per_query[].rr per_query[].ndcg_at_10 per_query[].ap baseline_delta gate.passed gate.tolerance.mrr gate.failed',
  ],
  ['security on tools', () => ['security', '--tools', at('tools.json')], 'findings'],
  [
    'security on a corpus',
    () => [
      'security',
      '--corpus',
      join(programFiles.datasets, 'security_corpus_v1.json'),
      '--baseline',
      join(programFiles.datasets, 'security_baseline_v1.json'),
      '--half',
      'held-out',
    ],
    'per_detector[].detector per_detector[].precision per_detector[].recall per_detector[].f1 per_detector[].fpr per_detector[].tp per_detector[].fp per_detector[].tn per_detector[].fn combined.recall runs_averaged findings[].id findings[].detector findings[].category findings[].severity findings[].span[] findings[].text gate',
  ],
  [
    'tokens',
    () => ['tokens', '--tools', at('tools.json'), '--budget', '5'],
    'encoding tools[].tool_id tools[].token_count tools[].parts.name tools[].parts.description tools[].parts.input_schema tools[].parts.output_schema tools[].parts.structure servers[].server servers[].token_count total budget.limit budget.passed',
    { code: 1 },
  ],
  [
    'clients',
    () => ['clients', '--tools', at('tools.json')],
    'clients[].client clients[].name clients[].version clients[].model clients[].offered[].server clients[].offered[].tool clients[].offered[].wire_name clients[].offered[].changes clients[].hidden',
  ],
  [
    'find-tool',
    () => ['find-tool', '--tools', at('tools.json'), '--description', 'add a task', '--k', '1'],
    'tools[].tool_id tools[].score tools[].name tools[].inputSchema token_metrics.baseline_tokens token_metrics.returned_tokens token_metrics.tokens_saved token_metrics.savings_percentage',
  ],
  [
    'gate',
    () => [
      'gate',
      '-',
      '--baseline',
      at('report.json'),
      '--tolerance',
      'accuracy=0.1',
      '--min',
      'accuracy=0.9',
      'selection_f1=0.1',
    ],
    'passed failed[] not_decided[]',
    {
      code: 3,
      input: JSON.stringify({
        counts: { failed: 0, open: 0 },
        metrics: {
          accuracy: { value: 0.5, low: 0.4, high: 0.6, n: 10 },
          selection_f1: { value: null, low: null, high: null, n: 0 },
        },
      }),
    },
  ],
  [
    'verify',
    () => ['verify', '-'],
    'kind checked differences[].path differences[].reported differences[].recomputed not_checked[]',
    {
      code: 1,
      input: JSON.stringify({
        format: 'touchstone-tokens',
        version: 1,
        tools: [],
        servers: [],
        total: 1,
        formats: [{ token_count: 2 }],
        budget: null,
      }),
    },
  ],
  [
    'suite validate',
    () => ['suite', 'validate', '-'],
    'valid problems[].line problems[].column problems[].path problems[].message',
    { code: 2, input: '{"version": 1}' },
  ],
  [
    'tools',
    () => [
      'tools',
      '--stdio',
      `"${process.execPath}" "${testedProgram}" serve-todo --stdio --db "${at('todo.sqlite')}"`,
    ],
    'servers[].name servers[].status tools[].tool_id tools[].server tools[].name tools[].description tools[].input_schema tools[].output_schema tools[].token_count tools[].created_at tools[].last_updated rejected items servers[].item_lists[].kind servers[].item_lists[].status servers[].item_lists[].error',
  ],
])(
  '%s on files prints the documented fields and exit code',
  async (_name, args, paths, options = {}) => {
    await ask(args(), paths, options);
  },
);

it('every command on a workspace prints the documented fields', async () => {
  const workspace = { workspace: 'workspace' };
  await ask(
    ['eval', '--suite', 'todo-sample', '--provider', 'builtin', '--top-k', '3'],
    evaluation,
    workspace,
  );
  await ask(['rescore', '1'], evaluation, workspace);
  await ask(
    ['what-if', '1', '--without', 'todo:complete_task'],
    'evaluation_id base_id changes[] flipped[].case_id flipped[].before flipped[].after p_value answer',
    workspace,
  );
  const compared = [
    'shared_cases',
    'regressed',
    'fixed',
    'still_failing',
    'new',
    'removed',
    'difference.value',
    'difference.low',
    'difference.high',
    'p_value',
    'answer',
  ]
    .map((field) => `candidates[].${field}`)
    .join(' ');
  await ask(['compare', '1', '2'], `baseline candidates[].evaluation_id ${compared}`, workspace);
  await ask(['metrics', '--model', 'builtin'], 'metrics.selection_f1.n counts.total', workspace);
  await ask(
    ['servers', 'list'],
    'servers[].id servers[].name servers[].url servers[].transport servers[].status servers[].last_connected_at',
    workspace,
  );
  await ask(
    ['suite', 'export', 'todo-sample', '--to', 'csv', '--yes'],
    'name format losses text',
    workspace,
  );
  await ask(['export', '1', '--to', 'csv', '--out', at('report.csv')], 'format out', workspace);
  await ask(['workshop', 'category', 'create', 'texts'], 'id name path', workspace);
  await ask(
    ['workshop', 'category', 'list'],
    'categories[].id categories[].name categories[].path',
    workspace,
  );
  await ask(['workshop', 'save', at('upper.tool.json')], 'tools[].name tools[].version', workspace);
  await ask(['workshop', 'run', 'upper', '--arguments', '-'], 'status output_data version', {
    ...workspace,
    input: '{"text":"a"}',
  });
  for (const [args, paths] of [
    ['keys list', 'keys[].provider keys[].status store.kind'],
    ['keys store', 'kind locked keychain.available'],
    ['models agents', 'agents[].name agents[].command'],
    ['models prices', 'date prices[].provider prices[].model'],
    ['servers check todo', 'servers[].name servers[].status'],
    ['servers reliability todo', 'evaluations runs tools'],
    ['servers export --to .mcp.json', 'file_name losses text'],
    ['suite list', 'suites[].id suites[].name suites[].cases suites[].tasks'],
    ['suite show todo-sample', 'id name servers[] cases[].id'],
    ['evaluations list', 'evaluations[].id evaluations[].number'],
    ['evaluations show 1', 'evaluation_id number verdict.headline'],
    ['signals list', 'signals'],
    ['workshop list', 'tools[].name'],
    ['workshop show upper', 'name'],
    ['workshop versions upper', 'versions[].version'],
    ['workshop log upper', 'executions[].status'],
  ] as const)
    await ask(args.split(' '), paths, workspace);
});

it('every command says how it is used', async () => {
  const pathsOf = (command: Command, path: readonly string[]): (readonly string[])[] => [
    path,
    ...command.commands.flatMap((each) => pathsOf(each, [...path, each.name()])),
  ];
  const paths = pathsOf(await loadAllCommands(createProgram(memoryIo())), []);
  expect(paths.length).toBeGreaterThan(70);
  for (const path of paths.filter(([name]) => name !== 'help')) {
    const { code, stdout } = await runCommand([...path, '--help'], { workspace: at('none') });
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(['Usage: touchstone', ...path].join(' ')),
    ]);
  }
});

it('refuses standard input for suite and tools at once', async () => {
  const both = await runCommand(
    ['frontier', '--suite', '-', '--tools', '-', '--provider', 'builtin'],
    {
      workspace: at('none'),
      input: JSON.stringify({ tools: [tool('add_task', 'Adds a new task')] }),
    },
  );
  expect([both.code, both.stdout, both.stderr]).toEqual([
    2,
    '',
    'Standard input can be read for one option only. Put the others into files.\n',
  ]);
});

it('serve-todo prints its address and ends with 0 on Ctrl-C', async () => {
  const child = startCommand(['serve-todo', '--http', '0', '--db', at('served.sqlite'), '--json'], {
    workspace: at('none'),
  });
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(first.toString()) as { url: string };
  expect(new URL(url).hostname).toBe('127.0.0.1');
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});
