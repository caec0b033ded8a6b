import { z } from 'zod';
import {
  ChatFailure,
  type ChatInput,
  type ChatModel,
  type Conversation,
  type ServerInstructions,
} from '../../adapters/llm/chatModel.ts';
import { DeadlinePassed, unlessAborted, withinDeadline } from '../../runtime/deadline.ts';
import { formatDuration } from '../../../src-shared/display/numbers.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Observation } from '../../../src-shared/domain/observation.ts';
import type {
  SimulatedTurn,
  SimulatedUser,
  TaskContent,
  TaskEnd,
  TaskLimits,
  Trajectory,
  TrajectoryStep,
} from '../../../src-shared/domain/task.ts';
import { ownCalls } from '../../../src-shared/domain/ownTools.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { TaskFault } from '../../../src-shared/domain/taskFaults.ts';
import type { PriorMessage } from '../../../src-shared/domain/testCase.ts';
import { replyTrouble, type AskedWith } from '../../adapters/llm/replyTrouble.ts';
import { LoopGuard } from '../../scoring/tasks/loopGuard.ts';
import {
  afterTrouble,
  answerCall,
  withoutAnswer,
  withoutTurn,
  type CallAnswering,
} from './answerCall.ts';
import { FaultSequence } from './makeFault.ts';
import { broken } from './brokenRun.ts';
import { askPrograms, type JudgedRun } from './programs/programVerdicts.ts';
import { withoutClientArguments } from '../evaluations/tools/presentedTools.ts';
import { readStates, startRun } from './startRun.ts';
import { SendingHalted } from '../../adapters/llm/request/requestAccount.ts';
import type { PaidWatch } from './runSpend.ts';
import { recite, simulateUser, UserTrouble, type Spoken } from './simulateUser.ts';
import { CallTrouble } from './taskEnvironment.ts';

/** One run of a task: everything that it does is decided by this. */
export interface TaskRun
  extends
    CallAnswering,
    Pick<TaskContent, 'name' | 'turns' | 'setup' | 'checks' | 'before' | 'reset'> {
  system: string | null;
  messages: readonly PriorMessage[];
  instructions?: ServerInstructions;
  /** Where programs of its checks work; absent: in folders of their own. */
  folder?: string | null;
  /** The date of the run, as `2026-11-27`; absent: today. */
  today?: string;
  /** What checks read after the reference solution. */
  solved?: Trajectory['states'] | undefined;
  limits: TaskLimits;
  /** The tools of `tools` as their servers published them, if a client shows them otherwise. */
  published?: readonly SnapshotTool[] | undefined;
  faults?: readonly TaskFault[] | undefined;
  repetition: number;
  user?: SimulatedUser | undefined;
  /** What plays the user after the scripted turns; absent: the user's script, if there is one. */
  playedBy?: { model: ChatModel; label: string } | undefined;
}

export interface TaskRunWatch extends PaidWatch {
  /** Every request and reply, in order, before the calls of the reply are answered. */
  onStep?: (step: TrajectoryStep, exchange: { request: JsonObject; response: unknown }) => void;
  /**
   * All steps so far, before a call is sent to a server. The call counts as sent in them; they are
   * the run's own and go on changing.
   */
  onSend?: (steps: readonly TrajectoryStep[]) => void;
}

const reportedOwn = z.looseObject({ ownTools: ownCalls.optional() });

/** What a reply without calls to answer means for the run; null if the model goes on. */
function endOfReply(reply: Observation, asked: AskedWith): TaskEnd | null {
  // A call of such a reply may be incomplete or missing, so that none is executed.
  const trouble = replyTrouble(reply, asked);
  if (trouble !== null) return broken('model', trouble);
  const { stopReason, calls, text } = reply;
  if (stopReason === 'refused') return { by: 'refused' };
  if (stopReason === 'unknown')
    return { by: 'no_answer', reason: 'The reply ended for an unknown reason.' };
  if (calls.length > 0) return null;
  return text === null || text.trim() === ''
    ? { by: 'no_answer', reason: 'The reply has neither a call nor a text.' }
    : { by: 'answered' };
}

/** What an agent reported of its own tools; a model has none. */
function ownToolsOf({ details }: Observation): Pick<TrajectoryStep, 'ownTools'> {
  const given = reportedOwn.safeParse(details).data?.ownTools;
  return given === undefined ? {} : { ownTools: given };
}

