import { isJsonObject } from '../../src-shared/domain/json.ts';
import { editTool, textAt, type TextEdit } from '../../src-shared/domain/textEdit.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { baseVerb } from './advice/purpose.ts';
import { hashStep, slotOf, tableOf, type Mask } from './detectors/lexicon.ts';
import { foreignClaims, latinHints, type OrderKind } from './orderLanguages.ts';

interface OrderText {
  kind: OrderKind;
  /** Offsets in the text, end exclusive. */
  start: number;
  end: number;
}

const tool = '(?:tools?|functions?|servers?|commands?|skills?|mcps?|apis?)';
const call =
  '(?:use|call|invoke|run|select|choose|pick|try|consult|execute|prefer|reach for|turn to)';
const called = '(?:used|called|invoked|run|selected|chosen|picked|tried|consulted|preferred)';
const calling = '(?:using|calling|invoking|running|selecting|choosing|trying)';
const not = "(?:never|do not|don'?t|must not|should not|no need to|stop)";
const ignore = '(?:ignore|disregard|skip|avoid|forget|bypass|dismiss)';
const bad =
  '(?:deprecated|obsolete|broken|unreliable|slower|slow|outdated|inferior|useless|worse|wrong|incorrect|unsafe|bad)';
/** The own tool: "this tool", or "this" where no other noun follows. */
const self = `(?:this ${tool}|(?:this|it|me)(?= (?:first|before|for|over|instead|rather|in place|always|exclusively|only)\\b| ?[,;]|$))`;
const all = '(?:(?:all|any|every|each|the|of|these|those|your) )*';
/** Other tools, with one word between at most: "all other search tools". */
const others = `(?:${all}(?:other|another|alternative|remaining|competing) (?:\\w+ )?${tool}\\b|${all}(?:others|alternatives)\\b|(?:any|every|each) other(?= ?[,;]| ?$))`;
/** Whatever is asked for, not what it is about. */
const anything =
  '(?:everything|anything|(?:all|any|every|each|whatever) (?:user |possible |single |other )?(?:requests?|questions?|tasks?|quer(?:y|ies)|prompts?|messages?|cases?|purposes?|situations?|conversations?|turns?|jobs?)\\b)';
/** What limits a claim to a subject or a condition: then it says when the tool is meant. */
const limited =
  '(?! *(?:about|on|in|of|that|which|where|with|from|when|whenever|while|until|if|unless|related|regarding|concerning|involving|containing)\\b)';
/** What a step is needed for: "Call this first to get the id." */
const purpose =
  '(?! *(?:to|so|because|since|as|in|on|with|before|thing|when|whenever|while|until|if|unless|then|and then|for)\\b)';
const answering =
  '(?:answering|responding|replying)(?: (?:the user|to the user|anything))?(?= ?[,;]| ?$)';
const before = `(?:first\\b${purpose}|before (?:${answering}|(?:\\w+ing )?(?:${anything}|${others})${limited}))`;
const gap = '(?:\\w+ ){0,2}';
const talk = '(?:conversation|session|request|message|task|turn|answer|reply|chat)';
const choice = `(?:${tool}|choice|option|one|pick)`;
const favored = '(?:best|preferred|ideal|right)';
const name = '(?:`[\\w.-]{2,60}`|\\w+(?:[_-]\\w+)+)';

/** Words of the patterns, of which a sentence must have one for each list. */
const some = {
  first: 'first before',
  answer: 'answer respond reply',
  anything: 'everything anything all any every each whatever',
  something: 'anything something everything message question request',
  self: 'this it me',
  used: 'used called invoked run selected chosen picked tried consulted preferred',
  others: 'other others another alternative alternatives remaining competing',
  each: 'each every any',
  favored: 'best preferred ideal right',
  only: 'always only exclusively',
  ignore: 'ignore disregard skip avoid forget bypass dismiss',
  banned: 'never not don dont need stop ignore disregard skip avoid forget bypass dismiss',
};

