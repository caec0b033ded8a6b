import type { ChatInput, ChatModel, Conversation } from '../../adapters/llm/chatModel.ts';
import { DeadlinePassed, unlessAborted, withinDeadline } from '../../runtime/deadline.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Observation } from '../../../src-shared/domain/observation.ts';
import type {
  TaskCheck,
  TaskEnd,
  TaskLimits,
  Trajectory,
  TrajectoryCall,
  TrajectoryStep,
} from '../../../src-shared/domain/task.ts';
import type { PriorMessage } from '../../../src-shared/domain/testCase.ts';
import { LoopGuard } from '../../scoring/tasks/loopGuard.ts';
import { answerCall, isExecuted, type CallAnswering } from './answerCall.ts';
import { renderResult } from './renderResult.ts';

/** A server's state may be longer than what a model gets to see. */
const maxStateLength = 2_000_000;

interface ToolUse {
  server: string;
  tool: string;
  arguments: JsonObject;
}

/** One run of a task: everything that it does is decided by this. */
export interface TaskRun extends CallAnswering {
  turns: readonly string[];
  system: string | null;
  messages: readonly PriorMessage[];
  setup: readonly ToolUse[];
  checks: readonly TaskCheck[];
  limits: TaskLimits;
  repetition: number;
}

export interface TaskRunWatch {
  /** Every request and reply, in order, as soon as the calls of the reply are answered. */
  onStep?: (step: TrajectoryStep, exchange: { request: JsonObject; response: unknown }) => void;
}

type Stage = Extract<TaskEnd, { by: 'infrastructure' }>['stage'];
const broken = (stage: Stage, message: string): TaskEnd => ({
  by: 'infrastructure',
  stage,
  message,
});

/** What a reply without calls to answer means for the run; null if the model goes on. */
function endOfReply({ stopReason, calls, text }: Observation): TaskEnd | null {
  if (stopReason === 'refused') return { by: 'refused' };
  // The last call of such a reply may be incomplete, so that none is executed.
  if (stopReason === 'cut_off') return { by: 'no_answer', reason: 'The reply was cut off.' };
  if (stopReason === 'unknown')
    return { by: 'no_answer', reason: 'The reply ended for an unknown reason.' };
  if (calls.length > 0) return null;
  return text === null || text.trim() === ''
    ? { by: 'no_answer', reason: 'The reply has neither a call nor a text.' }
    : { by: 'answered' };
}

/** The loop of one run. Its steps stay readable if a deadline ends it. */
class TaskLoop {
  readonly steps: TrajectoryStep[] = [];
  readonly #run: TaskRun;
  readonly #watch: TaskRunWatch;
  readonly #guard = new LoopGuard();
  #calls = 0;
  #tokens = 0;

  constructor(run: TaskRun, watch: TaskRunWatch) {
    this.#run = run;
    this.#watch = watch;
  }

  /** Plays all user turns. Each ends when the model answers without a call. */
  async play(conversation: Conversation, signal: AbortSignal): Promise<TaskEnd> {
    for (const [turn, text] of this.#run.turns.entries()) {
      const end = await this.#playTurn(turn, { by: 'user', text }, conversation, signal);
      if (end.by !== 'answered') return end;
    }
    return { by: 'answered' };
  }

