import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type {
  ReadingCheck,
  StateCheck,
  TaskCheck,
  TaskStub,
  Trajectory,
} from '../../../src-shared/domain/task.ts';
import { serveItems } from '../../adapters/process/itemLoop.ts';
import { AjvJudge } from '../../scoring/ajvJudge.ts';
import { judgeTask } from '../../scoring/tasks/judgeTask.ts';
import { findMatchingStub } from '../../scoring/tasks/stubs.ts';
import type { Refusals } from '../evaluations/score/scoringItem.ts';
import { reduceReading } from './reduceReading.ts';
import { withStages } from '../evaluations/score/stagedJudge.ts';
import type { Judge } from '../../scoring/judge.ts';
import { schemaProperties } from '../../scoring/schemaProperties.ts';

export type JudgeQuestion =
  | { ask: 'verdict'; checks: readonly TaskCheck[]; run: Trajectory }
  | { ask: 'stub'; stubs: readonly TaskStub[]; args: JsonObject }
  | { ask: 'reading'; check: StateCheck | ReadingCheck }
  | { ask: 'arguments'; schema: JsonObject; args: JsonObject };

/** A question as JSON, and the patterns and schemas that are not tried again. */
export interface JudgeItem extends Refusals {
  text: string;
  /** The reading that a question is about. It is apart, because quoting it would double its memory. */
  whole?: string;
}

const plain = new AjvJudge();

serveItems((item, { enterStage }): string => {
  const { text, whole = '', patterns, schemas } = item as JudgeItem;
  const judge = withStages(plain, [], { schemas, patterns }, enterStage);
  const question = parseJson(text) as JudgeQuestion;
  if (question.ask === 'reading')
    return JSON.stringify(reduceReading(question.check, whole, judge));
  if (question.ask === 'arguments')
    return JSON.stringify(refusedArguments(question.schema, question.args, judge));
  return JSON.stringify(
    question.ask === 'verdict'
      ? judgeTask(question.checks, question.run, judge)
      : findMatchingStub(question.stubs, question.args, judge),
  );
});

/** Why the published schema of a tool refuses arguments; null if it accepts them or can't decide. */
function refusedArguments(
  schema: JsonObject,
  args: JsonObject,
  judge: Pick<Judge, 'validate'>,
): string | null {
  const { properties, required, open } = schemaProperties(schema);
  const absent = [...required].find((name) => !Object.hasOwn(args, name));
  if (absent !== undefined) return `${absent} is missing`;
  const unknown = Object.keys(args).find((name) => !properties.has(name));
  if (unknown !== undefined && !open) return `it has no parameter ${unknown}`;
  const said = judge.validate(schema, args);
  return said.outcome === 'violates' ? said.reason : null;
}
