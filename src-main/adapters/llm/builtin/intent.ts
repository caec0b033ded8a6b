import { contentTerms, stem } from '../../../analysis/tokenizer.ts';
import { groupsOf } from '../../../analysis/relatedWords.ts';
import { overlapsAny, type Span } from './mention.ts';
import type { QueryReading, Token } from './queryReading.ts';

/** What a query asks for, apart from the values and texts that it gives. */
export interface Intent {
  /** The query with everything else blanked out; the whole query where nothing would be left. */
  text: string;
  /** The stem of the operation that is asked for; null where no word of the query says one. */
  verb: string | null;
}

/** Words that introduce a request without saying what to do. */
const openers = new Set(
  (
    'please can could would will you kindly i we need want wish like to have has must should let ' +
    "us me lets let's help now just then and so also go ahead the a an hey hi hello ok okay d id " +
    "i'd we'd i'm im am are is there do does did what which who where when how many much my our " +
    'any some all of for in on at from with about new back past previous current over'
  ).split(' '),
);
/** Verbs that mean little by themselves: "get rid of", "make sure", "put away". */
const lightVerbs = new Set('get make put set take keep give have tell'.split(' '));
/** After one of these, a word is a noun: "my list", "the book". */
const determiners = new Set('a an the my our your his her their this that any some of'.split(' '));
/** The object's own text: "a task called …", "a note saying …", "the message that says …". */
const introducesText =
  /\b(?:called|named|titled|entitled|labell?ed|saying|(?:that|which|it should) (?:says?|reads?))\b/giu;
/** What a new thing is about: "a task to delete the old backups", "a reminder that …". */
const purpose =
  /\b(?:an?|another|one more|new)\s+(?:[\p{L}-]+\s+){0,2}[\p{L}-]+\s+(to\s+(?!(?:the|an?|my|our|your|his|her|their|this|that|these|those|me|us|you|him|them|all|every)\b)\p{L}{2,}(?!\p{L}|\s+[#\d])|that\s+)/giu;
const reminder =
  /\b(?:remind|remember|forget)\b(?:\s+(?:me|us|him|her|them))?\s+((?:to|that|about)\s)/giu;
/** "don't delete", "without sending", "instead of moving": the word is what should not happen. */
const negated =
  /\b(?:do(?:es)?(?:\s+not|n['’]?t)|never|without|instead of|rather than|not\s+to|mustn['’]?t|shouldn['’]?t)\s+(?:just\s+|ever\s+|be\s+)?([\p{L}-]+)/giu;
const clauseEnd = /[,.;:!?\n]|\s[–—-]\s|$/u;

/** Reads what a query asks for. Deterministic, linear in its length. */
export function readIntent(reading: QueryReading): Intent {
  const { text } = reading;
  const values: Span[] = [
    ...reading.quotes,
    ...reading.urls,
    ...reading.emails,
    ...reading.uuids,
    ...reading.numbers,
  ];
  const asides = [
    ...Array.from(text.matchAll(introducesText), (match) =>
      toClauseEnd(text, match.index + match[0].length),
    ),
    ...[...text.matchAll(purpose), ...text.matchAll(reminder)].map((match) =>
      toClauseEnd(text, match.index + match[0].length - (match[1]?.length ?? 0)),
    ),
    ...Array.from(text.matchAll(negated), (match) => ({
      start: match.index + match[0].length - (match[1]?.length ?? 0),
      end: match.index + match[0].length,
    })),
  ];
  const kept = blank(blank(text, values), asides);
  const intent =
    [kept, blank(text, values), text].find((each) => /[\p{L}\p{N}]/u.test(each)) ?? text;
  const said = reading.tokens.filter((token) => !overlapsAny(token, [...values, ...asides]));
  return { text: intent, verb: verbOf(said) };
}

function toClauseEnd(text: string, start: number): Span {
  const rest = text.slice(start);
  return { start, end: start + (clauseEnd.exec(rest)?.index ?? rest.length) };
}

function blank(text: string, spans: readonly Span[]): string {
  let blanked = text;
  for (const { start, end } of spans)
    blanked = `${blanked.slice(0, start)}${' '.repeat(end - start)}${blanked.slice(end)}`;
  return blanked;
}

/** The first word that names an operation, after the words that only introduce a request. */
function verbOf(tokens: readonly Token[]): string | null {
  const said = tokens.filter(
    (token, at) =>
      !openers.has(token.lower) &&
      !determiners.has(tokens[at - 1]?.lower ?? '') &&
      groupsOf(token.stem).some(isOperation),
  );
  return (said.find((token) => !lightVerbs.has(token.lower)) ?? said[0])?.stem ?? null;
}

const isOperation = (group: number): boolean => operations.has(group);
/** The groups of words for an operation: those of the verbs that tools begin with. */
const operations = new Set(
  (
    'add list get update complete search send write move copy calculate convert run stop merge ' +
    'split compare book buy delete restore archive install enable disable assign reply approve ' +
    'reject upload download import export translate watch'
  )
    .split(' ')
    .flatMap((word) => groupsOf(stem(word))),
);

/** The words of a tool's name, and the operations that they stand for. */
export interface NamedOperations {
  stems: ReadonlySet<string>;
  groups: ReadonlySet<number>;
}

export function namedOperations(name: string): NamedOperations {
  const stems = new Set(contentTerms(name).map((term) => term.stem));
  return { stems, groups: new Set([...stems].flatMap((each) => groupsOf(each))) };
}

/**
 * How well a tool's operation answers the verb of a request: 1 for the verb itself, 0.7 for a
 * related word, 0 otherwise or without a verb. Range 0–1.
 */
export function operationMatch(verb: string | null, { stems, groups }: NamedOperations): number {
  if (verb === null) return 0;
  if (stems.has(verb)) return 1;
  return groupsOf(verb).some((group) => isOperation(group) && groups.has(group)) ? 0.7 : 0;
}
