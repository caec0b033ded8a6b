import { writeInjection } from '../../../src-shared/domain/injectionTechniques.ts';
import type { FaultKind } from '../../../src-shared/domain/taskFaults.ts';
import type { ActualCall } from '../../../src-shared/domain/observation.ts';
import type {
  CallAnswer,
  ExecutionMode,
  TaskInjection,
  TaskResult,
  TaskStub,
  TrajectoryCall,
} from '../../../src-shared/domain/task.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { effectsOf } from '../../scoring/tasks/trajectoryFacts.ts';
import { answerInPlace, delayCall, spoil, type FaultSequence } from './makeFault.ts';
import { ownResult, renderResult, stubbedResult } from './renderResult.ts';
import type { CallTrouble, TaskEnvironment } from './taskEnvironment.ts';
import type { TaskJudge } from './taskJudge.ts';

/** A tool by its listing; without a schema, its arguments are not checked. */
export type KnownTool = Pick<SnapshotTool, 'server' | 'name' | 'annotations'> &
  Partial<Pick<SnapshotTool, 'inputSchema'>>;

export interface CallAnswering {
  mode: ExecutionMode;
  stubs: readonly TaskStub[];
  injection: TaskInjection | null;
  /** What goes wrong on purpose; absent: nothing. */
  faulty?: FaultSequence | undefined;
  /** What the model is offered. */
  tools: readonly SnapshotTool[];
  /** All tools of the run's servers, also of those that only setup and checks use. */
  known: readonly KnownTool[];
  /** Null if the mode executes nothing. */
  environment: TaskEnvironment | null;
  judge: Pick<TaskJudge, 'findStub' | 'reduce' | 'refusal'>;
}

export interface AnsweredCall {
  answeredBy: CallAnswer;
  result: TaskResult;
  durationMs: number;
  fault?: FaultKind;
  /** How long a delay on purpose took. */
  delayedMs?: number;
}

type NamedTool = { server: string; tool: string };

/** Whether the mode executes a tool. One that isn't known is executed in `full` only. */
export function isExecuted(
  { server, tool }: NamedTool,
  { mode, known }: Pick<CallAnswering, 'mode' | 'known'>,
): boolean {
  if (mode !== 'read-only') return mode === 'full';
  const found = known.find((each) => each.server === server && each.name === tool);
  return found !== undefined && effectsOf(found.annotations).readOnly;
}

/** The first stub of the tool that answers a call with these arguments. */
function stubOf(
  { server, tool }: NamedTool,
  args: JsonObject,
  { stubs, judge }: CallAnswering,
): Promise<TaskStub | null> {
  const ofTool = stubs.filter((stub) => stub.server === server && stub.tool === tool);
  return judge.findStub(ofTool, args);
}

const own = (answeredBy: CallAnswer, text: string, isError: boolean): AnsweredCall => ({
  answeredBy,
  result: ownResult(text, isError),
  durationMs: 0,
});

async function answerWithoutFault(
  call: ActualCall,
  answering: CallAnswering,
  beforeSend: () => void,
  signal: AbortSignal,
): Promise<AnsweredCall> {
  const { server, tool, arguments: args } = call;
  if (server === null || tool === null) {
    const name = JSON.stringify(call.name.slice(0, 200));
    return own('not_offered', `There is no tool named ${name}.`, true);
  }
  if (args === null)
    return own('unreadable_arguments', "The arguments aren't a JSON object.", true);
  const { mode, environment } = answering;
  if (mode === 'stub') {
    const stub = await stubOf({ server, tool }, args, answering);
    return stub === null
      ? own('not_executed', 'accepted, not executed', false)
      : {
          answeredBy: 'stubbed',
          result: stubbedResult(stub.result, stub.isError),
          durationMs: 0,
        };
  }
  if (environment === null || !isExecuted({ server, tool }, answering))
    return own('not_executed', 'not executed in this mode', false);
  beforeSend();
  const called = await environment.call(server, tool, args, signal);
  return { answeredBy: 'executed', result: renderResult(called), durationMs: called.durationMs };
}

/** A fault on purpose answers in place of the server, delays its answer, or changes it. */
async function answer(
  call: ActualCall,
  answering: CallAnswering,
  beforeSend: () => void,
  signal: AbortSignal,
): Promise<AnsweredCall> {
  const { server, tool, arguments: args } = call;
  const met =
    server === null || tool === null || args === null
      ? null
      : (answering.faulty?.next({ server, tool }) ?? null);
  if (met === null) return answerWithoutFault(call, answering, beforeSend, signal);
  const { fault } = met;
  const result = answerInPlace(met);
  if (result !== null) return { answeredBy: 'fault', result, durationMs: 0, fault };
  const delayedMs = await delayCall(met, signal);
  const answered = await answerWithoutFault(call, answering, beforeSend, signal);
  return {
    ...answered,
    result: spoil(answered.result, met),
    fault,
    ...(delayedMs > 0 && { delayedMs }),
  };
}

/** A call that is not executed, because the run has ended. */
export const withoutTurn = (call: ActualCall, by: 'over_limit' | 'run_ended'): TrajectoryCall => ({
  ...call,
  ...own(
    by,
    by === 'over_limit'
      ? 'not executed: it exceeds the limit of tool calls'
      : 'not executed: the run ended before',
    false,
  ),
});

/** A call that was sent and has no answer, after waiting for one. */
export const withoutAnswer = (call: ActualCall, waitedMs: number): TrajectoryCall => ({
  ...call,
  ...own('no_answer', 'No answer was recorded. The call may have taken effect.', true),
  durationMs: Math.ceil(waitedMs),
});

/** A call whose server failed: what is known about it, and why it has no result. */
export const afterTrouble = (call: ActualCall, { fate, message, waitedMs }: CallTrouble) => ({
  ...call,
  ...own(fate, message, true),
  durationMs: fate === 'not_sent' ? 0 : Math.ceil(waitedMs),
});

/** A result of the tool that carries an instruction; a call that failed brought none. */
const carriesText = ({ answeredBy, result }: AnsweredCall): boolean =>
  !['unreadable_arguments', 'fault'].includes(answeredBy) &&
  !(answeredBy === 'executed' && result.isError);

/**
 * Answers one call of a model: by its server if the mode executes the tool, else by a stub or a note.
 * A call that no tool could answer gets an error, so that the model can correct it. An injected
 * instruction is added to the text of the tool's result, unless its server answered with an error.
 * `beforeSend` is called when the call is about to be sent to a server. Throws CallTrouble if the
 * server fails.
 */
export async function answerCall(
  call: ActualCall,
  answering: CallAnswering,
  beforeSend: () => void,
  signal: AbortSignal,
): Promise<AnsweredCall> {
  const answered = await answer(call, answering, beforeSend, signal);
  const { injection } = answering;
  if (
    injection === null ||
    call.server !== injection.server ||
    call.tool !== injection.tool ||
    !carriesText(answered)
  )
    return answered;
  const { result } = answered;
  const injected = writeInjection(injection.technique, injection.instruction);
  const text = result.text === '' ? injected : `${result.text}\n\n${injected}`;
  return { ...answered, result: { ...result, text } };
}
