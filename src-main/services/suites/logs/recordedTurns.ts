import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { PriorMessage, ToolReference } from '../../../../src-shared/domain/testCase.ts';
import { systemOf, toPriorMessages, type ChatMessage } from '../exchange/chatMessages.ts';

export interface RecordedCall {
  name: string;
  arguments: JsonObject | null;
  /** What the log calls it, to find what else it says about it. */
  id: string | null;
  failed: boolean;
  /** The tool that it means, where the log holds what its server listed. */
  listed?: ToolReference;
}

/** What a model did about one request of a person: what happened, not what is right. */
export interface RecordedTurn {
  query: string;
  /** What was said before it, and how many earlier messages were left out. */
  messages: PriorMessage[];
  leftOut: number;
  system: string | null;
  /** The calls of each answer, until the next request; empty if it called nothing. */
  answers: RecordedCall[][];
  model: string | null;
  time: string | null;
  /** Of the log, counted from 1. */
  line: number;
}

/** What a log says about a conversation as a whole. */
export interface TurnSource {
  model: string | null;
  time: string | null;
  line: number;
  system?: string | null;
}

const maxMessages = 20;
const maxText = 8000;

/** Texts that a program puts before what a person says, in messages of the user. */
const ofPrograms =
  /^\s*(?:<(?:environment_context|user_instructions|system-reminder|command-name|command-message|local-command-[a-z]+|task-notification|ide_[a-z_]+)\b|# AGENTS\.md instructions|Caveat: The messages below|\[Request interrupted)/;

/** A message of a person: not a result, not what a program wrote. */
export const isRequest = ({ role, text }: ChatMessage): boolean =>
  role === 'user' && text.trim() !== '' && !ofPrograms.test(text);

/**
 * One turn for each request that was answered. Calls between two results belong to one answer: the
 * model made them at the same time.
 */
export function turnsOf(messages: readonly ChatMessage[], source: TurnSource): RecordedTurn[] {
  const said = messages.filter((message) => message.role !== 'user' || isRequest(message));
  const ends = new Map(
    said.flatMap(({ results = [] }) => results.map(({ id, failed }) => [id, failed] as const)),
  );
  const turns: RecordedTurn[] = [];
  const system = source.system ?? systemOf(said);
  for (const [at, asked] of said.entries()) {
    if (asked.role !== 'user') continue;
    const next = said.findIndex(({ role }, index) => index > at && role === 'user');
    const after = said.slice(at + 1, next < 0 ? undefined : next);
    if (!after.some(({ role }) => role === 'assistant')) continue;
    const answers: RecordedCall[][] = [];
    let isOpen = false;
    for (const { role, calls, callIds = [] } of after) {
      if (role === 'result') isOpen = false;
      if (role !== 'assistant' || calls.length === 0) continue;
      const own = calls.map((call, index): RecordedCall => {
        const id = callIds[index] ?? null;
        const { name, arguments: given } = call;
        return {
          name: typeof name === 'string' ? name : '',
          arguments: given === undefined ? null : (given as JsonObject),
          id,
          failed: id !== null && ends.get(id) === true,
        };
      });
      const last = answers.at(-1);
      if (isOpen && last !== undefined) last.push(...own);
      else answers.push(own);
      isOpen = true;
    }
    const prior = toPriorMessages(said.slice(0, at));
    turns.push({
      query: asked.text.trim().slice(0, maxText),
      messages: prior
        .slice(-maxMessages)
        .map(({ role, content }) => ({ role, content: content.slice(0, maxText) })),
      leftOut: Math.max(0, prior.length - maxMessages),
      system: system === null ? null : system.slice(0, 4 * maxText),
      answers,
      model: source.model,
      time: source.time,
      line: source.line,
    });
  }
  return turns;
}
