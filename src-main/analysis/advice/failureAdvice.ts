import type { Advice } from '../../../src-shared/domain/advice.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { formatPointer } from '../../../src-shared/domain/jsonPointer.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { missingWords, fewWords, type FailedRequest } from '../missingWords.ts';
import { contentTerms, words } from '../tokenizer.ts';
import { groupsOf } from '../relatedWords.ts';
import { isDoubtful } from './belongs.ts';
import { addToDescription, withSentence } from './paste.ts';
import { namesHead } from './nameWords.ts';
import { baseVerb, purposeOf } from './purpose.ts';
import { listed } from './spoken.ts';

const idOf = ({ server, name }: AnalysedTool): string => toolId(server, name);

/** Verbs that say nothing of what a tool is for. */
const generic = new Set(
  'get give take look set put like show handle return run use provide perform wait type test'.split(
    ' ',
  ),
);

/**
 * Which words of failing requests the definition lacks, at most three: words of at least two
 * requests, or verbs of the only one. What tells no tool of the server from the others is left out.
 */
export function wordsAdvice(
  tool: AnalysedTool,
  requests: readonly FailedRequest[],
  others: readonly AnalysedTool[],
): Advice | null {
  // No word makes a text right that is empty or about something else.
  if (!/\p{L}/u.test(tool.description) || !namesHead(tool, tool.description)) return null;
  if (isDoubtful(tool, others)) return null;
  const definition = `${tool.name} ${tool.description} ${JSON.stringify(tool.inputSchema)}`;
  const queries = requests.map(({ query }) => query);
  const shared = sharedBy(tool, others);
  const accept = (word: string): boolean =>
    !generic.has(word) &&
    !shared(word) &&
    (queries.length === 1
      ? baseVerb(word) === word
      : queries.filter((query) => words(query).includes(word)).length > 1);
  const found = missingWords(requests, definition, { ...fewWords, accept });
  return found.length === 0 ? null : adviceOfWords(tool, queries, found);
}

/** Siblings that are enough to say what a whole server is about. */
const minSiblings = 2;

/**
 * What tells no tool of a server from the others: what the server is called, and what at least half of
 * the others say, each in the same or in another word. An email is what all tools of a mail server
 * work on.
 */
function sharedBy(
  { server, name }: AnalysedTool,
  others: readonly AnalysedTool[],
): (word: string) => boolean {
  const siblings = others.filter((other) => other.server === server && other.name !== name);
  const said = siblings.map(({ name: own, description }) =>
    meaningsOf(`${words(own).join(' ')} ${description}`),
  );
  const called = meaningsOf(words(server).join(' '));
  return (word) => {
    const meanings = [...meaningsOf(word)];
    const isIn = (each: ReadonlySet<string | number>): boolean =>
      meanings.some((meaning) => each.has(meaning));
    const saying = said.filter(isIn).length;
    return isIn(called) || (said.length >= minSiblings && saying * 2 >= said.length);
  };
}

/** The words of a text by stem, and the groups of words that mean the same. */
const meaningsOf = (text: string): ReadonlySet<string | number> =>
  new Set(contentTerms(text).flatMap((term) => [term.stem, ...groupsOf(term.stem)]));

/** Names given words, for the author to say what they mean. */
export function adviceOfWords(
  tool: AnalysedTool,
  requests: readonly string[],
  found: readonly string[],
): Advice {
  const id = idOf(tool);
  return {
    kind: 'missing_words',
    toolIds: [id],
    edits: [{ type: 'write', toolId: id }],
    why: `Failing requests say ${listed(found.map((word) => `“${word}”`))}; the description doesn’t.`,
    evidence: { requests: [...requests], words: [...found] },
  };
}

/** Whether a description limits when its tool is used. */
export const saysWhenToUse = (description: string): boolean =>
  /\bonly (?:when|if|use)\b|\bdo not use\b/iu.test(description);

/** Says when a tool is meant that was called although no call was needed. */
export function unneededAdvice(tool: AnalysedTool, requests: readonly string[]): Advice | null {
  const purpose = purposeOf(tool.description);
  if (purpose === null || saysWhenToUse(tool.description)) return null;
  const edit = addToDescription(tool, `Use it only when someone asks to ${purpose}.`);
  return (
    edit && {
      kind: 'unneeded_call',
      toolIds: [idOf(tool)],
      edits: [edit],
      why: `${tool.name} was called for a request that needs no call.`,
      evidence: { requests: [...requests], words: [] },
    }
  );
}

const maxExample = 60;

function exampleOf(value: JsonValue | undefined): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = JSON.stringify(value);
  return text.length > 2 && text.length <= maxExample && !/\\/u.test(text) ? text : null;
}

/** Whether the description of a parameter shows a value. */
export const hasExample = (description: string): boolean =>
  /\be\.g\.|\bexample\b|\bsuch as\b/iu.test(description);

/** Describes a parameter that was filled wrongly, with the expected value as the example. */
export function parameterAdvice(
  tool: AnalysedTool,
  name: string,
  expected: JsonValue | undefined,
  request: string,
): Advice | null {
  const properties = tool.inputSchema['properties'];
  const schema = isJsonObject(properties) ? properties[name] : undefined;
  const example = exampleOf(expected);
  if (!isJsonObject(schema) || example === null || 'enum' in schema || 'const' in schema)
    return null;
  const old = typeof schema['description'] === 'string' ? schema['description'] : '';
  if (old.includes(example.replaceAll('"', '')) || hasExample(old)) return null;
  // For free text, an example says nothing that the description doesn't.
  const hasFormat = /[\d_@/:-]/u.test(example);
  if (old.trim() !== '' && !hasFormat) return null;
  const spoken = words(name)
    .map((word) => (word === 'id' || word === 'url' ? word.toUpperCase() : word))
    .join(' ');
  const subject = /^"\d{4}-\d{2}-\d{2}"$/u.test(example) ? 'Date as YYYY-MM-DD' : `The ${spoken}`;
  const inserted =
    old.trim() === '' ? `${subject}, for example ${example}.` : `For example, ${example}.`;
  return {
    kind: 'parameter',
    toolIds: [idOf(tool)],
    edits: [
      {
        type: 'text',
        toolId: idOf(tool),
        path: formatPointer(['inputSchema', 'properties', name, 'description']),
        oldText: old,
        newText: old.trim() === '' ? inserted : withSentence(old, inserted),
        inserted,
      },
    ],
    why:
      old.trim() === ''
        ? `${name} has no description and was filled with another value than expected.`
        : `${name} was filled with another value than expected, and its description has no example.`,
    evidence: { requests: [request], words: [] },
  };
}
