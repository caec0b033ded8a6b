import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { appendToPointer } from '../../../src-shared/domain/jsonPointer.ts';
import type { TextEdit } from '../../../src-shared/domain/textEdit.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { stem, words } from '../../analysis/tokenizer.ts';
import { idOf } from '../catalog.ts';
import { isContract } from '../contracts.ts';
import type { Proposal } from '../effects.ts';
import { endsSentence, joinKept, sentencesOf } from '../sentences.ts';

/**
 * Shorter texts for a tool that say the same: all cuts together, then those of the description, then
 * those of the parameters. A cut drops whole sentences that something else says: the name, another
 * sentence of the tool, the schema (type, enum, default, required), all tools of the server, or the
 * instructions that the model is sent with them; further examples; and the weight of Markdown and of indentation. A sentence is never changed, no contract is dropped
 * that isn't said elsewhere, and no text is emptied. Deterministic.
 */
export function tokenCuts(tool: Tool, tools: readonly Tool[], instructions = ''): Proposal[] {
  const id = idOf(tool);
  const texts = describedPlaces(tool);
  const shared = sharedSentences(tool, tools);
  const told = sentencesOf(instructions);
  const edits = texts.flatMap(({ path, name, text, schema }): TextEdit[] => {
    const newText = lighter(withoutRepetition(text, name, schema, shared, told));
    return newText === '' || newText.length >= text.length
      ? []
      : [{ toolId: id, path, oldText: text, newText }];
  });
  const own = edits.filter(({ path }) => path === '/description');
  const parameters = edits.filter(({ path }) => path !== '/description');
  const proposals: Proposal[] = [
    { edits, reason: 'Drops what the tool or its server says elsewhere.' },
    { edits: own, reason: 'Drops what the tool says elsewhere from its description.' },
    { edits: parameters, reason: 'Drops what the schema says from the parameters.' },
  ];
  return own.length > 0 && parameters.length > 0
    ? proposals
    : proposals.slice(0, 1).filter((proposal) => proposal.edits.length > 0);
}

/** The tools of those to edit (null: all) that have something to cut. */
export const cutTools = (
  tools: readonly Tool[],
  toolIds: readonly string[] | null,
  instructions: (server: string) => string,
): Tool[] =>
  tools.filter(
    (tool) =>
      (toolIds?.includes(idOf(tool)) ?? true) &&
      tokenCuts(tool, tools, instructions(tool.server)).length > 0,
  );

const normal = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Sentences that all tools of the server have, from three tools on: they tell none from another. */
function sharedSentences(tool: Tool, tools: readonly Tool[]): ReadonlySet<string> {
  const own = tools.filter(({ server }) => server === tool.server);
  if (own.length < 3) return new Set();
  const counts = new Map<string, number>();
  for (const { description } of own)
    for (const sentence of new Set(sentencesOf(description).map(normal)))
      counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  return new Set([...counts].flatMap(([text, count]) => (count === own.length ? [text] : [])));
}

const isExample = (sentence: string): boolean =>
  /^\s*(?:for example|examples?|e\.g\.)[\s,:(]/iu.test(sentence);

/** In a list, a sentence belongs to its item, whatever the others say. */
const hasList = /^\s*(?:[-*•|]|\d+[.)])\s|^\s*```/mu;

/** Whether a piece of a text is a sentence by itself, with nothing that goes on in the next one. */
const isWhole = (sentence: string): boolean =>
  /^\s*["“'`(]?[\p{Lu}\p{Lo}\p{N}]/u.test(sentence) && endsSentence(sentence);

/** The text without the sentences that something else says. The first one stays. */
function withoutRepetition(
  text: string,
  name: string,
  schema: JsonObject | null,
  shared: ReadonlySet<string>,
  told: readonly string[],
): string {
  const toldWords = new Set(told.map(normal));
  const toldGists = told.map(gistOf);
  const sentences = sentencesOf(text);
  if (hasList.test(text)) return text.trim();
  const ofName = new Set(gistOf(name));
  const said = new Set<string>();
  let examples = 0;
  const isKept = sentences.map((sentence, at) => {
    const plain = normal(sentence);
    const isRepeated = said.has(plain);
    said.add(plain);
    const before = sentences[at - 1];
    if (before === undefined || plain === '') return true;
    if (schema !== null && repeatsSchema(sentence, schema)) return false;
    // What follows a colon or a wrapped heading belongs to it.
    if (!endsSentence(before) || !isWhole(sentence)) return true;
    if (isRepeated || toldWords.has(plain)) return false;
    if (isExample(sentence)) {
      examples += 1;
      return examples === 1;
    }
    if (isContract(sentence)) return true;
    if (shared.has(plain)) return false;
    const gist = gistOf(sentence);
    if (gist.length === 0) return true;
    const isSaid = sentences.some((other, place) => {
      if (place === at) return false;
      const theirs = gistOf(other);
      // Of two sentences that say the same, the later one is dropped.
      return hasRun(theirs, gist) && (place < at || theirs.length > gist.length);
    });
    const isTold = toldGists.some((theirs) => hasRun(theirs, gist));
    return !isSaid && !isTold && !gist.every((word) => ofName.has(word));
  });
  return joinKept(sentences, (at) => isKept[at] ?? true);
}

