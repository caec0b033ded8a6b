import { tasksOfFile } from '../../../src-shared/domain/suiteFile.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import { exchangeFormats } from '../../services/suites/exchange/formats.ts';
import { createCatalog } from '../../services/suites/exchange/toolCatalog.ts';
import { fromFileTask } from '../../services/suites/taskFileCodec.ts';
import { runTask } from '../../services/tasks/runTask.ts';
import { solveTask } from '../../services/tasks/solveTask.ts';
import { openEnvironment } from '../../services/tasks/taskEnvironment.ts';
import { TaskJudge } from '../../services/tasks/taskJudge.ts';
import {
  called,
  calls,
  environmentParts,
  says,
  scripted,
  soon,
  taskRun,
  todoServer,
  todoTools,
} from '../taskRuns.ts';
import { inspect } from './inspect.ts';
import type { JudgedKind, JudgedRun } from './judgedRuns.ts';
import { mcpchecker } from './mcpchecker.ts';
import { mcpjam } from './mcpjam.ts';
import { mcpUniverse } from './mcpUniverse.ts';
import { promptfoo } from './promptfoo.ts';
import { tau } from './tau.ts';

export const judgedKinds: readonly JudgedKind[] = [
  ...[tau, mcpchecker, mcpUniverse, mcpjam, promptfoo, inspect],
];

const requiredOf = ({ inputSchema: { required } }: SnapshotTool): string[] =>
  Array.isArray(required) ? required.map(String) : [];
const catalog = createCatalog(
  (tool) => (todoTools.some(({ name }) => name === tool) ? ['todo'] : []),
  (server) =>
    server === 'todo'
      ? todoTools.map((tool) => ({
          name: tool.name,
          readOnly: tool.annotations?.['readOnlyHint'] === true,
          required: requiredOf(tool),
        }))
      : [],
);

const serverOfRun = () =>
  openEnvironment([{ name: 'todo', config: todoServer }], environmentParts(), soon());

/** A run judged by its own program's rule, and as the imported task here. */
export interface JudgedRow {
  title: string;
  theirs: boolean;
  ours: boolean | null;
  /** What the import says isn't the same. */
  notes: string[];
}

/** Imports a task, plays its run on the Todo server, and judges it. Throws if it isn't imported. */
export async function judgeImported(kind: JudgedKind, given: JudgedRun): Promise<JudgedRow> {
  const { title, file, run } = given;
  const { suite, problems, report } = exchangeFormats[kind.format].read(JSON.stringify(file), {
    ...{ fileName: kind.fileName, map: null, server: 'todo', name: null },
    schemaOf: ({ tool }) => todoTools.find(({ name }) => name === tool)?.inputSchema ?? null,
    catalog,
  });
  const [task] = suite === null ? [] : tasksOfFile(suite);
  if (task === undefined)
    throw new Error(`${kind.name}, ${title}: ${problems.map(({ message }) => message).join(' ')}`);
  const { content } = fromFileTask(task);
  await using judge = new TaskJudge();
  await using environment = kind.executes ? await serverOfRun() : null;
  const parts = { mode: 'full' as const, known: todoTools, judge };
  let solved = {};
  if (content.solution !== undefined) {
    await using apart = await serverOfRun();
    solved = await solveTask(content, { ...parts, environment: apart }, soon());
  }
  const made = run.calls.map(({ tool, args }) => calls(called(tool, args)));
  // Each message but the last one comes with a turn of its own.
  const { model } = scripted([...made, ...run.messages.map(says)]);
  const trajectory = await runTask(
    taskRun({
      ...content,
      ...{ turns: run.messages.map((_, at) => `Turn ${at + 1}`), user: undefined, solved },
      ...{ environment, mode: kind.executes ? 'full' : 'stub', judge },
    }),
    model,
    soon(),
  );
  const { succeeded } = await judge.judge(content.checks, trajectory);
  return {
    title,
    theirs: kind.judge(file, run),
    ours: succeeded,
    notes: report.approximated.map(({ what, why }) => `${what}: ${why}`),
  };
}

const word = (succeeded: boolean | null): string =>
  succeeded === null ? 'not scored' : succeeded ? 'succeeds' : 'fails';

/** The table of all kinds as the documentation has it. */
export async function verdictTable(judge = judgeImported): Promise<string> {
  const sections: string[] = [];
  for (const kind of judgedKinds) {
    const rows: string[] = [];
    for (const given of kind.runs) {
      const { title, theirs, ours } = await judge(kind, given);
      rows.push(`| ${title} | ${word(theirs)} | ${word(ours)} |`);
    }
    sections.push(
      [
        `### ${kind.name}`,
        '',
        `Rule: ${kind.source}.`,
        '',
        '| run | its own program | here |',
        '| --- | --- | --- |',
        ...rows,
      ].join('\n'),
    );
  }
  return sections.join('\n\n');
}
