import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../files/sourceText.ts';
import type { ReadOptions } from './caseExchange.ts';
import { readMessages, systemOf } from './chatMessages.ts';
import { filesOfSample } from './inspectFiles.ts';
import { checksOfScorers, type NamedScorer } from './inspectScorers.ts';
import { shortName, type Change, type SuiteDraft } from './suiteDraft.ts';
import { isEmpty, nonEmptyText, objectOf, objectsIn } from './values.ts';

/*
 * Samples of Inspect whose scorer is known: those of a log in JSON, which names its scorers
 * (https://inspect.aisi.org.uk/eval-logs.html), and questions with choices, which `choice` scores.
 */

/** A text, or those of a list: never split, because they are compared. */
const listOf = (value: JsonValue | undefined): string[] =>
  (Array.isArray(value) ? value : [value ?? null]).filter((each) => typeof each === 'string');

const maxLength = 100_000_000;

/** Adds the samples of a text as tasks. False: nothing in it says what scores them. */
export function addInspectTasks(
  draft: SuiteDraft,
  text: string,
  { server }: Pick<ReadOptions, 'server'>,
): boolean {
  if (text.length > maxLength || !/"(?:samples|choices)"\s*:/u.test(text)) return false;
  const found = samplesOf(text);
  if (found === null) return false;
  const { samples, scorers, name } = found;
  draft.name = name;
  const where = { line: 1, column: 1 };
  if (samples.length === 0)
    draft.problem(where, 'The log has no samples. Dump one with its samples, and import that.');
  const seen = new Set<string>();
  for (const [at, sample] of samples.entries()) {
    const { id: given } = sample;
    const id = String(typeof given === 'string' || typeof given === 'number' ? given : at + 1);
    // An epoch is the same sample again.
    if (!seen.has(id)) addSample(draft, sample, { id, scorers, server });
    seen.add(id);
  }
  return true;
}

interface FoundSamples {
  samples: JsonObject[];
  scorers: NamedScorer[];
  name: string | null;
}

function samplesOf(text: string): FoundSamples | null {
  const read = readSourceText(text);
  const value: JsonValue = read.readable ? read.value : readLines(text);
  if (isJsonObject(value) && isJsonObject(value['eval'] ?? null)) {
    const about = objectOf(value['eval']);
    return {
      samples: objectsIn(value['samples']),
      scorers: scorersOf(value),
      name: nonEmptyText(about['task'])?.split('/').at(-1) ?? null,
    };
  }
  const samples = objectsIn(value);
  const isChoice = ({ input, choices, target }: JsonObject): boolean =>
    !isEmpty(input) && listOf(choices).length > 1 && !isEmpty(target);
  return samples.length > 0 && samples.every(isChoice)
    ? { samples, scorers: [{ name: 'choice', options: {} }], name: null }
    : null;
}

function readLines(text: string): JsonValue {
  try {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as JsonValue);
  } catch {
    return null;
  }
}

/** The scorers that a log names: for its evaluation, or older ones for its results. */
function scorersOf(log: JsonObject): NamedScorer[] {
  const named = objectsIn(objectOf(log['eval'])['scorers']).flatMap(({ name, options }) =>
    typeof name === 'string' ? [{ name, options: objectOf(options) }] : [],
  );
  if (named.length > 0) return named;
  return objectsIn(objectOf(log['results'])['scores']).flatMap(({ name, scorer, params }) => {
    const text = nonEmptyText(scorer ?? name);
    return text === null ? [] : [{ name: text, options: objectOf(params) }];
  });
}

interface SampleParts {
  id: string;
  scorers: readonly NamedScorer[];
  server: string | null;
}

function addSample(
  draft: SuiteDraft,
  sample: JsonObject,
  { id, scorers, server }: SampleParts,
): void {
  const where = { line: 1, column: 1 };
  const changes: Change[] = [];
  const turns = turnsOf(sample, changes);
  if (turns.length === 0) return draft.skip(id, 'It has no request of a user.', where);
  const targets = listOf(sample['target']).filter((each) => each.trim() !== '');
  if (targets.length === 0) return draft.skip(id, 'It has no target.', where);
  const { checks, changes: open } = checksOfScorers(scorers, targets);
  if (checks.length === 0)
    return draft.skip(
      id,
      scorers.length === 0
        ? 'The log names no scorer.'
        : `Its scorer has no check here: ${scorers.map(({ name }) => name).join(', ')}.`,
      where,
    );
  const files = filesOfSample(sample, changes);
  if (!isEmpty(sample['sandbox']))
    changes.push({
      what: 'sandbox',
      why: 'Not imported. Each run has a folder, and no container.',
    });
  if (!isEmpty(sample['metadata']))
    changes.push({ what: 'metadata', why: 'Not imported. Nothing is compared with it.' });
  draft.addTask({
    sourceId: id,
    name: shortName(turns[0] ?? id),
    turns,
    servers: [server ?? draft.assumeServer()],
    checks,
    ...(files.length > 0 && { files }),
    changes: [...changes, ...open],
    where,
  });
}

/** What the user says: of a conversation, the messages of the user alone. */
function turnsOf(sample: JsonObject, changes: Change[]): string[] {
  const { input, choices } = sample;
  const listed = listOf(choices);
  const messages = readMessages(input);
  if (messages === null) {
    const text = nonEmptyText(input);
    return text === null ? [] : [listed.length > 0 ? asked(text, listed, changes) : text];
  }
  if (systemOf(messages) !== null)
    changes.push({ what: 'system message', why: 'Not imported. Set it for the suite.' });
  if (messages.some(({ role }) => role === 'assistant'))
    changes.push({
      what: 'input',
      why: 'What the assistant says in it is left out. The model answers each turn itself.',
    });
  const said = messages.flatMap(({ role, text }) => (role === 'user' && text ? [text] : []));
  const last = said.at(-1);
  return last === undefined || listed.length === 0
    ? said
    : [...said.slice(0, -1), asked(last, listed, changes)];
}

/** A question with its choices, as a person would write them. */
function asked(question: string, choices: readonly string[], changes: Change[]): string {
  changes.push({
    what: 'choices',
    why: 'They follow the question in words of this import. There, the solver writes them.',
  });
  const lines = choices.map((each, at) => `${String.fromCodePoint(65 + at)}) ${each}`);
  return `${question}\n\n${lines.join('\n')}\n\nEnd with a line "ANSWER: " and the letter of the right choice.`;
}