/** Words that open a sentence about a tool, and articles: they say nothing about what it does. */
const openers =
  /^(?:(?:this|the|it)(?: (?:tool|function|endpoint|method|command|operation))?(?: is(?: used)?(?: (?:to|for))?)? |use (?:this|the|it)(?: tool| function| endpoint)? (?:to|for) )/u;
const articles = new Set(['a', 'an', 'the', 'this', 'that', 'tool', 'it']);

/**
 * What a sentence says, as stems in order. Prepositions stay: "to the archive" is not "from the
 * archive".
 */
const gistOf = (text: string): string[] =>
  words(words(text).join(' ').replace(openers, ''))
    .filter((word) => !articles.has(word))
    .map(stem);

/** Whether a list has all of another one, in one run. */
const hasRun = (list: readonly string[], run: readonly string[]): boolean =>
  ` ${list.join(' ')} `.includes(` ${run.join(' ')} `);

/** Whether a sentence of a parameter says no more than its type, enum, default or necessity. */
function repeatsSchema(sentence: string, schema: JsonObject): boolean {
  const text = sentence.trim().replace(/[.;]$/u, '');
  const type = schema['type'];
  if (typeof type === 'string' && text.toLowerCase().replaceAll(/[()]/gu, '') === type) return true;
  const given = /^defaults?(?: to| is|:)?\s+[`"“']?([^`"”']+)[`"”']?$/iu.exec(text)?.[1];
  const value = schema['default'];
  if (given !== undefined && value !== undefined && value !== null && typeof value !== 'object')
    return given.toLowerCase() === String(value).toLowerCase();
  const listed =
    /^(?:one of|allowed values|possible values|values|options|must be one of)(?: are|:)?\s+(.+)$/iu.exec(
      text,
    )?.[1];
  const values = schema['enum'];
  if (listed === undefined || !Array.isArray(values)) return false;
  const named = listed.split(/,|\bor\b|\band\b|\|/u).map((each) => normal(each));
  const known = values.map((each) => normal(JSON.stringify(each)));
  const rest = named.filter((each) => each !== '');
  return rest.length === known.length && rest.every((each) => known.includes(each));
}

/**
 * The text without the weight of Markdown and of source code: emphasis, marks of headings, the
 * indentation that all lines share, and spaces at the ends of lines. Emphasis goes as a whole or not
 * at all; code stays.
 */
function lighter(text: string): string {
  const dedented = withoutIndent(text).replaceAll(/[ \t]+$/gmu, '');
  if (dedented.includes('`')) return dedented;
  const plain = dedented
    .replaceAll(/(?<=^|[\s(])\*\*(\w[^*\n]*?[\w.:!?)])\*\*(?=$|[\s.,:;)!?])/gmu, '$1')
    .replaceAll(/^#{1,6} +/gmu, '');
  return plain.includes('**') ? dedented : plain;
}

/** The first line of a text begins behind a quotation mark, so it has no indentation to share. */
function withoutIndent(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const indents = rest.flatMap((line) =>
    line.trim() === '' ? [] : [/^ */u.exec(line)?.[0] ?? ''],
  );
  const shared = Math.min(...indents.map(({ length }) => length));
  return indents.length === 0 || shared === 0
    ? text
    : [first, ...rest.map((line) => line.slice(shared))].join('\n');
}

interface DescribedPlace {
  path: string;
  name: string;
  text: string;
  /** The schema that the text describes; null for the tool itself. */
  schema: JsonObject | null;
}

/** The description of a tool and those in its schema, nested ones included, with what they describe. */
function describedPlaces(tool: Tool): DescribedPlace[] {
  const found: DescribedPlace[] =
    tool.description === ''
      ? []
      : [{ path: '/description', name: tool.name, text: tool.description, schema: null }];
  const visit = (schema: JsonValue | undefined, pointer: string): void => {
    if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return;
    for (const [name, property] of Object.entries(schema['properties'])) {
      const path = appendToPointer(appendToPointer(pointer, 'properties'), name);
      if (!isJsonObject(property)) continue;
      const text = property['description'];
      if (typeof text === 'string' && text !== '')
        found.push({ path: appendToPointer(path, 'description'), name, text, schema: property });
      visit(property, path);
      visit(property['items'], appendToPointer(path, 'items'));
    }
  };
  visit(tool.inputSchema, '/inputSchema');
  return found;
}
