import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import { readSourceText } from '../../files/sourceText.ts';
import type { CaseExchange } from './caseExchange.ts';
import { findTextProblem } from './csvText.ts';
import { shortName, SuiteDraft, type Change, type Place, type TextPosition } from './suiteDraft.ts';
import { fromFileTask, toFileChecks } from './taskChecks.ts';
import { greeting, userInstruction } from './userInstruction.ts';
import { unreadChanges } from './fieldNames.ts';
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
          if (isJsonObject(task)) readTask(draft, task, index, options.server, () => at(path));
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

/** What a task says for the user. */
interface Instruction {
  text: string;
  /** The person that the file asks a model to play; null: the text is the request itself. */
  user: NonNullable<SuiteFileTask['user']> | null;
}

/**
 * The text for the user, in either shape. A task with a `user_id` or a `user_scenario` asks for a
 * simulated user; a task with an instruction alone, as we write one, is a request.
 */
function instructionOf(task: JsonObject): Instruction | null {
  const direct = nonEmptyText(task['instruction']);
  if (direct !== null)
    return {
      text: direct,
      user: nonEmptyText(task['user_id']) === null ? null : { goal: direct },
    };
  const scenario = isJsonObject(task['user_scenario']) ? task['user_scenario'] : {};
  const { instructions } = scenario;
  const persona = nonEmptyText(scenario['persona']);
  const person = persona === null ? {} : { persona };
  if (!isJsonObject(instructions)) {
    const text = nonEmptyText(instructions);
    return text === null ? null : { text, user: { goal: text, ...person } };
  }
  const goal = ['reason_for_call', 'task_instructions'].flatMap(
    (name) => nonEmptyText(instructions[name]) ?? [],
  );
  const knows = (nonEmptyText(instructions['known_info']) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const text = (goal.length > 0 ? goal : knows).join('\n');
  return text === ''
    ? null
    : { text, user: { goal: text, ...person, ...(knows.length > 0 && { knows }) } };
}

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

function readTask(
  draft: SuiteDraft,
  task: JsonObject,
  index: number,
  server: string | null,
  where: Place,
): void {
  const id = task['id'];
  const sourceId = typeof id === 'number' ? `${id}` : nonEmptyText(id);
  const label = sourceId ?? `tasks[${index}]`;
  const instruction = instructionOf(task);
  if (instruction === null) return draft.skip(label, 'It has no instruction for the user.', where);
  const criteria = isJsonObject(task['evaluation_criteria']) ? task['evaluation_criteria'] : task;
  const { text, user } = instruction;
  const changes: Change[] = [
    {
      what: 'instruction',
      why:
        user === null
          ? 'It names no user to simulate. Here it is the only turn, as written.'
          : 'It is what the simulated user wants and knows, after a greeting as the first turn. ' +
            'Choose a model that plays the user.',
    },
  ];
  const lost = (isThere: boolean, what: string, why: string): void => {
    if (isThere) changes.push({ what, why });
  };
  const actions = listOf(criteria['actions']).filter(isJsonObject);
  const byModel = actions.filter(({ requestor = 'assistant' }) => requestor === 'assistant');
  if (!listOf(criteria['actions']).every(namesTool))
    return draft.skip(label, 'One of its actions names no tool.', where);
  changes.push(
    ...unreadChanges(task, readFields),
    ...(criteria === task ? [] : unreadChanges(criteria, readFields, 'evaluation_criteria.')),
  );
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
    return draft.skip(
      label,
      'It names neither a tool nor an output, so nothing can be checked.',
      where,
    );
  draft.addTask({
    sourceId,
    name: shortName(text),
    turns: [user === null ? text : greeting],
    servers: [server ?? draft.assumeServer()],
    checks,
    ...(user !== null && { user }),
    changes,
    where,
  });
}

const namesTool = (action: JsonValue): boolean =>
  isJsonObject(action) && nonEmptyText(action['name']) !== null;

/** Fields of a task and of its criteria that are read, or named as lost in words of their own. */
const readFields = [
  'id',
  'instruction',
  'user_id',
  'user_scenario',
  'evaluation_criteria',
  'actions',
  'outputs',
  'communicate_info',
  'nl_assertions',
  'env_assertions',
  'initial_state',
];

/** In τ-bench, `respond` is the message to the user. */
const isToolName = (name: string): boolean => name !== 'respond';
const hasKeys = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) && Object.keys(value).length > 0;

function writeTask(task: SuiteFileTask, losses: ExportLoss[]): JsonObject {
  const { must, never, texts } = fromFileTask(task, losses, { user: true });
  const { user } = task;
  if (never.length > 0)
    losses.push({ case: task.id, what: 'Tools that must not be called aren’t exported.' });
  if (user === undefined && task.turns.length > 1)
    losses.push({ case: task.id, what: 'Its turns become one instruction.' });
  if (user !== undefined && (task.turns.length > 1 || task.turns[0] !== greeting))
    losses.push({ case: task.id, what: 'Its turns aren’t exported: the simulated user speaks.' });
  if (user?.persona !== undefined || (user?.knows ?? []).length > 0)
    losses.push({
      case: task.id,
      what: 'How its simulated user talks and what it knows become part of the instruction.',
    });
  if (user?.max_turns !== undefined)
    losses.push({ case: task.id, what: 'The limit of its simulated user isn’t exported.' });
  return {
    id: task.id,
    // A task with the id of a user asks for a simulated one.
    user_id: user === undefined ? '' : task.id,
    instruction: user === undefined ? task.turns.join('\n') : userInstruction(user),
    actions: must.map((name) => ({ name, kwargs: {} })),
    outputs: texts,
  };
}
