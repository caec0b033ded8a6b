import type { Advice } from '../../../src-shared/domain/advice.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { formatPointer } from '../../../src-shared/domain/jsonPointer.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { missingWords, type FailedRequest, type WordLimits } from '../missingWords.ts';
import { stem } from '../contentTerms.ts';
import { words } from '../tokenizer.ts';
import { addToDescription, withSentence } from './paste.ts';
import { baseVerb, purposeOf } from './purpose.ts';

const idOf = ({ server, name }: AnalysedTool): string => toolId(server, name);

function listed(items: readonly string[]): string {
  if (items.length < 3) return items.join(' or ');
  return `${items.slice(0, -1).join(', ')}, or ${items.at(-1) ?? ''}`;
}

/** Verbs that say nothing about what a tool is for. */
const generic = new Set(['get', 'give', 'take', 'look', 'set', 'put', 'like', 'show', 'handle']);

const isVerb = (word: string): boolean => baseVerb(word) === word && !generic.has(word);

/** Words that say when, where or how, never what: a description with them is not worth pasting. */
const vague = new Set(
  `
    about actually again ago ahead almost already also although always anybody anymore anyone
    anything anyway anywhere apart around aside away back because before besides beyond certain
    completely definitely directly early easily either else enough entirely especially ever
    everybody everyone everything everywhere exactly except far fast finally fine first forward
    fully good great hence however immediately instead just keep kind last late later least less
    little long lot lots many maybe meanwhile much near nearly neither never next nice nobody none
    nothing now often once others otherwise perhaps possible possibly probably quick quickly quite
    rather really right second seem several simply since someday somehow someone something sometime
    sometimes somewhere soon still stuff sure then thing things though through till today together
    tomorrow tonight too toward towards unless until usually way well whatever whenever wherever
    whether while within without yesterday yet
  `
    .trim()
    .split(/\s+/u),
);

/**
 * Adds the words of failing requests that the description lacks. Verbs become a sentence; other
 * words are quoted, and need two requests. Words in the name of another offered tool are left out: they would draw its
 * requests. `limits.own` holds stems that mark requests for this tool even so.
 */
export function wordsAdvice(
  tool: AnalysedTool,
  requests: readonly FailedRequest[],
  others: readonly AnalysedTool[],
  limits?: WordLimits & { own?: ReadonlySet<string> },
): Advice | null {
  const own = limits?.own ?? new Set();
  // A schema that mentions another tool says nothing about this one.
  const schema = own.size > 0 ? '' : JSON.stringify(tool.inputSchema);
  const definition = `${tool.name} ${tool.description} ${schema}`;
  const claimed = new Set(others.flatMap((other) => (other === tool ? [] : words(other.name))));
  const accept = (word: string): boolean =>
    (!claimed.has(word) || own.has(stem(word))) &&
    !vague.has(word) &&
    (isVerb(word) || requests.filter(({ query }) => words(query).includes(word)).length > 1);
  const found = missingWords(
    requests,
    definition,
    limits === undefined ? undefined : { ...limits, accept },
  ).filter(accept);
  return found.length === 0
    ? null
    : adviceOfWords(
        tool,
        requests.map(({ query }) => query),
        found,
      );
}

/** Adds given words. Null if the tool has no description, or already has the sentence. */
export function adviceOfWords(
  tool: AnalysedTool,
  requests: readonly string[],
  found: readonly string[],
): Advice | null {
  const edit = addToDescription(
    tool,
    found.every(isVerb)
      ? `Use it when someone asks to ${listed(found)} something.`
      : `Use it when a request says ${listed(found.map((word) => `"${word}"`))}.`,
  );
  return (
    edit && {
      kind: 'missing_words',
      toolIds: [idOf(tool)],
      edits: [edit],
      why: `Failing requests say ${listed(found.map((word) => `“${word}”`))}; the description doesn’t.`,
      evidence: { requests: [...requests], words: [...found] },
    }
  );
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
