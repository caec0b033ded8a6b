import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchangeFormats } from '../../src-main/services/suites/exchange/formats.ts';
import { fromFileTask } from '../../src-main/services/suites/exchange/taskChecks.ts';
import { readSuiteFile } from '../../src-main/services/suites/suiteFile.ts';
import { casesOfFile, tasksOfFile } from '../../src-shared/domain/suiteFile.ts';
import type { SuiteFileTask } from '../../src-shared/domain/taskFile.ts';
import { parse } from 'yaml';
import { evaluateInPromptfoo, work } from './runPromptfoo.ts';

/** Where promptfoo receives the traces of the recorded calls. */
const tracePort = 43_189;

/** What a model does in one turn, and whether promptfoo must pass it. */
interface Played {
  text: string;
  calls: string[];
  passes: boolean;
}
type Play = (task: SuiteFileTask, turn: number) => Played;

interface Test {
  metadata: { conversationId: string };
  assert: { type: string }[];
}

const checksOf = (task: SuiteFileTask) => fromFileTask(task, [], { order: true });

/** Does what the checks of the task ask for. */
const right: Play = (task, turn) => {
  const { must, texts } = checksOf(task);
  const isLast = turn === task.turns.length - 1;
  return {
    text: isLast ? ['Done.', ...texts].join(' ') : `Turn ${turn + 1} is done.`,
    calls: task.turns.length === 1 ? must : [],
    passes: true,
  };
};

/** Calls what is forbidden, and neither calls nor says what is required. */
const wrong: Play = (task, turn) => {
  const { must, never, texts } = checksOf(task);
  const isLast = turn === task.turns.length - 1;
  const isAsked = never.length > 0 || (isLast && texts.length > 0);
  return {
    text: 'No.',
    calls: never.slice(0, 1),
    passes: !(isAsked || (task.turns.length === 1 && must.length > 0)),
  };
};

/**
 * Runs the conversations of a suite of tasks in promptfoo with recorded turns: right ones must pass,
 * and wrong ones must fail wherever a turn asserts anything. The provider also compares the history
 * that it is sent with what was said. Returns how many turns were judged.
 */
export function checkConversations(path: string): number {
  const { file, problems } = readSuiteFile(readFileSync(path, 'utf8'));
  if (file === null) throw new Error(JSON.stringify(problems));
  const tasks = tasksOfFile(file);
  const { text } = exchangeFormats.promptfoo.write({ ...file, cases: casesOfFile(file) }, tasks);
  const { tests } = parse(text) as { tests: Test[] };
  const byId = new Map(tasks.map((task) => [task.id, task]));
  let judged = 0;
  for (const [name, play] of Object.entries({ right, wrong })) {
    const turns = playedTurns(tests, byId, play);
    const verdicts = evaluateInPromptfoo(withTraces(text), provider(turns), { keepsTraces: true });
    if (verdicts.length !== tests.length)
      throw new Error(`promptfoo ran ${verdicts.length} of ${tests.length} turns.`);
    const other = verdicts.filter(({ success }, at) => success !== turns[at]?.passes);
    if (other.length > 0)
      throw new Error(
        `Conversations, ${name} turns: promptfoo decides otherwise: ` +
          other
            .map(({ testIdx, error }) => `${testIdx} (${error?.split('\n')[0] ?? 'no reason'})`)
            .join(', '),
      );
    judged += verdicts.length;
    const failed = verdicts.filter(({ success }) => !success).length;
    console.log(
      `${tasks.length} conversations, ${name} turns: ${verdicts.length - failed} passed, ${failed} failed`,
    );
  }
  return judged;
}

interface PlayedTurn extends Played {
  conversation: string;
  said: string[];
  answered: string[];
}

/** What is played for each test, with everything that was said before. */
function playedTurns(
  tests: readonly Test[],
  tasks: ReadonlyMap<string, SuiteFileTask>,
  play: Play,
): PlayedTurn[] {
  const turns: PlayedTurn[] = [];
  for (const { metadata } of tests) {
    const conversation = metadata.conversationId;
    const task = tasks.get(conversation);
    if (!task) throw new Error(`There is no task ${conversation}.`);
    const before = turns.filter((turn) => turn.conversation === conversation);
    turns.push({
      ...play(task, before.length),
      conversation,
      said: task.turns.slice(0, before.length + 1),
      answered: before.map(({ text }) => text),
    });
  }
  return turns;
}

/** Assertions on calls read the trace of a turn. */
const withTraces = (config: string): string =>
  `${config}tracing: { enabled: true, otlp: { http: { enabled: true, port: ${tracePort} } } }\n`;

/** The source of a provider that answers with recorded turns and sends a trace of their calls. */
function provider(turns: readonly PlayedTurn[]): string {
  const file = join(work, 'turns.json');
  writeFileSync(file, JSON.stringify(turns));
  return `import { readFileSync } from 'node:fs';
const turns = JSON.parse(readFileSync(${JSON.stringify(file)}, 'utf8'));
const of = (role, messages) => messages.filter((each) => each.role === role).map(({ content }) => content);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
export default class {
  id() { return 'recorded'; }
  async callApi(prompt, context) {
    const messages = JSON.parse(prompt);
    const conversation = context.test.metadata.conversationId;
    const turn = turns.find((each) => each.conversation === conversation && same(each.said, of('user', messages)));
    if (!turn) return { error: 'Nothing was recorded for ' + prompt };
    if (!same(turn.answered, of('assistant', messages))) return { error: 'Another history: ' + prompt };
    await sendTrace(context.traceparent, turn.calls);
    return { output: turn.text };
  }
}
async function sendTrace(traceparent, calls) {
  const [, traceId, parentSpanId] = traceparent.split('-');
  const at = Date.now();
  const span = (name, index, attributes) => ({
    traceId,
    spanId: (index + 1).toString(16).padStart(16, '0'),
    parentSpanId,
    name,
    kind: 1,
    startTimeUnixNano: String((at + index) * 1e6),
    endTimeUnixNano: String((at + index) * 1e6),
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  });
  const spans = [
    span('chat', 0, { 'gen_ai.operation.name': 'chat' }),
    ...calls.map((name, index) =>
      span('execute_tool ' + name, index + 1, { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name })),
  ];
  const sent = await fetch('http://127.0.0.1:${tracePort}/v1/traces', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'recorded' }, spans }] }] }),
  });
  if (!sent.ok) throw new Error('The trace was refused: ' + sent.status);
}
`;
}
