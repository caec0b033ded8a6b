import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { SimulatedTurn, SimulatedUser } from '../../../src-shared/domain/task.ts';
import type { PriorMessage } from '../../../src-shared/domain/testCase.ts';
import type { ChatModel, ChatReply, ChatRequest } from '../../adapters/llm/chatModel.ts';
import { SendingHalted } from '../../adapters/llm/request/requestAccount.ts';
import { unlessAborted } from '../../runtime/deadline.ts';
import type { PaidWatch } from './runSpend.ts';

/** What the person says to end the conversation. No model writes it by accident. */
const stopWord = '###STOP###';

/** What was said so far: turn i of the user and the answer to it. */
export interface Spoken {
  user: string;
  /** Null: the model under test gave no text. */
  answer: string | null;
}

/** The person could not be played: the run is not scored. */
export class UserTrouble extends Error {
  override readonly name = 'UserTrouble';
}

function systemOf({ goal, persona, knows }: SimulatedUser): string {
  const talks = persona.trim() === '' ? 'You talk in plain words.' : persona;
  return [
    'You are a person who asks an assistant for help. You write the messages of that person.',
    `<goal>\n${goal}\n</goal>`,
    `<manner>\n${talks}\n</manner>`,
    knows.length === 0
      ? 'You know nothing beyond your goal.'
      : `<facts>\n${knows.map((fact) => `- ${fact}`).join('\n')}\n</facts>`,
    'Write one short message at a time, and nothing but the message. Tell a fact when the assistant ' +
      'asks for it. If it asks for something that is not among your facts, say that you do not know. ' +
      'Never make up names, numbers or dates, and never do the work of the assistant.',
    `When your goal is reached, or when the assistant cannot reach it, reply with ${stopWord} and ` +
      'nothing else.',
  ].join('\n\n');
}

/**
 * The request for the next message of the person. The roles are those of the person: the answers of
 * the model under test are what the person is told.
 */
function userRequest(
  user: SimulatedUser,
  spoken: readonly Spoken[],
  repetition: number,
): ChatRequest {
  const told = spoken.map(({ answer }) => answer ?? '(The assistant said nothing.)');
  const messages: PriorMessage[] = spoken.flatMap(({ user: said }, at) => [
    { role: 'user', content: told[at - 1] ?? 'How can I help you?' },
    { role: 'assistant', content: said },
  ]);
  return {
    system: systemOf(user),
    query: told.at(-1) ?? 'How can I help you?',
    messages,
    tools: [],
    repetition,
  };
}

/** The message in a reply; null ends the conversation. */
function readMessage({ observation }: ChatReply): string | null {
  const { text, stopReason, calls } = observation;
  if (stopReason === 'refused') throw new UserTrouble('It refused to reply.');
  if (stopReason === 'cut_off' || stopReason === 'filtered')
    throw new UserTrouble('Its reply was cut off.');
  if (calls.length > 0) throw new UserTrouble('It called a tool in place of a reply.');
  const message = text?.trim() ?? '';
  if (message === '') throw new UserTrouble('Its reply was empty.');
  return message.includes(stopWord) ? null : message;
}

/** Without a model, the person says the script, else the facts, one after the other, and then stops. */
export function recite({ knows, script }: SimulatedUser, already: number): SimulatedTurn {
  const text = (script ?? knows)[already] ?? null;
  const request = { [script ? 'reply' : 'fact']: already };
  return { text, usage: null, elapsedMs: 0, request, response: text };
}

/**
 * Returns the next message of a simulated user. `already` counts the messages that it gave before.
 * Throws UserTrouble where the model gives none, SendingHalted where nothing more may be sent, and
 * the reason of the signal. A reply that can't be used was paid for as well.
 */
export async function simulateUser(
  model: ChatModel,
  user: SimulatedUser,
  {
    spoken,
    already,
    repetition,
  }: { spoken: readonly Spoken[]; already: number; repetition: number },
  signal: AbortSignal,
  watch: PaidWatch = {},
): Promise<SimulatedTurn> {
  if (model.provider === 'builtin') return recite(user, already);
  let reply: ChatReply;
  try {
    reply = await unlessAborted(
      model.choose(userRequest(user, spoken, repetition), signal, watch.accountOf?.('user')),
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SendingHalted) throw error;
    throw new UserTrouble(errorText(error), { cause: error });
  }
  watch.onUsage?.('user', reply.observation.usage);
  return {
    text: readMessage(reply),
    usage: reply.observation.usage,
    elapsedMs: reply.elapsedMs,
    request: reply.request,
    response: reply.response,
  };
}