const rules: readonly (readonly [
  kind: OrderKind,
  pattern: string,
  ...needed: readonly string[],
])[] = [
  ['priority', `\\b${call} ${self} ${gap}${before}`, some.first, some.self],
  ['priority', `\\b${self} ${gap}be ${called} ${gap}${before}`, some.first, some.used],
  ['priority', `\\balways (?:comes? |goes |be ${called} |${call} )?first\\b${purpose}`, 'always'],
  [
    'priority',
    `\\balways (?:start|begin) (?:with|by ${calling}) this ${tool}\\b${purpose}`,
    'always',
  ],
  [
    'priority',
    `^\\s*(?:this ${tool}|it) ${gap}(?:has|have|takes?|gets?) (?:the )?(?:(?:highest|top|first|absolute) (?:priority|precedence)\\b|(?:priority|precedence) over ${others})`,
    'priority precedence',
  ],
  [
    'everything',
    `\\b${call} ${self} ${gap}(?:for|on|with) ${anything}${limited}`,
    some.anything,
    some.self,
  ],
  ['everything', `\\b(?:always|only|exclusively) ${call} ${self} ?[,;]?$`, some.only, some.self],
  [
    'everything',
    `\\b${self} ${gap}be ${called} ${gap}(?:for|on|with) ${anything}${limited}`,
    some.anything,
    some.used,
  ],
  [
    'everything',
    `\\b(?:whatever|no matter what|regardless of what) [^,]{1,40}, ?(?:always )?${call} (?:this ${tool}|it)\\b`,
    'whatever what',
  ],
  [
    'everything',
    `\\b(?:whatever|no matter what) [^,]{1,40}, ?(?:this|it)(?: ${tool})? is (?:always )?(?:the|your) (?:only|${favored}) ${choice}\\b`,
    'whatever what',
  ],
  [
    'everything',
    `\\b${call}[a-z]* (?:for )?this(?: one| ${tool})? ?,? ?(?:whatever|no matter what|regardless of what) (?:is (?:asked|wanted|needed)|(?:the |a )?(?:users?|requests?|questions?|tasks?)\\b)`,
    'whatever what',
    some.self,
  ],
  [
    'priority',
    `\\bbefore (?:you |any |every )?(?:answer|respond|reply|answering|responding|replying)(?: to)?(?: the user| anything)? ?,? ?(?:always |first )?${call} (?:this ${tool}|it|me|this(?= ?[,;]?$))(?!\\w)${purpose}`,
    'before',
    some.self,
  ],
  [
    'priority',
    `\\b${call} (?:this ${tool}|it) ${gap}at the (?:start|beginning) of (?:every|each|any) ${talk}\\b${purpose}`,
    'start beginning',
  ],
  [
    'everything',
    `\\b(?:make|keep|treat|consider) (?:this|it)(?: ${tool})? (?:as )?(?:the|your) (?:default|first|main|only|primary|${favored}) ${choice}(?= ?[,;]| ?$| (?:for|on|with) ${anything}${limited})`,
    'default first main only primary best preferred ideal right',
    some.self,
  ],
  [
    'priority',
    `\\b(?:start|begin|open) (?:every|each|any) (?:new )?${talk} (?:with|by ${calling}) (?:this ${tool}|it)\\b${purpose}`,
    'start begin open',
    some.each,
  ],
  [
    'priority',
    `\\b(?:be|is|as|(?:this|it|me)(?: ${tool})?) (?:the|your) (?:very )?first (?:call|step|action|${tool}) (?:of|in|for|on) (?:every|each|any) ${talk}\\b`,
    'first',
    some.each,
  ],
  [
    'everything',
    `\\b(?:when|whenever|if|every time|each time) (?:the |a )?users? (?:says?|asks?|writes?|sends?|wants?|needs?)(?: for)? (?:anything|something|everything|a (?:message|question|request))${limited} ?,? ?(?:always |first )?${call} (?:this ${tool}|it)\\b`,
    'user users',
    some.something,
  ],
  [
    'everything',
    `\\b${not} (?:answer|respond|reply)(?: to)?(?: the user| anything)? (?:without|before) (?:${calling} )?(?:this ${tool}|it)\\b`,
    'without before',
    some.answer,
  ],
  [
    'everything',
    `\\b(?:answer|respond|reply)(?: to the user)? (?:only|exclusively) (?:with|through|by)(?: ${calling})? (?:this ${tool}|it)\\b`,
    some.only,
    some.answer,
  ],
  ['everything', `\\b${favored} ${choice} (?:for|on|with) ${anything}${limited}`, some.favored],
  [
    'everything',
    `\\b(?:trust|believe|rely on|${call}) (?:only|exclusively|solely|nothing but) this ${tool}(?= ?[,;]| ?$)`,
    'only exclusively solely nothing',
    some.self,
  ],
  ['everything', `\\bonly ${tool} (?:that )?you(?:'ll| will)? (?:\\w+ )?need`, 'only'],
  ['exclusion', `\\b${ignore} (?:${calling} )?${others}`, some.others, some.ignore],
  [
    'exclusion',
    `\\b${not} ${gap}(?:${call}|${calling}|consider|trust) ${others}${limited}`,
    some.others,
  ],
  [
    'exclusion',
    `\\b(?:supersedes?|overrides?|outranks?) ${others}`,
    'supersede supersedes override overrides outrank outranks',
  ],
  ['exclusion', `\\bno other ${tool} (?:is|are|will|may|can|should|must)\\b`, 'other'],
  [
    'exclusion',
    `\\b${others} (?:(?:is|are) (?:now )?|(?:give|return|produce)s? (?:\\w+ )?)${bad}\\b`,
    some.others,
  ],
  [
    'exclusion',
    `\\b(?:${call} ${self}|${self} ${gap}be ${called}) ${gap}(?:over|instead of|rather than|in place of) ${others}${purpose}${limited}`,
    some.others,
  ],
  [
    'exclusion',
    `\\b(?:better|faster|superior|more \\w+|preferred|best) (?:than|to|over|of) ${others}`,
    some.others,
  ],
  ['exclusion', `\\b(?:the |is )?best ${tool}(?= ?[,;!]|$)`, 'best'],
  [
    'named',
    `\\b(?:${not} (?:${call}|${calling}) |${ignore} (?:${calling} )?)(?:the )?${name}(?: ${tool})?(?= ?[,;:]| ?$| (?:because|since|as) )`,
    some.banned,
  ],
  [
    'named',
    `\\bprefer (?:this ${tool}|this|it) (?:over|to) (?:the )?${name}(?= ?[,;]?$)`,
    'prefer',
  ],
  [
    'named',
    `${name}(?: ${tool})? (?:is|are) (?:now )?(?:broken|unreliable|useless|wrong|inferior)\\b`,
    'broken unreliable useless wrong inferior',
  ],
];
/** One bit for each list of needed words. */
const bitOf = new Map<string, number>();
/** The bits of the lists that hold a word. */
const bitsOf = new Map<string, Mask>();

