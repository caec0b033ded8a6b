import { fixturesOf } from '../../../../src-shared/domain/fixtureParts.ts';
import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { sha256 } from '../../../runtime/sha256.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type { ChatModel, ChatRequest, TaskToRecord } from '../chatModel.ts';

export interface RecordingKeyParts extends Omit<ChatRequest, 'tools'> {
  /**
   * The model's own name, without its provider: a recording may be replayed through another one.
   */
  model: string;
  sent: ChatModel['sent'];
  tools: readonly Pick<SnapshotTool, 'server' | 'hash'>[];
}

/**
 * The key of a recorded answer: SHA-256 (64 hex digits) over the canonical JSON of model, sent
 * settings, prompt (system, messages, query), tools (server and hash of the raw content, in the
 * order offered) and repetition. A setting that is null is not sent and is not part of the key.
 * Source: docs/rules.md §3.
 */
export function recordingKey(parts: RecordingKeyParts): string {
  return keyOf(parts, {
    tools: parts.tools.map(({ server, hash }) => [server, hash]),
    repetition: parts.repetition,
  });
}

/** The key without tools and repetition: requests that ask the same of other tools share it. */
export const questionKey = (parts: Omit<RecordingKeyParts, 'tools' | 'repetition'>): string =>
  keyOf(parts, {});

function keyOf(
  { model, sent, system, messages, query, turns }: Omit<RecordingKeyParts, 'tools' | 'repetition'>,
  further: JsonObject,
): string {
  const canonical = canonicalJson({
    model,
    sent: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)),
    system,
    messages: messages.map(({ role, content }) => ({ role, content })),
    query,
    ...further,
    // Stub results are part of what the model sees.
    ...(turns &&
      turns.stubs.length > 0 && {
        stubs: turns.stubs.map(({ server, tool, result }) => ({ server, tool, result })),
      }),
  });
  return sha256(canonical);
}

/**
 * The key of a recorded run of a task: as above, over everything that decides what happens. Checks
 * are not part of it, because they only judge: a recorded run can be judged by other checks.
 */
export function taskRecordingKey(
  { tools, content, ...parts }: TaskToRecord,
  model: string,
  sent: ChatModel['sent'],
): string {
  const { turns, setup, limits, stubs, injection, user, solution, faults } = content;
  const canonical = canonicalJson({
    ...parts,
    messages: parts.messages.map(({ role, content: text }) => ({ role, content: text })),
    task: {
      ...{ turns, setup, limits, stubs, injection },
      ...(user && { user }),
      // States are compared with its effect, which the recording holds.
      ...(solution && { solution }),
      ...(faults && { faults }),
      ...fixturesOf(content),
    },
    tools: tools.map(({ server, hash }) => [server, hash]),
    model,
    sent: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)),
  });
  return sha256(canonical);
}
