import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { SuiteFileTask, TaskFileCheck } from '../../../../src-shared/domain/taskFile.ts';
import { spokenText } from './spokenText.ts';
import type { Change } from './suiteDraft.ts';
import type { ListedTool } from './toolCatalog.ts';
import { nonEmptyText, textsOf, toExactLiteral } from './values.ts';

/** What decides about a run of τ²-bench: the factors of its reward. */
const bases = ['DB', 'ENV_ASSERTION', 'ACTION', 'COMMUNICATE', 'NL_ASSERTION'] as const;
type Basis = (typeof bases)[number];
/** That of τ-bench, and of a task of τ²-bench that names none. */
const defaultBasis: readonly Basis[] = ['DB', 'COMMUNICATE'];

interface Action {
  name: string;
  arguments: JsonObject;
  /** The arguments that an ACTION compares; null: all of the call. */
  compared: string[] | null;
}

/** The checks of a task, what they need, and what a run of the source is judged by besides. */
export interface ReadCriteria {
  checks: TaskFileCheck[];
  solution: NonNullable<SuiteFileTask['solution']>;
  changes: Change[];
}

const objectsIn = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const objectOr = (value: JsonValue | undefined): JsonObject | null =>
  isJsonObject(value ?? null) ? (value as JsonObject) : null;

/** What the assistant does; `respond` is its message to the user in τ-bench. */
const actionsOf = (criteria: JsonObject): Action[] =>
  objectsIn(criteria['actions'])
    .filter(({ requestor = 'assistant', name }) => requestor === 'assistant' && name !== 'respond')
    .flatMap((action) => {
      const name = nonEmptyText(action['name']);
      return name === null
        ? []
        : [
            {
              name,
              arguments: objectOr(action['arguments']) ?? objectOr(action['kwargs']) ?? {},
              compared: Array.isArray(action['compare_args'])
                ? textsOf(action['compare_args'])
                : null,
            },
          ];
    });

/** Members that no two runs have alike on a server with a clock. */
const times = ['created_at', 'updated_at', 'createdAt', 'updatedAt', 'timestamp'];

/** Readings of the data that calls are about: at most so many. */
const maxReadings = 20;

/**
 * Calls of read-only tools that show what the actions changed: of a tool without required parameters,
 * and of one whose required parameters an action has under the same names.
 */
function readingsFor(
  listed: readonly ListedTool[],
  given: readonly JsonObject[],
): { tool: string; arguments?: JsonObject }[] {
  const readings = new Map<string, { tool: string; arguments?: JsonObject }>();
  for (const { name: tool, required } of listed.filter(({ readOnly }) => readOnly))
    for (const values of required.length === 0 ? [{}] : given) {
      if (!required.every((name) => Object.hasOwn(values, name))) continue;
      const args = Object.fromEntries(required.map((name) => [name, values[name] ?? null]));
      const reading = { tool, ...(required.length > 0 && { arguments: args }) };
      if (readings.size < maxReadings) readings.set(canonicalJson(reading), reading);
    }
  return [...readings.values()];
}

/** Equal checks once: a call of the source may meet several expected ones. */
const distinct = <Value extends object>(values: readonly Value[]): Value[] => [
  ...new Map(values.map((value) => [canonicalJson(value as JsonObject), value])).values(),
];

/** An action as a check of its own, because one call may meet several of them there. */
function checkOfAction({ name, arguments: args, compared }: Action): TaskFileCheck {
  const entries =
    compared === null
      ? // Of a call, only its own arguments are compared, so one that is left out is fine.
        Object.entries(args).map(([key, value]) => [key, { $optional: toExactLiteral(value) }])
      : compared.map((key) => [
          key,
          Object.hasOwn(args, key) ? toExactLiteral(args[key] ?? null) : { $absent: true },
        ]);
  return {
    calls: {
      must: [
        entries.length === 0
          ? name
          : { tool: name, arguments: Object.fromEntries(entries) as JsonObject },
      ],
    },
  };
}

interface Known {
  /** Whose tools the task uses. */
  server: string;
  listed: readonly ListedTool[];
  /** Values that a reading may need besides those of the actions, such as the id of the user. */
  given: JsonObject;
}

/**
 * What decides about a run, as checks: the reward is the product of what `reward_basis` names, so a
 * run succeeds if each of it does. What it doesn't name is no check here either.
 */