/** The loop of one run. Its steps stay readable if a deadline ends it. */
class TaskLoop {
  readonly steps: TrajectoryStep[] = [];
  readonly said: SimulatedTurn[] = [];
  readonly #run: TaskRun;
  readonly #asked: AskedWith;
  readonly #watch: TaskRunWatch;
  readonly #guard = new LoopGuard();
  #calls = 0;
  #tokens = 0;

  constructor(run: TaskRun, sent: ChatModel['sent'], watch: TaskRunWatch) {
    this.#run = { ...run, faulty: new FaultSequence(run.faults ?? []) };
    this.#asked = { tools: run.tools, sent };
    this.#watch = watch;
  }

  /**
   * Plays the scripted turns, then those of a simulated user. Each ends when the model answers
   * without a call. The time limit covers the model and its tools, not the user.
   */
  async play(conversation: Conversation, signal: AbortSignal): Promise<TaskEnd> {
    const spoken: Spoken[] = [];
    let leftMs = this.#run.limits.seconds * 1000;
    for (let turn = 0; ; turn += 1) {
      let text;
      try {
        text = this.#run.turns[turn] ?? (await this.#simulatedTurn(spoken, signal));
      } catch (error) {
        if (!(error instanceof UserTrouble)) throw error;
        return broken('user', `The simulated user: ${error.message}`);
      }
      if (text === null) return { by: 'answered' };
      const startedAt = performance.now();
      try {
        const end = await withinDeadline(Math.max(0, leftMs), signal, (limited) =>
          this.#playTurn(turn, { by: 'user', text }, conversation, limited),
        );
        if (end.by !== 'answered') return end;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof DeadlinePassed)) throw error;
        return this.#timeIsUp();
      }
      leftMs -= performance.now() - startedAt;
      spoken.push({ user: text, answer: this.steps.at(-1)?.text ?? null });
    }
  }

  /**
   * A server or an endpoint that kept the run waiting for most of its time has failed, not the model:
   * a shorter limit than that of a call must not make its failure one of the model.
   */
  #timeIsUp(): TaskEnd {
    const { seconds } = this.#run.limits;
    const waitedMs = this.#watch.accountOf?.('model').waitedMs ?? 0;
    if (waitedMs >= seconds * 500)
      return broken(
        'provider',
        `The endpoint of the model kept the run waiting for ${formatDuration(waitedMs)} of its ` +
          'time limit. Raise the limit, or run fewer tasks at once.',
      );
    const waiting = this.steps.at(-1)?.calls.find(({ answeredBy }) => answeredBy === 'no_answer');
    if (waiting === undefined || waiting.durationMs < seconds * 500)
      return { by: 'limit', limit: 'seconds' };
    const server = JSON.stringify(waiting.server);
    return broken(
      'tool',
      `Server ${server}: tools/call: no answer to ${waiting.name} in ` +
        `${formatDuration(waiting.durationMs)}, when the time limit of the task was reached. ` +
        'The call may have taken effect. Check that the server isn’t stuck, or raise the limit.',
    );
  }

  /** What the simulated user says next; null ends the run. */
  async #simulatedTurn(spoken: readonly Spoken[], signal: AbortSignal): Promise<string | null> {
    const { user, playedBy, repetition } = this.#run;
    const already = this.said.length;
    if (!user || (playedBy ? already >= user.maxTurns : !user.script)) return null;
    const turn = playedBy
      ? await simulateUser(
          playedBy.model,
          user,
          { spoken, already, repetition },
          signal,
          this.#watch,
        )
      : recite(user, already);
    this.said.push(turn);
    return turn.text;
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
        const account = this.#watch.accountOf?.('model');
        reply = await unlessAborted(conversation.next(input, signal, account), signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof SendingHalted) throw error;
        return broken(error instanceof ChatFailure ? error.kind : 'provider', errorText(error));
      }
      const { elapsedMs } = reply;
      const observation = withoutClientArguments(reply.observation, {
        tools: this.#run.published ?? this.#run.tools,
        shown: this.#run.tools,
      });
      this.#watch.onUsage?.('model', observation.usage);
      const step: TrajectoryStep = {
        turn,
        text: observation.text,
        reasoning: observation.reasoning,
        stopReason: observation.stopReason,
        // They are made, whatever comes between them and their answers.
        calls: observation.calls.map((call) => withoutTurn(call, 'run_ended')),
        usage: observation.usage,
        ...ownToolsOf(observation),
        elapsedMs,
      };
      this.steps.push(step);
      this.#watch.onStep?.(step, { request: reply.request, response: reply.response });
      this.#tokens += (observation.usage?.input ?? 0) + (observation.usage?.output ?? 0);
      const said = endOfReply(observation, this.#asked);
      // An answer that the limit didn't allow is no success.
      if (said?.by === 'answered' && this.#tokens > limits.tokens)
        return { by: 'limit', limit: 'tokens' };
      const end = said ?? (await this.#answer(observation, step, signal));
      if (end !== null) return end;
      input = {
        by: 'tools',
        results: step.calls.map(({ id, result: { text, isError, structured } }) => ({
          ...{ id, text, isError },
          ...(structured !== null && { structured }),
        })),
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
    if (this.#calls + calls.length > this.#run.limits.toolCalls) {
      step.calls = calls.map((call) => withoutTurn(call, 'over_limit'));
      return { by: 'limit', limit: 'toolCalls' };
    }
    this.#calls += calls.length;
    for (const [at, call] of calls.entries()) {
      const sent: { at: number | null } = { at: null };
      const beforeSend = () => {
        step.calls[at] = withoutAnswer(call, 0);
        this.#watch.onSend?.(this.steps);
        sent.at = performance.now();
      };
      let answered;
      try {
        const answering = answerCall(call, this.#run, beforeSend, signal);
        answered = await unlessAborted(answering, signal);
      } catch (error) {
        step.calls[at] =
          error instanceof CallTrouble
            ? afterTrouble(call, error)
            : sent.at === null
              ? withoutTurn(call, 'run_ended')
              : withoutAnswer(call, performance.now() - sent.at);
        signal.throwIfAborted();
        // Before a call is sent, only this program can have failed.
        if (sent.at === null) throw error;
        return broken('tool', errorText(error));
      }
      step.calls[at] = { ...call, ...answered };
      // Trying again after a fault on purpose is what the model should do.
      if (answered.fault === undefined && this.#guard.add(call, answered.result))
        return {
          by: 'loop',
          tool: call.server === null ? call.name : toolId(call.server, call.tool ?? call.name),
        };
    }
    return null;
  }
}

/**
 * Runs a task once: prepares the servers, plays the user turns with a model whose calls are answered,
 * and reads the state that checks compare. Everything that goes wrong is an end of the run; only an
 * abort of the signal rejects, with its reason. The time limit covers the turns.
 */
export async function runTask(
  given: TaskRun,
  model: ChatModel,
  signal: AbortSignal,
  watch: TaskRunWatch = {},
): Promise<Trajectory> {
  if (!model.converse)
    return {
      steps: [],
      end: broken('provider', `The provider ${model.provider} can't work on tasks.`),
      states: {},
    };
  const started = await startRun(given, signal, given.today);
  if ('end' in started) return { steps: [], end: started.end, states: {} };
  const { run, values } = started;
  const references = { ...run.solved, ...started.before };
  const { system, messages, tools, repetition, instructions } = run;
  const conversation = model.converse({
    ...{ system, messages, tools, repetition, mode: run.mode },
    ...(instructions && { instructions }),
  });
  const loop = new TaskLoop(run, model.sent, watch);
  let end;
  try {
    end = await loop.play(conversation, signal);
  } finally {
    await conversation.close?.();
  }
  const played = {
    steps: loop.steps,
    ...(values && { values }),
    ...(Object.keys(references).length > 0 && { references }),
    ...(loop.said.length > 0 && {
      user: { model: run.playedBy?.label ?? 'script', turns: loop.said },
    }),
  };
  if (end.by === 'infrastructure') return { ...played, end, states: {} };
  const read = await readStates(run, signal);
  // How else a run ended decides about it, whatever its states are.
  const trajectory: Trajectory = {
    ...played,
    end: end.by === 'answered' ? (read.end ?? end) : end,
    states: read.states,
  };
  if (trajectory.end.by === 'infrastructure') return trajectory;
  const { name, turns, checks, folder = null, environment } = run;
  const judged: JudgedRun = {
    ...{ name, turns, repetition, checks, trajectory },
    ...{ folder, runFolder: environment?.folder ?? null },
  };
  return { ...trajectory, ...(await askPrograms(judged, signal)) };
}
