import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import { buildQueries } from './promptfooPrompts.ts';
import type { Change } from './suiteDraft.ts';
import { greeting, maxUserTurns, userInstruction } from './userInstruction.ts';
import { nonEmptyText } from './values.ts';

const providerId = 'promptfoo:simulated-user';

/** A conversation with a simulated user, as its test describes it. */
export interface PlayedUser {
  turns: string[];
  user: NonNullable<SuiteFileTask['user']>;
  changes: Change[];
}

/** The settings of a simulated user that a test asks for; null if it asks for none. */
export function simulatedUserOf(test: JsonObject, defaults: JsonObject): JsonObject | null {
  const provider = test['provider'] ?? defaults['provider'];
  if (provider === providerId) return {};
  if (!isJsonObject(provider) || provider['id'] !== providerId) return null;
  return isJsonObject(provider['config']) ? provider['config'] : {};
}

/** The person and the first turns of a test; a reason where it says nothing about the person. */
export function readUser(
  config: JsonObject,
  variables: JsonObject,
): PlayedUser | { reason: string } {
  const template = nonEmptyText(config['instructions']) ?? '{{instructions}}';
  const built = buildQueries([{ template, changes: [] }], variables);
  const goal = 'refused' in built ? '' : (built.queries[0]?.text.trim() ?? '');
  if (goal === '' || goal.startsWith('file://') || /\{[{%#]/u.test(goal))
    return { reason: 'Its simulated user has no instructions that can be read here.' };
  const messages = readMessages(config['initialMessages']);
  const spoken = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  const maxTurns = config['maxTurns'];
  const changes: Change[] = [
    {
      what: 'provider',
      why: 'Texts are looked for in the last answer, not in the whole conversation.',
    },
  ];
  if (spoken.length === 0)
    changes.push({
      what: 'provider',
      why: 'Here the user speaks first: the first turn is a greeting.',
    });
  if (typeof maxTurns === 'number' && maxTurns > maxUserTurns)
    changes.push({ what: 'maxTurns', why: `A task allows at most ${maxUserTurns} replies.` });
  if (spoken.length < messages.length)
    changes.push({
      what: 'initialMessages',
      why: 'Messages of the assistant aren’t imported: the model answers each turn itself.',
    });
  return {
    turns: spoken.length === 0 ? [greeting] : spoken,
    user: {
      goal,
      ...(typeof maxTurns === 'number' && Number.isInteger(maxTurns) && maxTurns >= 1
        ? { max_turns: Math.min(maxTurns, maxUserTurns) }
        : {}),
    },
    changes,
  };
}

/** The test of a task with a simulated user: one test is the whole conversation. */
export function userProvider(
  { id, turns, user }: SuiteFileTask & { user: NonNullable<SuiteFileTask['user']> },
  losses: ExportLoss[],
): JsonObject {
  if (user.persona !== undefined || (user.knows ?? []).length > 0)
    losses.push({
      case: id,
      what: 'How its simulated user talks and what it knows become part of the instructions.',
    });
  if (user.script !== undefined)
    losses.push({ case: id, what: 'The script of its simulated user isn’t exported.' });
  return {
    id: providerId,
    config: {
      instructions: userInstruction(user),
      ...(user.max_turns !== undefined && { maxTurns: user.max_turns }),
      ...(turns.length === 1 && turns[0] === greeting
        ? {}
        : { initialMessages: turns.map((content) => ({ role: 'user', content })) }),
    },
  };
}

function readMessages(value: JsonValue | undefined): { role: string; content: string }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((message) => {
    const content = isJsonObject(message) ? nonEmptyText(message['content']) : null;
    const role = isJsonObject(message) ? nonEmptyText(message['role']) : null;
    return content === null || role === null ? [] : [{ role, content }];
  });
}
