import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import { readSourceText } from '../sourceText.ts';
import type { CaseExchange } from './caseExchange.ts';
import { findTextProblem } from './csvText.ts';
import { shortName, SuiteDraft, type Change, type TextPosition } from './suiteDraft.ts';
import { fromFileTask, toFileChecks } from './taskChecks.ts';
import { nonEmptyText, textsOf } from './values.ts';

const version = 1;

/**
 * Tasks in the shapes of τ-bench (`instruction`, `actions`, `outputs`) and τ²-bench
 * (`user_scenario`, `evaluation_criteria`), as a list or under `tasks`.
 */
export const tauBench: CaseExchange = {
  extension: '.tau.json',
  holdsTasks: true,

  read(text, options) {
    const draft = new SuiteDraft('tau-bench', version, text, options);
    const refused = findTextProblem(text);
    const source = refused === null ? readSourceText(text) : null;
    if (refused !== null) draft.problem(refused, refused.message);
    else if (source?.readable === false)
      for (const { line, column, path, message } of source.problems)
        draft.problem({ line, column }, message, path);
    else if (source?.readable === true) {
      const { value, problemAt } = source;
      const isList = Array.isArray(value);
      const tasks = isJsonObject(value) ? value['tasks'] : value;
      const at = (path: (string | number)[]): TextPosition => problemAt(path, '');
      if (!Array.isArray(tasks))
        draft.problem(at([]), 'This isn’t a τ-bench file: it needs a list of tasks.');
      else
        for (const [index, task] of tasks.entries()) {
          const path = isList ? [index] : ['tasks', index];
          if (isJsonObject(task)) readTask(draft, task, index, options.server, at(path));
          else draft.problem(at(path), 'Write the task as an object.');
        }
    }
    return draft.finish();
  },

  write(suite, tasks = []) {
    const losses: ExportLoss[] = [
      ...suite.cases.map(({ id }) => ({
        case: id,
        what: 'It isn’t exported: the format holds tasks, and this is a test case.',
      })),
      ...(suite.system === undefined
        ? []
        : [{ case: null, what: 'The format has no system prompt.' }]),
    ];
    const written = tasks.map((task) => writeTask(task, losses));
    return { text: `${JSON.stringify(written, null, 2)}\n`, losses };
  },
};

/** The text for the user, in either shape. */
function instructionOf(task: JsonObject): string | null {
  const direct = nonEmptyText(task['instruction']);
  if (direct !== null) return direct;
  const scenario = isJsonObject(task['user_scenario']) ? task['user_scenario'] : {};
  const { instructions } = scenario;
  if (!isJsonObject(instructions)) return nonEmptyText(instructions);
  const parts = ['reason_for_call', 'known_info', 'task_instructions'].flatMap(
    (name) => nonEmptyText(instructions[name]) ?? [],
  );
  return parts.length === 0 ? null : parts.join('\n');
}

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

function readTask(
  draft: SuiteDraft,
  task: JsonObject,
  index: number,
  server: string | null,
  where: TextPosition,
): void {
  const id = task['id'];
  const sourceId = typeof id === 'number' ? `${id}` : nonEmptyText(id);
  const label = sourceId ?? `tasks[${index}]`;
  const instruction = instructionOf(task);
  if (instruction === null) return draft.skip(label, 'It has no instruction for the user.');
  const criteria = isJsonObject(task['evaluation_criteria']) ? task['evaluation_criteria'] : task;
  const changes: Change[] = [
    {
      what: 'instruction',
      why: 'It is written for a simulated user. Here it is the only turn, as written.',
    },
  ];
  const lost = (isThere: boolean, what: string, why: string): void => {
    if (isThere) changes.push({ what, why });
  };
  const actions = listOf(criteria['actions']).filter(isJsonObject);
  const byModel = actions.filter(({ requestor = 'assistant' }) => requestor === 'assistant');
  lost(byModel.length < actions.length, 'actions', 'Actions of the user aren’t imported.');
  const must = byModel.flatMap(({ name }) => nonEmptyText(name) ?? []).filter(isToolName);
  lost(
    byModel.some((action) => hasKeys(action['kwargs']) || hasKeys(action['arguments'])),
    'actions',
    'Their arguments aren’t imported: the benchmark compares its database. Add state checks.',
  );
  const texts = [...textsOf(criteria['outputs']), ...textsOf(criteria['communicate_info'])];
  lost(
    listOf(criteria['nl_assertions']).length > 0,
    'nl_assertions',
    'They are judged by a model, so they aren’t imported.',
  );
  lost(
    listOf(criteria['env_assertions']).length > 0,
    'env_assertions',
    'They run code of the benchmark, so they aren’t imported. Add state checks.',
  );
  lost(hasKeys(task['initial_state']), 'initial_state', 'It isn’t imported. Add setup calls.');
  const checks = toFileChecks({ must, never: [], texts });
  if (checks.length === 0)
    return draft.skip(label, 'It names neither a tool nor an output, so nothing can be checked.');
  draft.addTask({
    sourceId,
    name: shortName(instruction),
    turns: [instruction],
    servers: [server ?? draft.assumeServer()],
    checks,
    changes,
    where,
  });
}

/** In τ-bench, `respond` is the message to the user. */
const isToolName = (name: string): boolean => name !== 'respond';
const hasKeys = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) && Object.keys(value).length > 0;

function writeTask(task: SuiteFileTask, losses: ExportLoss[]): JsonObject {
  const { must, never, texts } = fromFileTask(task, losses);
  if (never.length > 0)
    losses.push({ case: task.id, what: 'Tools that must not be called aren’t exported.' });
  if (task.turns.length > 1)
    losses.push({ case: task.id, what: 'Its turns become one instruction.' });
  return {
    id: task.id,
    user_id: '',
    instruction: task.turns.join('\n'),
    actions: must.map((name) => ({ name, kwargs: {} })),
    outputs: texts,
  };
}
