import { fillJudgePrompt } from '../../../src-shared/domain/judgePromptText.ts';
import { promptVersionOf } from '../../../src-shared/domain/judges.ts';
import type {
  TaskEvaluationSettings,
  TaskRunDetail,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { isByModel } from '../../../src-shared/domain/checkKinds.ts';
import { z } from 'zod';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Observation, TokenUsage } from '../../../src-shared/domain/observation.ts';
import {
  turnsOf,
  type JudgeCheck,
  type TaskContent,
  type Trajectory,
} from '../../../src-shared/domain/task.ts';
import type { ChatModel, ChatRequest } from '../../adapters/llm/chatModel.ts';
import { SendingHalted } from '../../adapters/llm/request/requestAccount.ts';
import { unlessAborted } from '../../runtime/deadline.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { majorityOf } from '../../scoring/tasks/judgeMajority.ts';
import type { Judgement } from '../../scoring/tasks/judgeTask.ts';
import type { StoredTaskRun } from '../../store/runs/playedTasks.ts';
import { judgePrompt } from './judgePrompt.ts';
import type { PaidWatch } from './runSpend.ts';

/** As much of a result as a judge needs to see. */
const maxResult = 4_000;
const maxReason = 1_000;

/** The whole reply: nothing before it, nothing after it, and no further member. */
const judgeReply = z.strictObject({
  verdict: z.enum(['yes', 'no']),
  reason: z.string().max(10_000),
});

function workOf(content: Pick<TaskContent, 'turns'>, run: Trajectory): JsonObject {
  const cut = (text: string): string =>
    text.length > maxResult ? `${text.slice(0, maxResult)} [cut]` : text;
  return {
    turns: turnsOf(content, run).map((user, turn) => ({
      user,
      steps: run.steps
        .filter((step) => step.turn === turn)
        .map(({ text, calls }) => ({
          ...(text !== null && { agent: text }),
          ...(calls.length > 0 && {
            calls: calls.map(({ name, arguments: args, argumentsText, result }) => ({
              tool: name,
              arguments: args ?? argumentsText,
              result: cut(result.text),
              ...(result.isError && { error: true }),
            })),
          }),
        })),
    })),
  };
}

/**
 * The question to a judge. The work is JSON, in which no text can end its own string, between marks
 * that contain a hash of it, so that no text of the work can name them. The same run always gives
 * the same question.
 */
export function judgeRequest(
  { rubric }: Pick<JudgeCheck, 'rubric'>,
  content: Pick<TaskContent, 'turns'>,
  run: Trajectory,
  repetition: number,
): ChatRequest {
  const work = JSON.stringify(workOf(content, run), null, 1).replaceAll('<', '\\u003c');
  const mark = sha256(`${rubric}\n${work}`).slice(0, 16);
  return {
    ...fillJudgePrompt(rubric, work, mark),
    messages: [],
    tools: [],
    repetition,
  };
}

/**
 * What judges were asked about a run, which follows from it; nothing where no judge was, or where the
 * prompt was another one.
 */
export function judgeQuestions(
  settings: Pick<TaskEvaluationSettings, 'judge' | 'judgeTerms'>,
  content: TaskContent,
  { repetition, verdict }: Pick<StoredTaskRun, 'repetition' | 'verdict'>,
  played: Trajectory | null,
): TaskRunDetail['judgeQuestions'] {
  const isOther = promptVersionOf(settings) !== judgePrompt.version;
  if (settings.judge === null || isOther || played?.end.by !== 'answered' || verdict === null)
    return [];
  return content.checks.filter(isByModel).map((check) => {
    const { system, query } = judgeRequest(check, content, played, repetition);
    return { checkId: check.id, system: system ?? '', query };
  });
}

/** The verdict of a reply. Anything but the requested object is no verdict. */
export function readJudgement({ text, calls, stopReason }: Observation): Judgement {
  const none = (why: string): Judgement => ({
    passed: null,
    reason: `The judge ${why}.`,
    unusable: true,
  });
  if (stopReason === 'refused') return none('refused to answer');
  if (stopReason === 'cut_off' || stopReason === 'filtered')
    return none('gave an answer that was cut off');
  if (calls.length > 0) return none('called a tool in place of an answer');
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return none('gave no verdict in the required form');
  }
  const read = judgeReply.safeParse(value);
  if (!read.success) return none('gave no verdict in the required form');
  const { verdict, reason } = read.data;
  return { passed: verdict === 'yes', reason: reason.slice(0, maxReason) };
}

/** A judge that is asked. It is known by the name of its model, whoever serves it, also in a replay. */
export interface AskedJudge {
  model: ChatModel;
  name: string;
}

export interface Judged {
  judgements: Map<string, Judgement>;
  /** Tokens of each question, by judge; null where the provider reported none. */
  usages: (TokenUsage | null)[][];
}

/**
 * Asks every judge about every judge check of a run; several decide by majority. A judge that can't
 * be reached or read gives no verdict; only an abort rejects, and SendingHalted where nothing more may
 * be sent. Runs that didn't end with an answer are not judged, because their outcome is known.
 */
export async function askJudges(
  judges: readonly AskedJudge[],
  content: Pick<TaskContent, 'turns' | 'checks'>,
  run: Trajectory,
  repetition: number,
  signal: AbortSignal,
  watch: PaidWatch = {},
): Promise<Judged> {
  const judged: Judged = { judgements: new Map(), usages: judges.map(() => []) };
  if (run.end.by !== 'answered') return judged;
  for (const check of content.checks) {
    if (!isByModel(check)) continue;
    const said: Judgement[] = [];
    for (const [at, { model }] of judges.entries())
      try {
        const { observation } = await unlessAborted(
          model.choose(
            judgeRequest(check, content, run, repetition),
            signal,
            watch.accountOf?.('judge', at),
          ),
          signal,
        );
        judged.usages[at]?.push(observation.usage);
        watch.onUsage?.('judge', observation.usage, at);
        said.push(readJudgement(observation));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof SendingHalted) throw error;
        const reason = `The judge could not be asked: ${errorText(error)}`;
        said.push({ passed: null, reason, unusable: true });
      }
    const [only] = said;
    if (only === undefined) continue;
    judged.judgements.set(
      check.id,
      said.length === 1
        ? only
        : majorityOf(
            said.map(({ passed, reason }, at) => ({
              judge: judges[at]?.name ?? '',
              passed,
              reason,
            })),
          ),
    );
  }
  return judged;
}
