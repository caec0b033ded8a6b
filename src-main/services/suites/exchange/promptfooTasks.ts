import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import { userProvider } from './promptfooUsers.ts';
import { fromFileTask, type SimpleChecks } from './taskChecks.ts';
import { userInstruction } from './userInstruction.ts';

/**
 * The prompt of a configuration with conversations: what was said before, which promptfoo keeps in
 * `_conversation`, and then the query.
 */
export const conversationPrompt = `[
{% for turn in _conversation %}
  {"role": "user", "content": {{ turn.input | dump }}},
  {"role": "assistant", "content": {{ turn.output | dump }}},
{% endfor %}
  {"role": "user", "content": {{ query | dump }}}
]
`;

/** True for a text that promptfoo would not send as it is. */
export const looksLikeTemplate = (text: string): boolean => /\{[{%#]/.test(text);

/**
 * One test for each turn, joined by the id of the conversation. Texts are looked for in the last
 * answer. The trajectory of a test is that of its turn, so calls that must be made in any turn can
 * only be checked where there is one turn.
 */
export function toTurnTests(task: SuiteFileTask, losses: ExportLoss[]): JsonObject[] {
  const addLoss = (what: string): void => void losses.push({ case: task.id, what });
  const { must, never, texts, ordered } = fromFileTask(task, losses, {
    tags: true,
    servers: true,
    order: true,
    user: true,
  });
  const { user } = task;
  // A simulated user plays the whole conversation in one test.
  const turns = user === undefined ? task.turns : [userInstruction(user)];
  const isOneTurn = turns.length === 1;
  if (user !== undefined)
    addLoss(
      'promptfoo gives the prompt of this file to the assistant as its system prompt. Replace it ' +
        'with yours.',
    );
  if (task.turns.some(looksLikeTemplate))
    addLoss('A turn contains {{, {%, or {#, which promptfoo reads as a template.');
  if (must.length > 0 && !isOneTurn)
    addLoss(
      'The calls that it must make aren’t exported: promptfoo checks each turn by itself, and a ' +
        'task doesn’t say in which turn a call is made.',
    );
  if (never.length > 0 || (must.length > 0 && isOneTurn))
    addLoss('promptfoo checks its calls only if tracing is turned on.');
  const forbidden = [...new Set(never)].map((name) => ({
    type: 'not-trajectory:tool-used',
    value: name,
  }));
  const required = isOneTurn ? requiredCalls({ must, ordered: ordered ?? false }) : [];
  return turns.map((query, at) => {
    const isLast = at === turns.length - 1;
    return {
      description: at === 0 ? task.name : `${task.name}, turn ${at + 1}`,
      vars: { query },
      ...(user !== undefined && { provider: userProvider({ ...task, user }, losses) }),
      options: { disableDefaultAsserts: true },
      metadata: {
        conversationId: task.id,
        ...((task.tags ?? []).length > 0 && { tags: task.tags ?? [] }),
        ...((task.servers ?? []).length > 0 && { servers: task.servers ?? [] }),
      },
      assert: [
        ...required,
        ...forbidden,
        // Texts are compared without regard to case, as here.
        ...(isLast ? texts.map((text) => ({ type: 'icontains', value: text })) : []),
      ],
    };
  });
}

function requiredCalls({
  must,
  ordered,
}: Required<Pick<SimpleChecks, 'must' | 'ordered'>>): JsonObject[] {
  if (ordered && must.length > 1)
    return [{ type: 'trajectory:tool-sequence', value: { mode: 'in_order', steps: must } }];
  return [...new Set(must)].map((name) => ({
    type: 'trajectory:tool-used',
    value: { name, min: must.filter((each) => each === name).length },
  }));
}