  async #playTurn(
    turn: number,
    first: ChatInput,
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<TaskEnd> {
    const { limits } = this.#run;
    for (let input = first; ;) {
      if (this.steps.length >= limits.steps) return { by: 'limit', limit: 'steps' };
      if (this.#tokens > limits.tokens) return { by: 'limit', limit: 'tokens' };
      let reply;
      try {
        reply = await unlessAborted(conversation.next(input, signal), signal);
      } catch (error) {
        signal.throwIfAborted();
        return broken('model', errorText(error));
      }
      const { observation, elapsedMs } = reply;
      const step: TrajectoryStep = {
        turn,
        text: observation.text,
        reasoning: observation.reasoning,
        stopReason: observation.stopReason,
        calls: [],
        usage: observation.usage,
        elapsedMs,
      };
      this.steps.push(step);
      this.#tokens += (observation.usage?.input ?? 0) + (observation.usage?.output ?? 0);
      try {
        const end = endOfReply(observation) ?? (await this.#answer(observation, step, signal));
        if (end !== null) return end;
      } finally {
        this.#watch.onStep?.(step, { request: reply.request, response: reply.response });
      }
      input = {
        by: 'tools',
        results: step.calls.map(({ id, result: { text, isError } }) => ({ id, text, isError })),
      };
    }
  }

  /**
   * Answers the calls of a reply one after the other, in their order, so that the same reply always
   * has the same effect. Returns why the run ends, or null.
   */
  async #answer(
    { calls }: Observation,
    step: TrajectoryStep,
    signal: AbortSignal,
  ): Promise<TaskEnd | null> {
    if (this.#calls + calls.length > this.#run.limits.toolCalls)
      return { by: 'limit', limit: 'toolCalls' };
    this.#calls += calls.length;
    for (const call of calls) {
      let answered;
      try {
        answered = await unlessAborted(answerCall(call, this.#run, signal), signal);
      } catch (error) {
        signal.throwIfAborted();
        return broken('tool', errorText(error));
      }
      const made: TrajectoryCall = { ...call, ...answered };
      step.calls.push(made);
      if (this.#guard.add(call, answered.result))
        return {
          by: 'loop',
          tool: call.server === null ? call.name : toolId(call.server, call.tool ?? call.name),
        };
    }
    return null;
  }
}

/** Prepares the servers; null if that worked. Stubs need no preparation. */
async function setUp(run: TaskRun, signal: AbortSignal): Promise<TaskEnd | null> {
  if (run.mode === 'stub') return null;
  for (const { server, tool, arguments: args } of run.setup) {
    if (run.environment === null || !isExecuted({ server, tool }, run))
      return broken(
        'setup',
        `${tool} isn't read-only, so the mode ${run.mode} doesn't execute it.`,
      );
    try {
      const called = await run.environment.call(server, tool, args, signal);
      if (called.isError)
        return broken('setup', `${tool} returned an error: ${renderResult(called, 300).text}`);
    } catch (error) {
      signal.throwIfAborted();
      return broken('setup', errorText(error));
    }
  }
  return null;
}

/** Reads what the state checks compare. A tool that the mode doesn't execute has no state. */
async function readStates(
  run: TaskRun,
  signal: AbortSignal,
): Promise<{ states: Trajectory['states']; end: TaskEnd | null }> {
  const states: Trajectory['states'] = {};
  for (const check of run.checks) {
    if (check.kind !== 'state' || run.environment === null || !isExecuted(check, run)) continue;
    try {
      const called = await run.environment.call(check.server, check.tool, check.arguments, signal);
      const result = renderResult(called, maxStateLength);
      if (result.cutFrom !== null)
        return {
          states,
          end: broken('state', `The result of ${check.tool} is too long to compare.`),
        };
      states[check.id] = result;
    } catch (error) {
      signal.throwIfAborted();
      return { states, end: broken('state', errorText(error)) };
    }
  }
  return { states, end: null };
}

/**
 * Runs a task once: prepares the servers, plays the user turns with a model whose calls are answered,
 * and reads the state that checks compare. Everything that goes wrong is an end of the run; only an
 * abort of the signal rejects, with its reason. The time limit covers the turns.
 */
export async function runTask(
  run: TaskRun,
  model: ChatModel,
  signal: AbortSignal,
  watch: TaskRunWatch = {},
): Promise<Trajectory> {
  if (!model.converse)
    return {
      steps: [],
      end: broken('model', `The provider ${model.provider} can't work on tasks.`),
      states: {},
    };
  const failed = await setUp(run, signal);
  if (failed !== null) return { steps: [], end: failed, states: {} };
  const { system, messages, tools, repetition, limits } = run;
  const conversation = model.converse({ system, messages, tools, repetition });
  const loop = new TaskLoop(run, watch);
  let end: TaskEnd;
  try {
    end = await withinDeadline(limits.seconds * 1000, signal, (limited) =>
      loop.play(conversation, limited),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DeadlinePassed)) throw error;
    end = { by: 'limit', limit: 'seconds' };
  }
  if (end.by === 'infrastructure') return { steps: loop.steps, end, states: {} };
  const read = await readStates(run, signal);
  return { steps: loop.steps, end: read.end ?? end, states: read.states };
}
