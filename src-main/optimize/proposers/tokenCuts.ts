import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { appendToPointer } from '../../../src-shared/domain/jsonPointer.ts';
import type { TextEdit } from '../../../src-shared/domain/textEdit.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { contentTerms } from '../../analysis/contentTerms.ts';
import { idOf } from '../catalog.ts';
import type { Proposal } from '../effects.ts';
import { sentencesOf, withoutSentence } from '../sentences.ts';

/** The most cuts of single sentences that are proposed for one tool. */
const maxSentenceCuts = 4;

/** Phrases that say nothing, with what replaces them. */
const padding: readonly (readonly [RegExp, string])[] = [
  [/^(?:This|The) tool (?:is used to|can be used to|allows you to|lets you|will) /u, ''],
  [/^(?:Use this tool to|Use this to|Allows you to|Lets you) /u, ''],
  [/\bin order to\b/giu, 'to'],
  [/\b(?:very|simply|basically|easily) /giu, ''],
  [/\bas well as\b/giu, 'and'],
  [/\bis able to\b/giu, 'can'],
];

/**
 * Shorter texts for a tool that mean the same to a model, the largest cut first: all of them
 * together, then parameter descriptions that only repeat the name, padding, and single sentences
 * after the first. Rules of refusal decide later whether a cut may be tried. Deterministic.
 */
export function tokenCuts(tool: Tool): Proposal[] {
  const id = idOf(tool);
  const own = shortenedText(tool.description);
  const sentences = sentencesOf(tool.description);
  const first = sentences[0]?.trim() ?? '';
  const parameters = parameterTexts(tool);
  const describe = (newText: string): TextEdit[] =>
    newText === tool.description || newText === ''
      ? []
      : [{ toolId: id, path: '/description', oldText: tool.description, newText }];
  const repeated = parameters.flatMap(({ path, name, text }) =>
    repeatsName(text, name) ? [{ toolId: id, path, oldText: text, newText: '' }] : [],
  );
  const shortened = parameters.flatMap(({ path, text }) => {
    const [main = ''] = sentencesOf(text);
    const newText = shortenedText(main.trim());
    return newText === text || newText === '' ? [] : [{ toolId: id, path, oldText: text, newText }];
  });
  const title: TextEdit[] =
    tool.title !== null && tool.title !== '' && repeatsName(tool.title, tool.name)
      ? [{ toolId: id, path: '/title', oldText: tool.title, newText: '' }]
      : [];
  const byPath = (edits: readonly TextEdit[]): TextEdit[] => [
    ...new Map(edits.map((edit) => [edit.path, edit])).values(),
  ];
  const clauses = parameters.flatMap(({ path, text }) => {
    const newText = mainClause(shortenedText(sentencesOf(text)[0]?.trim() ?? ''));
    return newText === text || newText === '' ? [] : [{ toolId: id, path, oldText: text, newText }];
  });
  return [
    {
      edits: byPath([
        ...describe(mainClause(shortenedText(first))),
        ...clauses,
        ...repeated,
        ...title,
      ]),
      reason: 'Keeps the main clause of each text.',
    },
    {
      edits: byPath([...describe(shortenedText(first)), ...shortened, ...repeated, ...title]),
      reason: 'Keeps the first sentence of each text.',
    },
    { edits: byPath([...shortened, ...repeated]), reason: 'Shortens the parameters.' },
    {
      edits: describe(shortenedText(first)),
      reason: 'Keeps the first sentence of the description.',
    },
    { edits: describe(own), reason: 'Drops padding.' },
    ...sentences
      .slice(1)
      .map((sentence, at) => ({ sentence, at: at + 1 }))
      .sort((a, b) => b.sentence.length - a.sentence.length)
      .slice(0, maxSentenceCuts)
      .map(({ sentence, at }) => ({
        edits: describe(withoutSentence(tool.description, at)),
        reason: `Drops “${sentence.trim()}”.`,
      })),
  ].filter(({ edits }) => edits.length > 0);
}

/** The text without padding. */
function shortenedText(text: string): string {
  const cut = padding.reduce(
    (now, [pattern, to]) =>
      now.replaceAll(
        new RegExp(
          pattern.source,
          pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`,
        ),
        to,
      ),
    text,
  );
  return cut.charAt(0).toUpperCase() + cut.slice(1);
}

/** A sentence up to its first comma, colon or dash, if that says enough to be one. */
function mainClause(sentence: string): string {
  const end = sentence.search(/[,;:]\s|\s[-–—(]/u);
  const clause = end < 0 ? sentence : sentence.slice(0, end);
  const isWhole = contentTerms(clause).length >= 2 && !/\b(?:and|or|the|a|of)$/iu.test(clause);
  return isWhole ? `${clause.replace(/[.!?]$/u, '')}.` : sentence;
}

/** True if a text says nothing that the name doesn't. */
function repeatsName(text: string, name: string): boolean {
  const known = new Set(contentTerms(name).map(({ stem }) => stem));
  return contentTerms(text).every(({ stem }) => known.has(stem));
}

interface ParameterText {
  path: string;
  name: string;
  text: string;
}

/** The descriptions in a schema, nested ones included, with the name of what they describe. */
function parameterTexts(tool: Tool): ParameterText[] {
  const found: ParameterText[] = [];
  const visit = (schema: JsonValue | undefined, pointer: string): void => {
    if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return;
    for (const [name, property] of Object.entries(schema['properties'])) {
      const path = appendToPointer(appendToPointer(pointer, 'properties'), name);
      if (!isJsonObject(property)) continue;
      const text = property['description'];
      if (typeof text === 'string' && text !== '')
        found.push({ path: appendToPointer(path, 'description'), name, text });
      visit(property, path);
      visit(property['items'], appendToPointer(path, 'items'));
    }
  };
  visit(tool.inputSchema, '/inputSchema');
  return found;
}
