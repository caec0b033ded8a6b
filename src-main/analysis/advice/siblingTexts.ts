import { isJsonObject } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { stemsOf } from './saysNothing.ts';
import { baseVerb } from './purpose.ts';
import {
  capital,
  firstSentence,
  indefinite,
  isPlural,
  isUncounted,
  plural,
  singular,
  spoken,
} from './spoken.ts';
import { prepositions, readName } from './toolName.ts';
import { nameWords } from './useSentence.ts';

/** So many siblings have to say it alike before a sentence is the habit of a server. */
const minAlike = 2;
const maxHabit = 14;
/** So many siblings show a habit of a server with thousands of tools. */
const maxRead = 60;
const slot = '\u{0}';

/** A sentence with a place for what the tool works on, and in which number. */
interface Habit {
  text: string;
  isMany: boolean;
}

/**
 * The sentence with which a server describes tools that do the same to other things, of this one:
 * "List all forms in the tenant" and "List all roles in the tenant" make "List all scopes in the
 * tenant." Two siblings have to say it alike. Null if there is no such habit, or if it speaks of
 * parameters that this tool doesn't take.
 */
export function habitualSentence(
  tool: AnalysedTool,
  siblings: readonly AnalysedTool[],
): string | null {
  const own = readName(tool, siblings);
  if (own?.verb == null || !isPlainObject(own.object)) return null;
  const counts = new Map<string, { habit: Habit; tools: AnalysedTool[] }>();
  const like = siblings.filter((other) => nameWords(other).map(baseVerb).includes(own.verb));
  for (const other of like.slice(0, maxRead)) {
    const name = readName(other, [tool, ...siblings.filter((each) => each !== other)]);
    if (name?.verb !== own.verb || name.isBatch !== own.isBatch) continue;
    // "atlas-list-clusters" says nothing of "list-databases".
    if (around(other, name.object) !== around(tool, own.object)) continue;
    const habit = isPlainObject(name.object) ? habitOf(other.description, name.object) : null;
    // "Get all genres" says nothing of "get_user".
    if (habit === null || habit.isMany !== isPlural(own.object.at(-1) ?? '')) continue;
    const key = JSON.stringify(habit);
    const found = counts.get(key) ?? { habit, tools: [] };
    counts.set(key, { habit, tools: [...found.tools, other] });
  }
  const [most] = [...counts.values()].sort((a, b) => b.tools.length - a.tools.length);
  if (!most || most.tools.length < minAlike || !takesAlike(tool, most.habit, most.tools))
    return null;
  const { text, isMany } = most.habit;
  const last = own.object.at(-1) ?? '';
  const thing = spoken([...own.object.slice(0, -1), isMany ? last : singular(last)].join('_'));
  // "Create an index on a table" is no habit of "create_table".
  if ([...stemsOf(thing)].every((each) => stemsOf(text.replace(slot, ' ')).has(each))) return null;
  const filled = text
    .replace(new RegExp(`\\ban? ${slot}`, 'iu'), `${indefinite(thing)} ${thing}`)
    .replace(slot, thing);
  return `${capital(filled)}.`;
}

/** The words of a name around what it works on. */
const around = (tool: AnalysedTool, object: readonly string[]): string =>
  nameWords(tool)
    .filter((word) => !object.includes(word))
    .join(' ');

const isPlainObject = (object: readonly string[]): boolean =>
  object.length > 0 &&
  !object.some((word) => prepositions.has(word)) &&
  !isUncounted(object.at(-1) ?? '');

function habitOf(description: string, object: readonly string[]): Habit | null {
  const text = firstSentence(description);
  // A name in code is a parameter or a tool of that sibling.
  if (/[\d"“(`:_]|\p{Ll}\p{Lu}|\bwithout\b/u.test(text) || text.split(/\s+/u).length > maxHabit)
    return null;
  if (baseVerb(text.split(/\s/u)[0] ?? '') === null) return null;
  const last = object.at(-1) ?? '';
  const before = object.slice(0, -1).map((word) => `${spoken(word)}[ -]`);
  const pattern = new RegExp(
    `\\b${before.join('')}(?:(?<many>${spoken(plural(singular(last)))})|${spoken(singular(last))})\\b`,
    'giu',
  );
  const [found, ...more] = text.matchAll(pattern);
  if (!found || more.length > 0) return null;
  const isMany = found.groups?.['many'] !== undefined || isPlural(found[0]);
  // "get ships" says no more than the name.
  const around = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`;
  if ([...stemsOf(around)].every((each) => baseVerb(each) !== null)) return null;
  const opened = text.slice(0, found.index).replace(/\ban $/iu, 'a ');
  return { text: `${opened}${slot}${text.slice(found.index + found[0].length)}`, isMany };
}

/** Whether what a habit says of parameters is true of the tool: "in a project" needs a project. */
function takesAlike(tool: AnalysedTool, { text }: Habit, like: readonly AnalysedTool[]): boolean {
  const own = stemsOf(parameterNames(tool).join(' '));
  const said = stemsOf(text.replace(slot, ' '));
  const asked = like.flatMap((other) => [...stemsOf(parameterNames(other).join(' '))]);
  return asked.every((each) => !said.has(each) || own.has(each));
}

const parameterNames = ({ inputSchema: { properties } }: AnalysedTool): string[] =>
  isJsonObject(properties) ? Object.keys(properties).map(spoken) : [];
