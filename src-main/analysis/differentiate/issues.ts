import type { AdviceKind } from '../../../src-shared/domain/advice.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type {
  AnalysedTool,
  DifferentiationIssue,
  IssueType,
  Priority,
} from '../../../src-shared/domain/similarity.ts';
import { adviceForBoth, noRuleFits } from '../../../src-shared/display/adviceTexts.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import { lookAlike, plainName } from '../advice/pairAdvice.ts';
import { names } from '../advice/paste.ts';
import { parameterPairs } from '../similarity/toolText.ts';
import type { PairWords } from './pairWords.ts';

type Pair = readonly [AnalysedTool, AnalysedTool];

/** What is unclear about a pair, and what to do about it where no text can be proposed. */
export interface Diagnosis extends DifferentiationIssue {
  /** The tool to change; null if either of the two, or both, should. */
  toolId: string | null;
  recommendation: string;
  rationale: string;
}

/** Shares of words, parameters and words of names from which an issue is reported. */
const minContained = 0.7;
const minSharedWords = 0.4;
const minSharedParameters = 0.5;
const minSharedNames = 0.5;

const idOf = ({ server, name }: AnalysedTool): string => toolId(server, name);

/** At most six words in quotation marks; of more, how many there are. */
function quoted(words: readonly string[]): string {
  const shown = words.slice(0, 6).map((word) => `“${word}”`);
  const more = words.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}

const rank: Record<Priority, number> = { high: 0, medium: 1, low: 2 };

export const urgentFirst = <T extends { priority: Priority }>(list: readonly T[]): T[] =>
  list.toSorted((one, other) => rank[one.priority] - rank[other.priority]);

/**
 * The issues of two tools from their definitions alone, the most urgent first. There is at least
 * one. Each quotes the words that it is about. Source: docs/rules.md §4, Issues.
 */
export function diagnose(pair: Pair, words: PairWords): Diagnosis[] {
  const found = [
    scopeClarity(pair, words),
    namingClarity(pair, words),
    exampleDistinctiveness(pair),
    parameterUniqueness(pair, words),
    terminologyOverlap(pair, words),
  ].filter((one) => one !== null);
  return found.length === 0 ? [noBoundary(pair)] : urgentFirst(found);
}

const isOneServer = ([a, b]: Pair): boolean => a.server === b.server;

/** Which of the two tools says when to use the other one. */
const saysWhen = ([a, b]: Pair): readonly [boolean, boolean] => [
  names(a.description, b.name),
  names(b.description, a.name),
];

/** What is left if nothing else is found. A server can't know what else a client has connected. */
function noBoundary(pair: Pair): Diagnosis {
  const [a, b] = pair.map(idOf);
  const [first, second] = saysWhen(pair);
  const only = first === second ? null : first ? b : a;
  return {
    type: 'scope_clarity',
    priority: 'low',
    evidence:
      only !== null
        ? `Only ${only === a ? b : a} says when to use the other.`
        : first
          ? `${a} and ${b} name each other, and are similar all the same.`
          : `Neither ${a} nor ${b} says when to use the other.`,
    toolId: only ?? null,
    recommendation:
      only !== null
        ? `Say in ${only} what it does not do, and name the other tool.`
        : isOneServer(pair) && !first
          ? adviceForBoth
          : 'Say in one of the descriptions what it does not do.',
    rationale: noRuleFits,
  };
}

/** A description that is missing, or whose words are (nearly) all in the other one. */
function scopeClarity(pair: Pair, { shared, counts }: PairWords): Diagnosis | null {
  const empty = pair.filter(({ description }) => description.trim() === '');
  const [first] = empty;
  if (first)
    return {
      type: 'scope_clarity',
      priority: 'high',
      evidence: `${empty.map(idOf).join(' and ')} ${empty.length === 1 ? 'has' : 'have'} no description.`,
      toolId: empty.length === 1 ? idOf(first) : null,
      recommendation: `Describe what ${empty.map(idOf).join(' and ')} ${empty.length === 1 ? 'does' : 'do'}.`,
      rationale: 'Without a description, only a name tells a model when to use the tool.',
    };
  const [small, other] = counts[0] <= counts[1] ? pair : [pair[1], pair[0]];
  const count = Math.min(...counts);
  const share = count === 0 ? 0 : shared.length / count;
  if (share < minContained || saysWhen(pair).includes(true)) return null;
  return {
    type: 'scope_clarity',
    priority: share >= 0.9 ? 'high' : 'medium',
    evidence:
      `${shared.length} of ${counted(count, 'word')} of ${idOf(small)} ` +
      `${shared.length === 1 ? 'is' : 'are'} in ${idOf(other)} too: ${quoted(shared)}.`,
    toolId: idOf(small),
    recommendation: `Say in ${idOf(small)} what it does that ${idOf(other)} doesn’t${isOneServer(pair) ? `, and when to use ${other.name}` : ''}.`,
    rationale: `What ${idOf(small)} says is true of ${idOf(other)} as well, so a request can mean either.`,
  };
}

