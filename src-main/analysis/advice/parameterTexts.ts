import { words } from '../tokenizer.ts';
import { baseVerb } from './purpose.ts';
import { singular } from './spoken.ts';
import { isNounToo } from './toolName.ts';

/** What the description of a parameter says, in the words of its author. */
export interface ParameterText {
  /** What it identifies: ".als file" of "The path to the .als file"; null if unsure. */
  thing: string | null;
  /** A noun phrase with all words of its name: "alert expression" of `expression`; null if it is none. */
  phrase: string | null;
}

const maxPhrase = 5;
const maxThing = 4;
const pointer = 'path|url|link|ids?|uid|uuid|identifier|name|slug';
/** "The absolute path to the …", "ID of the …", "Unique identifier for a …". */
const pointsTo = new RegExp(
  `^(?:the |an? )?(?:[a-z0-9]+ )?(?:${pointer}) (?:of|to|for) (?:the |an? |this |each )?(?<thing>.+)$`,
  'iu',
);
/** "Serverless endpoint identifier". */
const endsInPointer = new RegExp(`^(?:the |an? )?(?<thing>.+?) (?:${pointer})$`, 'iu');
/** Where a noun phrase ends. */
const relative =
  /\s(?:to|for|in|on|at|that|which|whose|where|when|you|from|with|by|of|if|as|is|are|being|containing|and|the|within|whether|using|used|contains|equals|matches|includes|starts|ends|must|can|should|will)(?:\s.*)?$/iu;
const vague =
  /\b(?:target|given|specific|specified|unique|optional|required|existing|new|current|this|your|resource|object|item|entity|parent|source|destination|original|full|absolute|relative|internal|numeric|string|valid|exact|first|second|id|uuid)\b/iu;

export function parameterText(name: string, description: string, isSwitch = false): ParameterText {
  const whole = description.trim().replace(/^(if (?:true|set)),/iu, '$1');
  const [clause = ''] = whole.split(/[;:\n(]|[.,](?=\s|$)/u);
  const text = clause.trim().replace(notation, '');
  return { thing: thingOf(text), phrase: isSwitch ? whetherOf(text) : phraseOf(name, text) };
}

/** How a value is written: "YYYY-MM-DD delivery date", "Delivery date in ISO 8601 format". */
const notation =
  /^(?:YYYY-MM-DD|ISO[ -]?8601)\s+|\s(?:in|as)\s(?:the\s)?(?:[A-Z][A-Z\d:/-]+|ISO[ -]?8601)(?:\sformat)?$/u;
const maxWhether = 12;

/** "whether to delete it for good" of a switch: "If true, delete it for good". */
function whetherOf(text: string): string | null {
  const { marked = '', does = '', rest = '' } = switched.exec(text)?.groups ?? {};
  const [next = ''] = rest.trim().split(/\s/u);
  // What follows "to" is a verb; what may open a sentence is one only where it can be nothing else.
  const isVerb = (word: string): boolean =>
    /\bto\s+$/iu.test(marked) ||
    word === 'include' ||
    (baseVerb(word) === word && (marked !== '' || !isNounToo(word)));
  const first = does.toLowerCase();
  const isSure =
    (isVerb(first) || (first.endsWith('ly') && isVerb(next))) &&
    next !== '' &&
    // "Set to true if it is warm" says when, not what the switch does.
    !/^\s*(?:(?:this|it)\s)?to (?:true|false)\b/iu.test(rest) &&
    !/\b(?:flag|mode|option|setting|status|state)$/iu.test(rest);
  return isSure && rest.split(' ').length <= maxWhether ? `whether to ${first}${rest}` : null;
}
const switched =
  /^(?<marked>whether (?:or not )?to\s+|if (?:true|set),?\s+|(?:set )?(?:to )?true to\s+)?(?<does>\S+)(?<rest>.*)$/iu;

const isPlain = (parts: readonly string[]): boolean =>
  parts.every((word) => /^\.?[\p{L}\p{N}][\p{L}\p{N}-]*$/u.test(word));

function thingOf(text: string): string | null {
  const pointed = pointsTo.exec(text)?.groups?.['thing'];
  const found = (pointed ?? endsInPointer.exec(text.replace(relative, ''))?.groups?.['thing'] ?? '')
    .replace(relative, '')
    .replace(/\s(?:directory|folder)$/iu, '');
  const parts = found.split(/\s+/u);
  return found !== '' && isPlain(parts) && parts.length <= maxThing && !vague.test(found)
    ? notAction(found)
    : null;
}

/** "Card ID to update" identifies no update. */
const notAction = (text: string): string | null => {
  const [first = ''] = text.split(/[\s-]/u);
  return baseVerb(first) === first.toLowerCase() && !isNounToo(first.toLowerCase()) ? null : text;
};

/** "in dollars" belongs to what is measured. */
const unit = /\sin\s(?<of>\p{L}{2,})$/u;

function phraseOf(name: string, whole: string): string | null {
  const measured = unit.exec(whole)?.groups?.['of'];
  const text = whole.replace(unit, '');
  const parts = text.split(/\s+/u);
  const said = new Set(words(text).map(singular));
  return isPlain(parts) &&
    parts.length > 1 &&
    parts.length <= maxPhrase &&
    !relative.test(text) &&
    !/^(?:the|an?|optional|if|whether|this|your|set|use|comma)\b/iu.test(text) &&
    words(name).every((word) => said.has(singular(word))) &&
    notAction(text) !== null
    ? `${text}${measured === undefined ? '' : ` in ${measured}`}`
    : null;
}

/**
 * A phrase as it reads within a sentence: its first word keeps its capital only where other texts
 * write it so within a sentence.
 */
export function inSentence(phrase: string, texts: string): string {
  const first = /^\p{Lu}\p{Ll}+(?=[\s-]|$)/u.exec(phrase)?.[0];
  if (first === undefined) return phrase;
  const lower = first.toLowerCase();
  const count = (pattern: string): number => [...texts.matchAll(new RegExp(pattern, 'gu'))].length;
  return count(`\\b${lower}\\b`) >= count(`(?<=\\p{Ll},? )${first}\\b`)
    ? lower + phrase.slice(first.length)
    : phrase;
}
