import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { stem, words } from '../tokenizer.ts';
import { languagesOfWord } from '../language/functionWords.ts';
import { isForeign, languageOf } from './belongs.ts';
import { baseVerb } from './purpose.ts';
import { endsOpen, stemsOf } from './saysNothing.ts';
import { indefinite, isPlural, isUncounted, singular } from './spoken.ts';

/** What stands in place of a description, or says that there is to be none. */
const notes = [
  /^\W*(?:todo|fixme|tbd|xxx|lorem ipsum|placeholder|no description|description (?:goes )?here)\b/iu,
  /\b(?:todo|fixme|tbd)\s*:/iu,
  /(?:^|[.!]\s+)\W*(?:coming soon|not (?:yet )?implemented|work in progress)\b/iu,
  /\bcurrently (?:\w+ )?(?:disabled|unavailable|not (?:available|supported|working)|broken)\b/iu,
  /\b(?:for internal use|internal use only|do not use in production)\b/iu,
  /^\W*deprecated\b|[[(]deprecated[\])]|\bdeprecated:|\b(?:this|it|tool|endpoint)(?: \w+)? (?:is|was|has been) (?:now )?(?:deprecated|obsolete)\b/iu,
  /\bDEPRECATED\b/u,
  // What changed, and where that is written down.
  /\b(?:replac(?:es|ing)|supersed(?:es|ing)|successor (?:of|to)|formerly|previously (?:known|called)|renamed from)\b[^.]{0,80}\b(?:tools?|endpoints?|versions?)\b/iu,
  /(?:^|[.\n]\s*)v\d+(?:\.\d+)*:\s/iu,
  /\b(?:[Ss]ee|cf\.?|[Ff]ixes|fixed in|closes) [A-Z]{2,}-\d+\b/u,
  // Somebody who talks.
  /(?:^|[.!?]\s+)(?:I|I['’](?:m|ll|ve)|We|Our) /u,
  /\bmigration guide\b|\bin your (?:instructions|prompts?)\b/iu,
  // What is said to who builds something with it, of who calls it.
  /\b(?:the|an?|any|your) (?:LLMs?|AI(?: (?:agents?|assistants?|models?))?) (?:can|could|may|might|should|will|must|has to|have to|having to|needs? to)\b/iu,
  // A file of somebody's machine.
  /(?:^|[\s("'`])(?:\/(?:home|Users)\/(?!user\b|me\b|you)\w|[A-Z]:\\Users\\)/u,
  // What it points at is not in the text.
  /^note the\b|(?:\.|\n)\s*note the\b|\b(?:see|as (?:described|shown|listed)) (?:above|below)\.?\s*$/iu,
];
/** Marks and lines as code writes them. */
const escaped = /\\[`"'*_]|\\n(?![a-z])/u;
/** What a program left of a text: other encodings, values that were never filled in. */
const garbage = /\uFFFD|â€[™œ\u009D“”˜¦]|Ã[©¨¼¤¶±³¡]|\[object Object\]/u;
const unfilled = /\$\{[^}]*\}|\{\{[^}]*\}\}/u;
/** A tool may be about what else is a trace of a program: "Variables are written as {{name}}." */
const aboutTemplates = /templat|placeholder|variable|expression|syntax|interpolat|format string/iu;
const aboutEscapes = /escap|regex|regular expression|pattern|backslash/iu;
/** Code, and what is quoted or an example in brackets. */
const quoted = /`[^`]*`|"[^"]*"|“[^”]*”|\([^)]*\)/gu;
const htmlTag =
  /<\/(?:p|b|i|u|br|div|span|ul|ol|li|strong|em|h[1-6]|td|tr)>|<br ?\/?>|^<(?:p|div|span|ul|ol|li)>/iu;

const counting =
  /\ban? ((?:[\p{L}-]+ ){0,3}?)(\p{L}+s)(?= (?:of|with|by|for|in|from|to|on|that|and|or)\b|[.,;:)]|$)/giu;
/** Words after which another noun phrase begins. */
const linking =
  /\b(?:of|with|by|for|in|into|from|to|on|onto|at|as|per|via|that|which|who|whose|and|or|between|among|across|under|over|about|through|within|without|including|containing|using|all|any|some|its|their|your|is|are|has|s)\b/iu;
const openEnd =
  /\b(?:an?|the|of|or|and|its|their|your)$|\b(?:e\.g|i\.e)\.?$|,$|(?<!\betc)(?:\.\.\.|…)$/iu;

/**
 * Whether a text is no whole description: it stops in the middle, is a name, has a wrong article, is
 * in another language than its server's, has markup or encodings that a program left, or is a note
 * that a description is to be written, is out of date, or is by or for the authors.
 */
export function isBroken(
  text: string,
  tool: AnalysedTool,
  tools: readonly AnalysedTool[],
): boolean {
  const whole = text.trim();
  return (
    endsOpen(whole) ||
    openEnd.test(whole) ||
    isUnbalanced(whole) ||
    isName(whole, tool) ||
    (notes.some((note) => note.test(whole)) && !isAbout(tool, 'deprecated todo')) ||
    garbage.test(whole) ||
    (escaped.test(whole) && !aboutEscapes.test(`${tool.name} ${whole}`)) ||
    isForShell(whole, tool) ||
    (unfilled.test(whole) && !aboutTemplates.test(`${tool.name} ${whole}`)) ||
    (htmlTag.test(whole.replaceAll(quoted, '')) &&
      !/html|markup/iu.test(`${tool.name} ${whole}`)) ||
    isForeign(whole, tool, tools) ||
    (languageOf(tool, tools) === 'en' &&
      (countsMany(whole, tool, tools) ||
        isMiswritten(whole) ||
        isMixed(whole) ||
        isUnread(whole, tool, tools)))
  );
}

const isAbout = ({ name }: AnalysedTool, things: string): boolean => {
  const own = stemsOf(words(name).join(' '));
  return [...stemsOf(things)].some((each) => own.has(each));
};

/** Whether a text is one word of Latin letters, or a name in small letters: "stub", "get order". */
const isName = (text: string, { name }: AnalysedTool): boolean =>
  /^[\p{Script=Latin}\d_.-]+$/u.test(text) ||
  (/^\p{Ll}[^.]*$/u.test(text) && words(text).join(' ') === words(name).join(' '));

/** Whether a text calls the tool as a program of a shell: "find_page --term=x". */
const isForShell = (text: string, { name }: AnalysedTool): boolean =>
  text.split(`${name} --`).some((rest, at) => at > 0 && /^[a-z]/u.test(rest));

/** Whether a bracket or a block of code is opened and never closed. */
function isUnbalanced(text: string): boolean {
  const countOf = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return countOf(/```/gu) % 2 === 1 || text.lastIndexOf('(') > Math.max(text.lastIndexOf(')'), 0);
}

/** An article of the wrong form, or before what can't be counted, or a word twice. */
function isMiswritten(text: string): boolean {
  const plain = text.replaceAll(quoted, ' ');
  return (
    /\b(an?|to|of|in|is|\p{L}{3,}) \1\b/iu.test(plain) ||
    twoEnds.test(plain) ||
    [...plain.matchAll(/\b(an?) ([a-z]*[aeiou][a-z]*)(?![\w'’-])/gu)].some(
      ([, article = '', word = '']) => word.length >= minWord && article !== indefinite(word),
    ) ||
    [...plain.matchAll(/\ban? ([a-z]+)(?= (?:of|for|from|about|and|or|to)\b|[.,;:)]|$)/gu)].some(
      ([, noun = '']) => isUncounted(noun) && !counted.has(noun),
    )
  );
}
/** "Find orders and get their lines are provided.": an order to begin with, a statement to end with. */
const twoEnds =
  /(?:^|[.!?]\s+)(?:find|get|access|obtain|retrieve|view|fetch) [^.!?]*, (?:is|are) (?:provided|returned|included|available)(?:[.!?]|$)/iu;
const minWord = 4;
/** Of these there is one: "a status", "a CSV". */
const counted = new Set('access content csv html json css status sql xml yaml help pdf'.split(' '));

/** Letters of other scripts than English: what is in one of them is no word of an English text. */
const otherLetters =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Hebrew}\p{Script=Thai}]{2}/u;
const isMixed = (text: string): boolean => otherLetters.test(text.replaceAll(quoted, ' '));

/** "alias", "status" and "series" end like this in the singular too. */
const plain = /[^s](?:[^aiuse]|[^i]e)s$/u;

/** "a stored conversations": the noun is a word of the server's names in the singular. */
function countsMany(
  text: string,
  { server }: AnalysedTool,
  tools: readonly AnalysedTool[],
): boolean {
  const found = [...text.matchAll(counting)].filter(
    ([, between = '', noun = '']) => isPlural(noun) && !isUncounted(noun) && !linking.test(between),
  );
  if (found.length === 0) return false;
  const known = new Set(
    tools
      .filter((each) => each.server === server)
      .flatMap(({ name }) => words(name))
      .flatMap((word) => (plain.test(word) ? [word, word.slice(0, -1)] : word)),
  );
  return found.some(([, , noun = '']) => known.has(singular(noun.toLowerCase())));
}

/**
 * Whether a short text without function words is likely in another language than the server's
 * English: it opens with no verb that is known, and has no word of the name or of any other text.
 */
function isUnread(text: string, tool: AnalysedTool, tools: readonly AnalysedTool[]): boolean {
  const all = words(text);
  if (all.some((word) => languagesOfWord().get(word)?.includes('en'))) return false;
  if (!/^[\p{Script=Latin}\P{L}]+$/u.test(text) || all.length < 2 || all.length > maxUnread)
    return false;
  if (baseVerb(all[0] ?? '') !== null) return false;
  const siblings = tools.filter((each) => each.server === tool.server && each !== tool);
  const known = new Set(
    [tool.name, ...siblings.flatMap(({ name, description }) => [name, description])]
      .flatMap((each) => words(each))
      .map(stem),
  );
  return all.every((word) => !known.has(stem(word)));
}
const maxUnread = 8;
