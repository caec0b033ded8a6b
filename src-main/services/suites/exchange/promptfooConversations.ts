import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { TaskFileCheck } from '../../../../src-shared/domain/taskFile.ts';
import { readAsserts } from './promptfooAsserts.ts';
import { buildQueries, type Prompt } from './promptfooPrompts.ts';
import type { PlayedUser } from './promptfooUsers.ts';
import { shortName, type Change, type DraftTask, type Place } from './suiteDraft.ts';
import { toFileChecks, type FoundChecks } from './taskChecks.ts';
import { nonEmptyText, textsOf } from './values.ts';

/** A test of a conversation, with what the configuration adds to it. */
export interface Turn {
  test: JsonObject;
  label: string;
  variables: JsonObject;
  asserts: readonly JsonValue[];
  where: Place;
}

/** The conversation that a test continues; null if it stands alone. */
export function conversationOf(metadata: JsonObject): string | null {
  const id = metadata['conversationId'];
  return typeof id === 'number' ? `${id}` : nonEmptyText(id);
}

const textTypes = new Set(['contains', 'icontains', 'equals']);

/**
 * Joins the tests of one conversation to a task, in their order: each is one turn, and what they
 * assert is checked after the last one. With a simulated user, one test is the whole conversation.
 * Returns the reason if that is not possible.
 */
export function toTask(
  id: string,
  turns: readonly Turn[],
  prompts: readonly Prompt[],
  played: PlayedUser | null = null,
): DraftTask | { reason: string } {
  // A tool that no turn may use is one that the task must never call.
  const forbidden = turns.map(({ asserts }) => asserts.map(forbiddenTool));
  const never = (forbidden[0] ?? []).filter(
    (tool) => tool !== null && forbidden.every((tools) => tools.includes(tool)),
  );
  const found: FoundChecks = {
    must: [],
    never: never.filter((tool) => tool !== null),
    texts: [],
  };
  const changes: Change[] = [...(played?.changes ?? [])];
  const noCalls: TaskFileCheck[] = [];
  const texts: string[] = [...(played?.turns ?? [])];
  for (const [at, { label, variables, asserts }] of turns.entries()) {
    if (played === null) {
      const built = buildQueries(prompts, variables);
      if ('refused' in built) return { reason: `${label}: ${built.refused}` };
      const [query, ...others] = built.queries;
      if (!query || others.length > 0)
        return { reason: `${label} needs exactly one prompt to be a turn of a conversation.` };
      texts.push(query.text);
      changes.push(...query.changes);
      if (Object.keys(query.own).length > 0)
        changes.push({
          what: `Turn ${at + 1}: messages of the prompt before the query`,
          why: 'Not imported: a task has none.',
        });
    }
    const isLast = at === turns.length - 1;
    const isText = (each: JsonValue): boolean => textOf(each) !== null;
    const isOfTask = (each: JsonValue): boolean =>
      isText(each) || found.never.includes(forbiddenTool(each) ?? '');
    if (isLast) found.texts.push(...asserts.flatMap((each) => textOf(each) ?? []));
    else if (asserts.some(isText))
      changes.push({
        what: `Turn ${at + 1}: text of the answer`,
        why: 'Not imported. Only the last message of a task is checked.',
      });
    const expected = readAsserts(asserts.filter((each) => !isOfTask(each)));
    if ('reasons' in expected) {
      if (asserts.some((each) => !isOfTask(each)))
        changes.push(...expected.reasons.map((why) => ({ what: `Turn ${at + 1}`, why })));
      continue;
    }
    found.must.push(
      ...expected.calls.map(({ tool, parameters }) =>
        parameters === undefined ? tool : { tool, arguments: parameters },
      ),
    );
    // A task accepts calls that it doesn't name, like promptfoo.
    changes.push(...expected.changes.filter(({ what }) => what !== 'Other calls'));
    if (expected.orderDependent && turns.length === 1) found.ordered = true;
    else if (expected.orderDependent)
      changes.push({ what: `Turn ${at + 1}: order of the calls`, why: 'It isn’t imported.' });
    if (expected.argumentsMode === 'exact')
      changes.push({
        what: `Turn ${at + 1}: arguments`,
        why: 'Arguments that the call isn’t expected to have are accepted here.',
      });
    if (expected.none && turns.length === 1) noCalls.push({ calls: { total: { at_most: 0 } } });
    else if (expected.none)
      changes.push({ what: `Turn ${at + 1}: no tool`, why: 'A task has no such check.' });
    if (!isLast && expected.calls.length > 0)
      changes.push({
        what: `Turn ${at + 1}`,
        why: 'Its calls are checked after the last turn.',
      });
  }
  const checks = [...noCalls, ...toFileChecks(found)];
  if (checks.length === 0)
    return { reason: 'No assertion of the conversation says which tool or answer is correct.' };
  const [first] = turns;
  const metadata = first && isJsonObject(first.test['metadata']) ? first.test['metadata'] : {};
  return {
    sourceId: id,
    name:
      nonEmptyText(first?.test['description']) ?? shortName(played?.user.goal ?? texts[0] ?? ''),
    turns: texts,
    tags: textsOf(metadata['tags']),
    servers: textsOf(metadata['servers']),
    checks,
    ...(played !== null && { user: played.user }),
    changes,
    where: first?.where ?? { line: null, column: null },
  };
}

/** The text that an assertion looks for in the answer; null if it is another one. */
function textOf(assert: JsonValue): string | null {
  const type = isJsonObject(assert) ? nonEmptyText(assert['type']) : null;
  return isJsonObject(assert) && type !== null && textTypes.has(type)
    ? nonEmptyText(assert['value'])
    : null;
}

/** The tool that an assertion forbids; null if it is another one. */
function forbiddenTool(assert: JsonValue): string | null {
  if (!isJsonObject(assert) || assert['type'] !== 'not-trajectory:tool-used') return null;
  const { value } = assert;
  const name = nonEmptyText(isJsonObject(value) ? value['name'] : value);
  return name === null || /[*?]/.test(name) ? null : name;
}
