import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { TaskCheck, TaskStub, Trajectory } from '../../../src-shared/domain/task.ts';
import { serveItems } from '../../adapters/process/itemLoop.ts';
import { AjvJudge } from '../../scoring/ajvJudge.ts';
import { judgeTask } from '../../scoring/tasks/judgeTask.ts';
import { findMatchingStub } from '../../scoring/tasks/stubs.ts';
import type { Refusals } from '../evaluations/score/scoringItem.ts';
import { withStages } from '../evaluations/score/stagedJudge.ts';

export type JudgeQuestion =
  | { ask: 'verdict'; checks: readonly TaskCheck[]; run: Trajectory }
  | { ask: 'stub'; stubs: readonly TaskStub[]; args: JsonObject };

/** A question as JSON, and the patterns and schemas that are not tried again. */
export interface JudgeItem extends Refusals {
  text: string;
}

const plain = new AjvJudge();

serveItems((item, { enterStage }): string => {
  const { text, patterns, schemas } = item as JudgeItem;
  const judge = withStages(plain, [], { schemas, patterns }, enterStage);
  const question = parseJson(text) as JudgeQuestion;
  return JSON.stringify(
    question.ask === 'verdict'
      ? judgeTask(question.checks, question.run, judge)
      : findMatchingStub(question.stubs, question.args, judge),
  );
});