export function readCriteria(criteria: JsonObject, known: Known): ReadCriteria {
  const named = textsOf(criteria['reward_basis']);
  const basis = new Set<string>(named.length > 0 ? named : defaultBasis);
  const changes: Change[] = [];
  const undecided: string[] = [];
  const leave = (what: string, why: string): void => void changes.push({ what, why });
  const isDeciding = (part: Basis, what: string, count: number): boolean => {
    if (count > 0 && !basis.has(part)) leave(what, 'It doesn’t decide there: see reward_basis.');
    return basis.has(part);
  };
  const actions = actionsOf(criteria);
  const isByUser = objectsIn(criteria['actions']).some(({ requestor }) => requestor === 'user');
  if (isByUser) leave('actions', 'Actions of the user aren’t imported: a user has no tools here.');

  const checks: TaskFileCheck[] = [];
  const solution: ReadCriteria['solution'] = [];
  if (basis.has('DB')) {
    const compared = readDatabase(actions, known, leave);
    checks.push(...compared.checks);
    solution.push(...(basis.has('ACTION') ? compared.all : compared.solution));
    if (compared.checks.length === 0 || isByUser) undecided.push('DB');
  }
  if (isDeciding('ACTION', 'actions', basis.has('DB') ? 0 : actions.length)) {
    checks.push(...actions.map(checkOfAction));
    if (
      actions.some(
        ({ arguments: args, compared }) => compared === null && Object.keys(args).length > 0,
      )
    )
      leave('actions', 'Arguments that an action doesn’t name are accepted here, and not there.');
    if (isByUser) undecided.push('ACTION');
  }
  const said = [...textsIn(criteria['outputs']), ...textsIn(criteria['communicate_info'])];
  if (isDeciding('COMMUNICATE', 'communicate_info', said.length)) {
    checks.push(...said.map((text) => ({ answer: spokenText(text), message: 'any' as const })));
    if (said.some((text) => text.includes(',')))
      leave(
        'communicate_info',
        'Commas are left out of messages there, so a text with one is never found. It is found here.',
      );
  }
  const assertions = textsIn(criteria['nl_assertions']);
  if (isDeciding('NL_ASSERTION', 'nl_assertions', assertions.length))
    checks.push(...assertions.map((judge) => ({ judge })));
  const run = objectsIn(criteria['env_assertions']).length;
  if (isDeciding('ENV_ASSERTION', 'env_assertions', run) && run > 0) {
    leave('env_assertions', 'They run code of the benchmark, so they aren’t imported.');
    undecided.push('ENV_ASSERTION');
  }
  undecided.push(...[...basis].filter((each) => !bases.some((one) => one === each)));
  if (undecided.length > 0)
    leave(
      'reward_basis',
      `Not compared: ${[...new Set(undecided)].join(', ')}. A run can succeed here that fails there. Add a check.`,
    );
  return { checks: distinct(checks), solution, changes };
}

const textsIn = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.flatMap((each) => nonEmptyText(each) ?? []) : [];

/** DB: the data is what it is after the actions, or what it was if there are none. */
function readDatabase(
  actions: readonly Action[],
  { server, listed, given }: Known,
  leave: (what: string, why: string) => void,
): Pick<ReadCriteria, 'checks' | 'solution'> & { all: ReadCriteria['solution'] } {
  const toCall = ({ name: tool, arguments: args }: Action) => ({ server, tool, arguments: args });
  const reads = new Set(listed.filter(({ readOnly }) => readOnly).map(({ name }) => name));
  const writes = actions.filter(({ name }) => !reads.has(name));
  const readings = readingsFor(listed, [
    ...actions.map(({ arguments: args }) => ({ ...given, ...args })),
    given,
  ]).map((reading) => ({ server, ...reading, ignore: times }));
  if (readings.length > 0) {
    leave(
      'DB',
      `It is compared by what ${[...new Set(readings.map(({ tool }) => tool))].join(', ')} ` +
        'returns, not as a whole database, and without times. Add random IDs to `ignore`.',
    );
    return writes.length === 0
      ? { checks: readings.map((reading) => ({ unchanged: reading })), solution: [], all: [] }
      : {
          checks: readings.map((reading) => ({ end_state: reading })),
          solution: writes.map(toCall),
          // It must pass the checks of its calls, which may name those that only read.
          all: actions.map(toCall),
        };
  }
  if (actions.length === 0) return { checks: [], solution: [], all: [] };
  leave(
    'DB',
    'Which tools read the data isn’t known, so the calls are required that lead to it there. ' +
      'Another way to the same data fails here. Register the server and import again.',
  );
  const required = actions.map((action) => ({
    ...action,
    compared: Object.keys(action.arguments),
  }));
  return { checks: required.map(checkOfAction), solution: [], all: [] };
}
