import type { CheckKind } from '../../../src-shared/domain/checkKinds.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import {
  parsePointer,
  valueAtPath,
  type JsonPath,
} from '../../../src-shared/domain/jsonPointer.ts';
import { suiteFileTask } from '../../../src-shared/domain/taskFile.ts';
import { defaultTaskLimits } from '../../../src-shared/domain/task.ts';
import { delaySeconds } from '../../../src-shared/domain/taskFaults.ts';
import { didYouMean } from '../../../src-shared/display/nearest.ts';
import {
  brokenRunValue,
  fillWhereKnown,
  runValueNames,
  type RunValues,
} from '../../../src-shared/domain/runValues.ts';
import { validateMatchers } from '../../scoring/validateMatchers.ts';
import type { ShapeProblem } from './shapeProblems.ts';
import { listAt } from './listAt.ts';
import { checkIdOf } from './taskFileCodec.ts';

/** Problems of the matchers in a value, which may be a matcher itself. */
function matcherProblems(value: JsonValue | undefined, path: JsonPath): ShapeProblem[] {
  if (value === undefined) return [];
  const names = runValueNames(value);
  if (names.length === 0) return problemsOfMatchers(value, path);
  // What a reading returns is known only when the task runs: a number or a text.
  const found = [1, 'text'].map((reading) => {
    const values = { today: '2026-01-01', run_dir: '/run' };
    const readings = names.filter((name) => !(name in values)).map((name) => [name, reading]);
    const known = fillWhereKnown(value, {
      ...values,
      ...(Object.fromEntries(readings) as RunValues),
    });
    return problemsOfMatchers(known, path);
  });
  return found.find((problems) => problems.length === 0) ?? found[0] ?? [];
}

function problemsOfMatchers(value: JsonValue, path: JsonPath): ShapeProblem[] {
  return validateMatchers({ value }, 'none').map((problem) => ({
    path: [...path, ...parsePointer(problem.path).slice(1)],
    part: 'name',
    message: problem.message,
  }));
}

/** Where a check of each kind may have matchers. */
const matcherPaths: Record<CheckKind, readonly string[][]> = {
  state: ['contains', 'excludes', 'matches'].map((test) => ['state', test]),
  end_state: [],
  unchanged: [],
  answer: [['answer']],
  calls: [],
  program: [],
  judge: [],
};

/** Where the entries of a `calls` check have arguments, also those in a group. */
function argumentPaths(calls: JsonValue | undefined): JsonPath[] {
  if (!isJsonObject(calls)) return [];
  return ['must', 'any', 'never'].flatMap((name) =>
    listAt(calls, name).flatMap((entry, at): JsonPath[] =>
      Array.isArray(entry)
        ? entry.map((_, inGroup): JsonPath => [name, at, inGroup, 'arguments'])
        : [[name, at, 'arguments']],
    ),
  );
}

const problemsOfCheck = (check: JsonObject, path: JsonPath): ShapeProblem[] =>
  [
    ...Object.values(matcherPaths).flat(),
    ...argumentPaths(check['calls']).map((names): JsonPath => ['calls', ...names]),
  ].flatMap((names) => matcherProblems(valueAtPath(check, names), [...path, ...names]));

/** Delays that could use up the time of a run, so that they, and not the model, decide about it. */
function delayProblems(task: JsonValue): ShapeProblem[] {
  const read = suiteFileTask.pick({ faults: true, limits: true }).safeParse({
    ...(isJsonObject(task) && { faults: task['faults'], limits: task['limits'] }),
  });
  const { faults = [], limits } = read.data ?? {};
  const { seconds = defaultTaskLimits.seconds } = limits ?? {};
  return delaySeconds(faults) <= seconds / 2
    ? []
    : [
        {
          path: ['faults'],
          part: 'value',
          message:
            `Its delays take ${delaySeconds(faults)} s, more than half of the time limit of ` +
            `${seconds} s. Shorten them, or raise limits.seconds.`,
        },
      ];
}

/** Parts of a task that are used before its readings are taken. */
const beforeReadings = ['setup', 'before', 'reset'];

/** Values that a task fills in and does not read, each at its place. */
function runValueProblems(task: JsonValue): ShapeProblem[] {
  const before = isJsonObject(task) && isJsonObject(task['before'] ?? null) ? task['before'] : {};
  const names = Object.keys(before as JsonObject);
  const visit = (value: JsonValue, path: JsonPath): ShapeProblem[] => {
    if (Array.isArray(value)) return value.flatMap((item, at) => visit(item, [...path, at]));
    if (isJsonObject(value))
      return Object.entries(value).flatMap(([name, member]) => visit(member, [...path, name]));
    const broken = typeof value === 'string' ? brokenRunValue(value) : null;
    if (broken !== null)
      return [
        {
          ...{ path, part: 'value' },
          message: `${broken} is not a value. Write it as {{today + 3d}}, {{run_dir}}, {{user_language}}, {{before.NAME}} or {{before.NAME + 10}}.`,
        },
      ];
    return runValueNames(value).flatMap((name): ShapeProblem[] => {
      const own = /^before\.(.*)$/u.exec(name)?.[1];
      const isEarly = beforeReadings.includes(String(path[0]));
      if (own === undefined || (names.includes(own) && !isEarly)) return [];
      const message = names.includes(own)
        ? `{{${name}}} is not known here: it is read after the setup.`
        : `{{${name}}} is not read: the task has no "before" with this name.${didYouMean(own, names)}`;
      return [{ path, part: 'value', message }];
    });
  };
  return visit(task, []);
}

/**
 * Checks what the schema of a task cannot: check ids that are used twice, and matchers that can never
 * match, and values
 * that are filled in and never read. Accepts a value of any shape and checks the parts that are valid.
 */
export function checkTaskContent(task: JsonValue): ShapeProblem[] {
  const problems: ShapeProblem[] = runValueProblems(task);
  const first = new Map<string, number>();
  for (const [at, check] of listAt(task, 'checks').entries()) {
    if (!isJsonObject(check)) continue;
    const path = ['checks', at];
    const id = checkIdOf(typeof check['id'] === 'string' ? { id: check['id'] } : {}, at);
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, at);
    else
      problems.push({
        path: [...path, ...('id' in check ? ['id'] : [])],
        part: 'value',
        message: `The id ${JSON.stringify(id)} is not unique: check ${earlier + 1} has it already.`,
      });
    problems.push(...problemsOfCheck(check, path));
    if ('end_state' in check && isJsonObject(task) && !('solution' in task))
      problems.push({
        path: [...path, 'end_state'],
        part: 'name',
        message: 'end_state compares with the effect of a solution. Add solution to the task.',
      });
  }
  problems.push(...delayProblems(task));
  for (const [at, stub] of listAt(task, 'stub_results').entries())
    if (isJsonObject(stub))
      problems.push(...matcherProblems(stub['arguments'], ['stub_results', at, 'arguments']));
  return problems;
}
