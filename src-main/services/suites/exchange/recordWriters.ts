import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { CaseFile, SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import type { CaseExchange } from './caseExchange.ts';
import { addInspectTasks } from './inspectTasks.ts';
import { noRecords, readRecords } from './readRecords.ts';
import { readRecordSuite } from './readRecordSuite.ts';
import { firstRightCall } from './firstRightCall.ts';
import { suiteLosses } from './suiteLosses.ts';
import { plainValue } from './values.ts';

/** A case as programs take it that compare one list of calls. */
interface PlainCase {
  id: string;
  name: string;
  query: string;
  tags: readonly string[];
  calls: { name: string; args: JsonObject }[];
  system: string | null;
  messages: JsonObject[];
  note: string | undefined;
}

interface Writer {
  extension: string;
  unsupported: Parameters<typeof suiteLosses>[1];
  /** True for a program that compares calls in order. */
  ordered?: boolean;
  /** A text says why the format can’t hold the case. */
  write: (each: PlainCase) => JsonObject | string;
  /** Joins the records; left out: one per line. */
  join?: (records: JsonObject[], suite: CaseFile) => JsonValue;
  /** Adds what a text has as tasks; false: it has records. Left out: the format has none. */
  addTasks?: typeof addInspectTasks;
}

/**
 * A format that is read as records and written in the form that its program loads. What a call
 * accepts besides one tool with plain arguments is lost, and said.
 */
function recordFormat(
  format: ForeignFormat,
  { extension, unsupported, ordered = false, write, join, addTasks }: Writer,
): CaseExchange {
  return {
    extension,
    read: (text, options) =>
      readRecordSuite(format, text, options, (draft) =>
        addTasks?.(draft, text, options) === true ? noRecords : readRecords(text, options.fileName),
      ),
    write(suite) {
      const losses = suiteLosses(
        suite,
        { allowed: true, caseServers: true, ...unsupported },
        false,
      );
      const isLoose = ({ expected_calls: calls, arguments_mode: mode }: SuiteFileCase): boolean =>
        mode !== 'exact' && calls.some(({ parameters }) => parameters !== undefined);
      if (suite.cases.some(isLoose))
        losses.push({
          case: null,
          what: 'The format can’t say that a call may have further arguments.',
        });
      for (const { id, expected_calls: calls, order_dependent: own = false } of suite.cases)
        if (ordered && !own && calls.length > 1)
          losses.push({ case: id, what: 'The format compares its calls in order.' });
      const records = suite.cases.flatMap((each) => {
        const record = write(plainCase(each, suite, losses));
        if (typeof record !== 'string') return [record];
        losses.push({ case: each.id, what: `It isn’t exported: ${record}` });
        return [];
      });
      const text =
        join === undefined
          ? records.map((record) => `${JSON.stringify(record)}\n`).join('')
          : `${JSON.stringify(join(records, suite), null, 2)}\n`;
      return { text, losses };
    },
  };
}

function plainCase(each: SuiteFileCase, suite: CaseFile, losses: ExportLoss[]): PlainCase {
  const lose = (what: string): void => void losses.push({ case: each.id, what });
  const calls = each.expected_calls.map((call) => {
    const { tool, parameters } = firstRightCall(call, lose);
    const args = parameters === undefined ? {} : plainValue(parameters);
    if (parameters === undefined) lose('The format compares arguments: none are exported as {}.');
    if (args === undefined) lose('Its matchers stand for several values, and aren’t exported.');
    return { name: tool, args: (args ?? {}) as JsonObject };
  });
  return {
    id: each.id,
    name: each.name,
    query: each.query,
    tags: each.tags ?? [],
    calls,
    system: each.system ?? suite.system ?? null,
    messages: (each.messages ?? suite.messages ?? []).map(({ role, content }) => ({
      role,
      content,
    })),
    note: each.note,
  };
}

const about = ({ name, tags }: PlainCase): JsonObject => ({
  name,
  ...(tags.length > 0 && { tags: [...tags] }),
});

const chat = ({ system, messages, query }: PlainCase): JsonObject[] => [
  ...(system === null ? [] : [{ role: 'system', content: system }]),
  ...messages,
  { role: 'user', content: query },
];

const chatCalls = ({ calls }: PlainCase): JsonObject => ({
  role: 'assistant',
  content: '',
  tool_calls: calls.map(({ name, args }, at) => ({
    id: `call_${at + 1}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  })),
});

/** Goldens of DeepEval: https://deepeval.com/docs/evaluation-datasets */
export const deepeval = recordFormat('deepeval', {
  extension: '.deepeval.json',
  unsupported: { system: true, messages: true, order: true, ownPrompts: true, tags: true },
  write: ({ query, calls, name }) => ({
    input: query,
    expected_tools: calls.map((call) => ({ name: call.name, input_parameters: call.args })),
    name,
  }),
  join: (records) => records,
});

/** Samples of Inspect: https://inspect.aisi.org.uk/datasets.html */
export const inspect = recordFormat('inspect', {
  extension: '.inspect.jsonl',
  addTasks: addInspectTasks,
  unsupported: { order: true },
  write: (each) => ({
    id: each.id,
    input: chat(each),
    target: each.calls.map(({ name }) => name).join(' + ') || 'none',
    metadata: {
      ...about(each),
      expected_calls: each.calls.map(({ name, args }) => ({ name, arguments: args })),
      ...(each.note !== undefined && { note: each.note }),
    },
  }),
});

/** Evaluation sets of Google’s ADK: https://google.github.io/adk-docs/evaluate/ */
export const adk = recordFormat('adk', {
  extension: '.evalset.json',
  ordered: true,
  unsupported: { system: true, messages: true, ownPrompts: true, tags: true },
  write: ({ id, query, calls }) => ({
    eval_id: id,
    conversation: [
      {
        invocation_id: `${id}-1`,
        user_content: { role: 'user', parts: [{ text: query }] },
        intermediate_data: { tool_uses: calls, intermediate_responses: [] },
      },
    ],
    session_input: { app_name: 'agent', user_id: 'user', state: {} },
  }),
  join: (records, { name }) => ({ eval_set_id: name, name, eval_cases: records }),
});

/** Examples of a dataset of LangSmith: https://docs.langchain.com/langsmith/manage-datasets */
export const langsmith = recordFormat('langsmith', {
  extension: '.langsmith.jsonl',
  unsupported: { order: true },
  write: (each) => ({
    inputs: { messages: chat(each) },
    outputs: { messages: [chatCalls(each)] },
    metadata: { ...about(each), ...(each.note !== undefined && { note: each.note }) },
  }),
});

/** Multi-turn samples of Ragas: https://docs.ragas.io/en/stable/concepts/components/eval_sample/ */
export const ragas = recordFormat('ragas', {
  extension: '.ragas.jsonl',
  unsupported: { order: true, tags: true, ownPrompts: true, system: true },
  write: ({ messages, query, calls }) => ({
    user_input: [
      ...messages.map(({ role = '', content = '' }) => ({
        type: role === 'assistant' ? 'ai' : 'human',
        content,
      })),
      { type: 'human', content: query },
    ],
    reference_tool_calls: calls,
  }),
});

/** A fine-tuning set: https://platform.openai.com/docs/guides/fine-tuning (chats with tool calls). */
export const chats = recordFormat('chats', {
  extension: '.chats.jsonl',
  unsupported: { order: true, tags: true, notes: true },
  write: (each) =>
    each.calls.length === 0
      ? 'a chat needs an answer where no tool is called.'
      : { messages: [...chat(each), chatCalls(each)] },
});