function bitsOfLists(lists: readonly string[]): number {
  let bits = 0;
  for (const list of lists) {
    const bit = bitOf.get(list) ?? 1 << bitOf.size;
    bitOf.set(list, bit);
    bits |= bit;
    for (const word of list.split(' '))
      bitsOf.set(word, { lo: (bitsOf.get(word)?.lo ?? 0) | bit, hi: 0 });
  }
  return bits;
}

const patterns = rules.map(([kind, pattern, ...lists]) => ({
  kind,
  pattern: new RegExp(pattern, 'iu'),
  needed: bitsOfLists(lists),
}));
/** That a sentence may be in another language, in Latin letters. */
const foreign = bitsOfLists([latinHints]);
const neededWords = tableOf(bitsOf);
/** Without one of these words a sentence claims nothing. */
const hints =
  /\b(?:first|before|every|any|all|everything|anything|other|others|another|always|only|best|priority|precedence|prefer|preferred|default|each|stop|whatever|regardless|no matter|never|not|don['’]?t|ignore|avoid|skip|disregard|broken|unreliable|useless|wrong|inferior)\b/iu;

/** Longer sentences are none: code, tables, data. */
const maxSentence = 600;
const minListed = 7;
/** So many plain words in a row without a function word among them are no sentence. */
const minRun = 9;
const functionWords =
  /\b(?:a|an|the|is|are|be|to|of|with|by|from|when|if|that|which|it|you|and|or|in|on|as|per|each)\b/iu;

/** What one pass over a sentence tells, so that most sentences are matched with no pattern. */
interface Sentence {
  end: number;
  /** The lists of needed words of which it has one. */
  bits: number;
  isAscii: boolean;
  /** Words of three letters or more, and whether four in a row seem to be the same. */
  words: number;
  repeats: boolean;
  separators: number;
  /** Small letters and spaces alone. */
  isSmall: boolean;
}

/** Letters that a pattern takes for an S and a K. */
const isKin = (code: number): boolean => code === 0x17f || code === 0x212a;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
const isEnd = (code: number): boolean => code === 46 || code === 33 || code === 63 || code === 10;

/** Reads the sentence that begins here. One step for each character. */
function readSentence(text: string, start: number): Sentence {
  let [bits, isAscii, isSmall, repeats] = [0, true, true, false];
  let [words, separators, hash, letters, last, same] = [0, 0, 0, 0, 0, 0];
  let at = start;
  for (; ; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 10;
    const letter = code | 32;
    if (letter >= 97 && letter <= 122 && code < 128) {
      hash = hashStep(hash, letter);
      letters += 1;
      if (code < 97) isSmall = false;
      continue;
    }
    if (letters > 0) {
      const slot = slotOf(neededWords, hash);
      if (slot >= 0) bits |= neededWords.lo[slot] ?? 0;
      if (letters >= 3) {
        same = words > 0 && hash === last ? same + 1 : 1;
        if (same >= 4) repeats = true;
        words += 1;
        last = hash;
      }
      hash = 0;
      letters = 0;
    }
    if (isEnd(code)) break;
    if (code === 44 || code === 59 || code === 124) separators += 1;
    if (code >= 128) {
      isAscii = false;
      if (isKin(code)) bits = -1;
    } else if (!isSpace(code)) isSmall = false;
  }
  return { end: at, bits, isAscii, words, repeats, separators, isSmall };
}

/** A list of words without a sentence around it, or one word again and again. */
const isStuffed = (text: string, read: Sentence): boolean =>
  ((read.repeats || !read.isAscii) && isRepeated(text)) ||
  (read.separators >= minListed - 1 && isList(text)) ||
  (read.isSmall && (read.words >= minRun || !read.isAscii) && isRun(text));

const ascii = /^[\0-\x7f]*$/;
const wordsOf = (sentence: string): string[] =>
  sentence.toLowerCase().match(ascii.test(sentence) ? /[a-z]{3,}/g : /\p{L}{3,}/gu) ?? [];

const isRepeated = (sentence: string): boolean =>
  wordsOf(sentence).some(
    (word, at, words) => at >= 3 && [1, 2, 3].every((back) => words[at - back] === word),
  );

function isList(sentence: string): boolean {
  const items = sentence
    .replace(
      /^\s*(?:keywords?|tags|synonyms|aliases|related \w+|search terms|also known as)\s*:?/iu,
      '',
    )
    .split(/[,;|]/)
    .map((item) => item.trim());
  if (items.length < minListed) return false;
  // "Exports CSV, JSON, …" is a sentence: it begins with a verb and its object.
  const [verb = '', object] = (items[0] ?? '').split(' ');
  if (object !== undefined && baseVerb(verb) !== null) return false;
  return (
    items.every((item) => /^\p{L}[\p{L}’'-]*(?: \p{L}+)?$/u.test(item)) &&
    !functionWords.test(items.join(' '))
  );
}

const isRun = (sentence: string): boolean =>
  /^[\s\p{Ll}]+$/u.test(sentence) &&
  wordsOf(sentence).length >= minRun &&
  !functionWords.test(sentence) &&
  !/\b(?:for|into|onto|at|via|using|its|their|your|all|any|not|after|before|between|than)\b/u.test(
    sentence,
  );

/**
 * The claims of a text, at most one for each kind and sentence: that its tool comes first
 * (`priority`), is for whatever is asked (`everything`), that other tools must not be called or are
 * worse (`exclusion`), that a certain tool must not be called at all (`named`), and lists of words
 * that form no sentence (`stuffing`). By the structure of English sentences from closed classes of
 * words, and by such classes in ten other languages. "Call search_issues first to get the id" is
 * none: it says what a step needs. So is "Don't use it to edit; use edit_file": it says for what.
 * Linear in the text.
 *
 * @param names names that the text may speak about, such as its own parameters
 */
export function orderTexts(text: string, names: ReadonlySet<string> = new Set()): OrderText[] {
  const found: OrderText[] = [];
  for (let from = 0; from < text.length;) {
    const read = readSentence(text, from);
    const length = read.end - from;
    if (length > 0 && length <= maxSentence)
      addClaims(found, text.slice(from, read.end), from, read, names);
    from = read.end + 1;
  }
  return found;
}

/** Marks of emphasis keep their place, so that offsets stay those of the text. */
const withoutMarks = (sentence: string): string =>
  (/[*"“”()’]/.test(sentence)
    ? sentence.replaceAll(/[*"“”()]/gu, ' ').replaceAll('’', "'")
    : sentence
  ).trimEnd();

function addClaims(
  found: OrderText[],
  raw: string,
  from: number,
  read: Sentence,
  names: ReadonlySet<string>,
): void {
  const kinds = new Set<OrderKind>();
  const add = (kind: OrderKind, start: number, length: number): void => {
    if (kinds.has(kind)) return;
    kinds.add(kind);
    found.push({ kind, start: from + start, end: from + start + length });
  };
  let sentence: string | null = null;
  for (const { kind, pattern, needed } of patterns) {
    if ((read.bits & needed) !== needed) continue;
    sentence ??= withoutMarks(raw);
    const match = pattern.exec(sentence);
    if (!match || !hints.test(raw)) continue;
    const isParameter = kind === 'named' && [...names].some((known) => match[0].includes(known));
    if (!isParameter) add(kind, match.index, match[0].length);
  }
  const isLatin = (read.bits & foreign) !== 0;
  if (isLatin || !read.isAscii)
    for (const { kind, start, end } of foreignClaims(
      sentence ?? withoutMarks(raw),
      isLatin,
      !read.isAscii,
    ))
      add(kind, start, end - start);
  if (isStuffed(raw, read)) add('stuffing', 0, raw.length);
}

const claims: Record<OrderKind, string> = {
  priority: 'claims that the tool comes first',
  everything: 'claims that the tool is for everything',
  exclusion: 'speaks against other tools',
  named: 'forbids another tool without saying for what',
  stuffing: 'lists words that form no sentence',
};

/**
 * A claim that edits of a tool make and its texts did not, as a sentence; null if there is none. It
 * would win requests that are not for the tool.
 */
export function newClaim(before: Tool, edits: readonly TextEdit[]): string | null {
  const after = editTool(before, edits);
  for (const { path } of edits) {
    const claim = claimOf(textAt(after, path), before, textAt(before, path));
    if (claim !== null) return claim;
  }
  return null;
}

/** The first claim of a text for a tool, of a kind that another text lacks, as a sentence. */
export function claimOf(
  text: string,
  { inputSchema: { properties } }: Pick<Tool, 'inputSchema'>,
  other = '',
): string | null {
  const names = new Set(isJsonObject(properties) ? Object.keys(properties) : []);
  const known = new Set(orderTexts(other, names).map(({ kind }) => kind));
  const found = orderTexts(text, names).find(({ kind }) => !known.has(kind));
  return found === undefined
    ? null
    : `It ${claims[found.kind]} (“${text.slice(found.start, found.end).trim()}”).`;
}
