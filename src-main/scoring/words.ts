import { isJsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { schemaProperties } from './schemaProperties.ts';
import type { OfferedTool } from './scoreInput.ts';

/**
 * Words that say nothing about what a tool does. They are only left out of quotations, never out of
 * a score.
 */
const fillers = new Set(
  (
    'a an and any are as at be been but by can could did do does for from get had has have ' +
    'how i if in into is it its just let like may me ' +
    'more my need no not of off on one or our out please should so some such than that the ' +
    'their them then there these they this those to ' +
    'up us use used uses using want was we were what when where which who will with would ' +
    'you your about above after again all already also ' +
    'always another because before being below between both cannot each either every few ' +
    'here itself many most much must neither never next nor ' +
    'now once onto only other others over own per rather same several since still than ' +
    'though through too under until very via whether while ' +
    'whose why within without yet'
  ).split(' '),
);

/**
 * Words in order, without repeats: NFKC, lower case, runs of letters, marks and digits, split at
 * camelCase and `_`, with at least two characters.
 */
export function wordsOf(text: string): string[] {
  const split = text.normalize('NFKC').replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2');
  const found = split.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(found)].filter((word) => word.length > 1 && !fillers.has(word));
}

const known = new WeakMap<OfferedTool, ReadonlySet<string>>();

/**
 * The words that a tool uses: in its name, its description, and the names and descriptions of its
 * parameters.
 */
export function wordsOfTool(tool: OfferedTool): ReadonlySet<string> {
  let words = known.get(tool);
  if (!words) {
    const texts = [tool.name, tool.title ?? '', tool.description];
    for (const [name, schema] of schemaProperties(tool.inputSchema).properties) {
      texts.push(name);
      if (isJsonObject(schema) && typeof schema['description'] === 'string')
        texts.push(schema['description']);
    }
    known.set(tool, (words = new Set(wordsOf(texts.join(' ')))));
  }
  return words;
}

/** The words of all texts within a value, at any depth. */
export function wordsOfTexts(value: JsonValue): ReadonlySet<string> {
  const found = new Set<string>();
  for (const waiting = [value]; waiting.length > 0;) {
    const next = waiting.pop() ?? null;
    if (typeof next === 'string') for (const word of wordsOf(next)) found.add(word);
    else if (typeof next === 'object' && next !== null)
      for (const member of Object.values(next)) waiting.push(member);
  }
  return found;
}

const maxQuotedWords = 6;

/** The first few words of a list that pass a test: as many as fit into a sentence. */
export function pick(words: Iterable<string>, test: (word: string) => boolean): string[] {
  const found: string[] = [];
  for (const word of words) {
    if (found.length === maxQuotedWords) break;
    if (test(word)) found.push(word);
  }
  return found;
}