/** The same name twice, or names that differ in less than half of their words. */
function namingClarity(pair: Pair, { nameShared, nameOwn }: PairWords): Diagnosis | null {
  const [a, b] = pair;
  const isSame = plainName(a.name) === plainName(b.name);
  const isAlike = lookAlike(a, b);
  const own = nameOwn.flat();
  const share = nameShared.length / Math.max(1, nameShared.length + own.length);
  if (!isSame && !isAlike && share < minSharedNames) return null;
  const difference = isAlike
    ? 'differ only by letters that look the same'
    : own.length > 0
      ? `differ only by ${quoted(own)}`
      : 'have the same words';
  return {
    type: 'naming_clarity',
    priority: isSame || isAlike || own.length === 0 ? 'high' : 'low',
    evidence: isSame
      ? `Both tools are named ${a.name}: ${idOf(a)} and ${idOf(b)}.`
      : `The names ${a.name} and ${b.name} ${difference}.`,
    toolId: null,
    recommendation: 'Rename one of the tools so that its name says what only this tool does.',
    rationale: 'A model reads the names first, and these don’t tell which tool a request means.',
  };
}

/** The same example in both definitions. */
function exampleDistinctiveness([a, b]: Pair): Diagnosis | null {
  const others = new Set(examplesOf(b));
  const shared = examplesOf(a).filter((example) => others.has(example));
  if (shared.length === 0) return null;
  return {
    type: 'example_distinctiveness',
    priority: 'medium',
    evidence: `${idOf(a)} and ${idOf(b)} give the same ${shared.length === 1 ? 'example' : 'examples'}: ${quoted(shared)}.`,
    toolId: null,
    recommendation: `Give each tool an example of its own instead of ${quoted(shared)}.`,
    rationale: 'An example that fits both suggests that either tool is right for such a request.',
  };
}

/** Parameters with the same name and type make up half of all. */
function parameterUniqueness([a, b]: Pair, { parameters }: PairWords): Diagnosis | null {
  const all = parameterPairs(a).length + parameterPairs(b).length - parameters.length;
  if (parameters.length === 0 || parameters.length / all < minSharedParameters) return null;
  const names = parameters.map((one) => one.slice(0, one.lastIndexOf(':')));
  return {
    type: 'parameter_uniqueness',
    priority: parameters.length === all ? 'medium' : 'low',
    evidence: `${parameters.length} of ${counted(all, 'parameter')} ${parameters.length === 1 ? 'has' : 'have'} the same name and type in both: ${quoted(parameters)}.`,
    toolId: null,
    recommendation: `Say in the descriptions of ${quoted(names)} what ${names.length === 1 ? 'it means' : 'they mean'} in each tool.`,
    rationale: 'The arguments of a request don’t tell which tool is meant.',
  };
}

/** Two descriptions in largely the same words. */
function terminologyOverlap(pair: Pair, { shared, counts, own }: PairWords): Diagnosis | null {
  const all = counts[0] + counts[1] - shared.length;
  const share = all === 0 ? 0 : shared.length / all;
  if (shared.length < 3 || share < minSharedWords) return null;
  const beginnings = pair.flatMap((tool, side) => {
    const words = own[side] ?? [];
    return words.length === 0 ? [] : [`${quoted(words.slice(0, 2))} in ${idOf(tool)}`];
  });
  return {
    type: 'terminology_overlap',
    priority: share >= minContained ? 'medium' : 'low',
    evidence: `The descriptions share ${shared.length} of ${counted(all, 'word')}: ${quoted(shared)}.`,
    toolId: null,
    recommendation:
      beginnings.length === 0
        ? 'Say in other words what only one of the tools does.'
        : `Begin the descriptions with what differs: ${beginnings.join(', ')}.`,
    rationale: `${quoted(shared.slice(0, 3))} ${shared.length === 1 ? 'says' : 'say'} nothing about which of the two is meant.`,
  };
}

const exampleClause =
  /\b(?:e\.g\.|for example|for instance|example|such as)[,:]?\s*(["'`“][^"'`”\n]{2,80}["'`”](?:(?:,|\s+and|\s+or)\s*["'`“][^"'`”\n]{2,80}["'`”])*)/giu;

/** Quoted examples in descriptions, and texts under `examples` of the schema, without case. */
function examplesOf({ description, inputSchema }: AnalysedTool): string[] {
  const texts = [description];
  const found: string[] = [];
  const visit = (schema: JsonValue | undefined, depth: number): void => {
    if (depth > 4 || !isJsonObject(schema)) return;
    if (typeof schema['description'] === 'string') texts.push(schema['description']);
    if (Array.isArray(schema['examples']))
      found.push(...schema['examples'].filter((one) => typeof one === 'string'));
    visit(schema['items'], depth + 1);
    const { properties } = schema;
    if (isJsonObject(properties))
      for (const one of Object.values(properties)) visit(one, depth + 1);
  };
  visit(inputSchema, 0);
  for (const text of texts)
    for (const [, clause = ''] of text.matchAll(exampleClause))
      for (const [, , example = ''] of clause.matchAll(/(["'`“])([^"'`”\n]{2,80})["'`”]/gu))
        found.push(example);
  return [...new Set(found.map((example) => example.trim().toLowerCase()))].filter(
    (example) => example !== '',
  );
}

/** The issue that each kind of advice answers. */
export const issueOfAdvice = {
  restore: 'scope_clarity',
  exchange: 'scope_clarity',
  same_name: 'naming_clarity',
  deprecated_twin: 'scope_clarity',
  boundary: 'scope_clarity',
  missing_words: 'terminology_overlap',
  parameter: 'parameter_uniqueness',
  unneeded_call: 'scope_clarity',
} as const satisfies Record<AdviceKind, IssueType>;
