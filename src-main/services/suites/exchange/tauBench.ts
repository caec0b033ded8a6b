import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import type { CaseExchange } from './caseExchange.ts';
import { readDraftSource } from './csvText.ts';
import { shortName, SuiteDraft, type Change, type Place, type TextPosition } from './suiteDraft.ts';
import { fromFileTask } from './taskChecks.ts';
import { readCriteria } from './tauCriteria.ts';
import type { ListedTool } from './toolCatalog.ts';
import { greeting, userInstruction } from './userInstruction.ts';
import { unreadChanges } from './fieldNames.ts';
import { isEmpty, nonEmptyText, plainMembers } from './values.ts';

const version = 2;

/**
 * Tasks in the shapes of τ-bench (`instruction`, `actions`, `outputs`) and τ²-bench
 * (`user_scenario`, `evaluation_criteria`), as a list or under `tasks`.
 */
export const tauBench: CaseExchange = {
  extension: '.tau.json',
  holdsTasks: true,

  read(text, options) {
    const draft = new SuiteDraft('tau-bench', version, text, options);
    const source = readDraftSource(draft, text);
    if (source !== null) {
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
  if (!listOf(criteria['actions']).every(namesTool))
    return draft.skip(label, 'One of its actions names no tool.', where);
  changes.push(
    ...unreadChanges(task, readFields),
    ...(criteria === task ? [] : unreadChanges(criteria, readFields, 'evaluation_criteria.')),
  );
  const home = server ?? ownerOfActions(criteria, draft) ?? draft.assumeServer();
  const listed = draft.catalog.toolsOf(home);
  const userId = nonEmptyText(task['user_id']);
  const read = readCriteria(criteria, {
    server: home,
    listed,
    given: userId === null ? {} : { user_id: userId },
  });
  changes.push(...read.changes);
  const { checks, solution } = read;
  const setup = readInitialState(task['initial_state'], { server: home, listed }, changes);
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
    servers: [home],
    setup,
    solution,
    checks,
    ...(user !== null && { user }),
    changes,
    where,
  });
}

const ownerOfActions = (criteria: JsonObject, draft: SuiteDraft): string | null =>
  listOf(criteria['actions'])
    .filter(isJsonObject)
    .map(({ name }) => draft.catalog.resolve(nonEmptyText(name) ?? '')?.server)
    .find((server) => server !== undefined) ?? null;

/** Calls that prepare the servers: of an initial state, what is a call of a listed tool. */
function readInitialState(
  state: JsonValue | undefined,
  { server, listed }: { server: string; listed: readonly ListedTool[] },
  changes: Change[],
): NonNullable<SuiteFileTask['setup']> {
  if (!isJsonObject(state ?? null)) return [];
  const { initialization_actions: actions, ...others } = state as JsonObject;
  const setup = listOf(actions)
    .filter(isJsonObject)
    .flatMap(({ env_type: by = 'assistant', func_name: name, arguments: args = null }) => {
      const tool = nonEmptyText(name);
      const isListed = by === 'assistant' && listed.some((each) => each.name === tool);
      return tool === null || !isListed
        ? []
        : [{ server, tool, arguments: isJsonObject(args) ? args : {} }];
    });
  if (setup.length < listOf(actions).length)
    changes.push({
      what: 'initial_state.initialization_actions',
      why: 'Only calls of tools of a registered server are imported. Add setup calls for the others.',
    });
  for (const [name, value] of Object.entries(others))
    if (!isEmpty(value))
      changes.push({ what: `initial_state.${name}`, why: 'It isn’t imported. Add setup calls.' });
  return setup;
}

const namesTool = (action: JsonValue): boolean =>
  isJsonObject(action) && nonEmptyText(action['name']) !== null;

/** Fields of a task and of its criteria that are read, or named as lost in words of their own. */
const readFields = (
  'id instruction user_id user_scenario evaluation_criteria actions outputs communicate_info ' +
  'nl_assertions env_assertions initial_state reward_basis'
).split(' ');

function writeTask(task: SuiteFileTask, losses: ExportLoss[]): JsonObject {
  const held = { user: true, anyMessage: true, arguments: true };
  const { never, texts, uses = [] } = fromFileTask(task, losses, held);
  const actions = uses.map(({ tool: name, arguments: args = {} }) => {
    const { values, lost } = plainMembers(args);
    if (lost) losses.push({ case: task.id, what: `The matchers of ${name} aren’t exported.` });
    return { name, arguments: values };
  });
  if (
    task.checks.some((check) => 'answer' in check && check.message === undefined) &&
    texts.length > 0
  )
    losses.push({
      case: task.id,
      what: 'A text may be in any message there, not only in the last.',
    });
  const { user } = task;
  if (
    uses.some(({ at_least: least = 1 }) => least > 1) ||
    new Set(uses.map((use) => JSON.stringify(use))).size < uses.length
  )
    losses.push({
      case: task.id,
      what: 'Two calls of a tool become one: a call may meet several actions there.',
    });
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
  if (user?.script !== undefined)
    losses.push({ case: task.id, what: 'The script of its simulated user isn’t exported.' });
  if (user?.max_turns !== undefined)
    losses.push({ case: task.id, what: 'The limit of its simulated user isn’t exported.' });
  return {
    id: task.id,
    // A task with the id of a user asks for a simulated one.
    user_id: user === undefined ? '' : task.id,
    instruction: user === undefined ? task.turns.join('\n') : userInstruction(user),
    actions: actions.map(({ name, arguments: kwargs }) => ({ name, kwargs })),
    outputs: texts,
    // As τ²-bench has it: the calls are required, with the arguments that are named.
    evaluation_criteria: {
      actions: actions.map((action, at) => ({
        ...{ action_id: `${task.id}_${at}`, requestor: 'assistant' },
        ...action,
        compare_args: Object.keys(action.arguments),
      })),
      communicate_info: texts,
      reward_basis: ['ACTION', 'COMMUNICATE'],
    },
  };
}
