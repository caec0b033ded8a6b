import { barriersOf, isCapital, isStop, phraseAt } from '../phrases.ts';
import type { Mention } from '../mention.ts';
import type { QueryReading, Token } from '../queryReading.ts';
import type { Slot } from '../slots.ts';
import { unitOf } from '../units.ts';
import { foundIn, free, isIdentifier, isKind, type Rule, type RuleInput } from './rule.ts';

/** What a parameter is to the call, by a word of its name, and the prepositions that say so. */
const roles: readonly { names: ReadonlySet<string>; prepositions: readonly string[] }[] = (
  [
    ['from origin source start departure begin sender', 'from'],
    ['to destination dest target end arrival goal recipient', 'to into'],
    [
      'location city place country state region area address room venue town neighborhood zone district county',
      'in at near around for of to from',
    ],
    [
      'author artist director composer writer singer painter creator company manufacturer brand',
      'by from of for',
    ],
    ['store shop market platform console', 'from at on in'],
    [
      'topic subject query question keyword keywords about theme search issue',
      'about on regarding concerning',
    ],
    ['job position role occupation profession', 'as'],
    ['language', 'in to into'],
    ['event game festival', 'at of in for'],
  ] as const
).map(([names, prepositions]) => ({
  names: new Set(names.split(' ')),
  prepositions: prepositions.split(' '),
}));

const isPlainText = (slot: Slot): boolean =>
  slot.type === 'string' &&
  !Array.isArray(slot.schema['enum']) &&
  slot.schema['format'] === undefined &&
  !isIdentifier(slot);
const literalNames = new Set(
  (
    'text message body content contents title sentence code sql expression path url email ' +
    'password task todo note description prompt'
  ).split(' '),
);
/** Text that is passed on as it is, not the name of a thing. */
const isLiteral = (slot: Slot): boolean => literalNames.has(slot.words.at(-1) ?? '');

const isTopic = (slot: Slot): boolean => rolesOf(slot)[0] === 'about';
function rolesOf(slot: Slot): readonly string[] {
  const named = roles.find(({ names }) => slot.words.some((word) => names.has(word)));
  return named?.prepositions ?? [];
}

/**
 * The name after the preposition that a parameter's role asks for: "from Oslo" for `origin`, "in
 * Lisbon" for `city`, "about solar power" for `topic`. For a required text.
 */
export const phraseByRole: Rule = (input) => {
  const { slot, reading } = input;
  if (!isPlainText(slot) || isLiteral(slot)) return null;
  const isMade = rolesOf(slot)[0] === 'by' && made.test(reading.text);
  if (!slot.required && !isMade) return null;
  for (const preposition of slot.required ? rolesOf(slot) : ['by']) {
    const found = after(input, preposition, reading);
    if (found) return foundIn(found);
  }
  return null;
};

/** Says whose work something is, so that even an optional author is given. */
const made =
  /\b(?:written|composed|directed|painted|produced|created|made|sung|designed|published) by\b/iu;

/** How many places of a request a rule looks at, so that its time is bounded. */
const maxPlaces = 40;

function after(
  input: RuleInput,
  preposition: string,
  reading: QueryReading,
): Mention<string> | null {
  let places = 0;
  for (const [at, token] of reading.outside.entries()) {
    if (token.lower !== preposition || isInfinitive(reading, at)) continue;
    if ((places += 1) > maxPlaces) break;
    const index = reading.tokens.indexOf(token, at);
    const before = reading.tokens[index - 1];
    // "Battle of Hastings" is one name.
    if (preposition === 'of' && before && isCapital(before) && index > 1) continue;
    const phrase = phraseAt(reading, index + 1, barriersOf(reading, input.taken));
    const usable = phrase && named(phrase, input);
    if (usable) return usable;
  }
  return null;
}

/** "want to know": `to` before the verb of the request. */
const isInfinitive = ({ outside }: QueryReading, at: number): boolean =>
  outside[at]?.lower === 'to' &&
  // "to ship a package": a noun has its article in front.
  ((/^(?:a|an|the|my|our)$/u.test(outside[at + 2]?.lower ?? '') &&
    /^\p{Ll}{3,}$/u.test(outside[at + 1]?.text ?? '') &&
    !/^(?:the|any|all|our|his|her|its)$/u.test(outside[at + 1]?.lower ?? '')) ||
    /^(?:want|like|need|have|able|going|how|trying|try|wish|love|us|me)$/u.test(
      outside[at - 1]?.lower ?? '',
    ));

/**
 * The phrase without words at its ends that only name the kind of thing: "the movie Heat", "the Apple
 * stock"; null where no other word is left.
 */
function named(
  phrase: Mention<string>,
  { reading, slot, isToolWord }: RuleInput,
): Mention<string> | null {
  // "the constitution of Germany": a name is asked for, not what belongs to it.
  const owner = isTopic(slot) ? null : /^\p{Ll}.*\sof\s(?=\p{Lu})/u.exec(phrase.value);
  const from = phrase.start + (owner?.[0].length ?? 0);
  const isKind = (token: Token): boolean =>
    !isCapital(token) && (slot.cues.includes(token.stem) || isToolWord(token.stem));
  const inside = reading.tokens.filter(({ start, end }) => start >= from && end <= phrase.end);
  // "in US dollars" says how a value is measured, not where something is.
  if (!isUnitSlot(slot) && unitOf(inside.at(-1)?.text ?? '') !== null) return null;
  const first = inside.findIndex((token) => !isKind(token) && token.lower !== 'of');
  const last = inside.findLastIndex(
    (token) => !isKind(token) && !isStop(token) && token.lower !== 'of',
  );
  const start = inside[first]?.start;
  const end = inside[last]?.end;
  if (start === undefined || end === undefined || end <= start) return null;
  return { value: reading.text.slice(start, end).replace(/['’]s$/u, ''), start, end };
}

const isUnitSlot = (slot: Slot): boolean =>
  ['unit', 'units', 'currency'].includes(slot.words.at(-1) ?? '');

const pathNouns = new Set(['file', 'folder', 'directory', 'path']);

/**
 * The name right after the noun that says its kind: "the movie Casablanca", "the gene BRCA1". The noun
 * is the parameter's own, one of its description or one of the tool; the name has a capital or a
 * digit, or follows a word for a path.
 */
export const nameAfterNoun: Rule = (input) => {
  const { slot, reading, taken, isToolWord } = input;
  if (!isPlainText(slot) || !slot.required) return null;
  let places = 0;
  for (const [at, token] of reading.tokens.entries()) {
    const next = reading.tokens[at + 1];
    if (!next || isStop(next) || reading.text.slice(token.end, next.start) !== ' ') continue;
    const beforePath = isKind(slot, 'path') && pathNouns.has(token.lower);
    const isNoun =
      !isCapital(token) &&
      (slot.cues.includes(token.stem) || slot.hints.has(token.stem) || isToolWord(token.stem));
    if (!beforePath && !(isNoun && (isCapital(next) || /\d/u.test(next.text)))) continue;
    if ((places += 1) > maxPlaces) break;
    const phrase = phraseAt(reading, at + 1, barriersOf(reading, taken));
    const usable = phrase && named(phrase, input);
    if (usable) return foundIn(usable);
  }
  return null;
};

const expression =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}().]+(?:\s?(?:\*\*|[-+*/^])\s?[\p{L}\p{N}().]+)+(?![\p{L}\p{N}])/gu;

/** "x^2 + 3", for a text that takes an expression. */
export const expressionWritten: Rule = ({ slot, reading, taken }) => {
  if (
    !isPlainText(slot) ||
    !['function', 'func', 'expression', 'equation', 'formula'].includes(slot.words.at(-1) ?? '')
  )
    return null;
  const written = Array.from(reading.text.matchAll(expression), (match) => ({
    value: match[0],
    start: match.index,
    end: match.index + match[0].length,
  })).filter(({ value }) => /[*^/+]/u.test(value) || /\d/u.test(value));
  return foundIn(free(written, [...taken, ...reading.quotes])[0]);
};

/** "250 euros" for `from_currency`: the word after a number, for a unit that the call starts from. */
export const unitOfNumber: Rule = ({ slot, reading, taken }) => {
  if (!isPlainText(slot) || !slot.required || !isUnitSlot(slot) || slot.words.includes('to'))
    return null;
  for (const number of reading.numbers) {
    const at = reading.tokens.findIndex((token) => token.start >= number.end);
    // "98 degrees Fahrenheit"
    const named = reading.tokens[at + 1];
    const isScale =
      /^degrees?$/u.test(reading.tokens[at]?.lower ?? '') && named && isCapital(named);
    const next = reading.tokens[isScale ? at + 1 : at];
    if (next && !isStop(next) && free([next], taken).length > 0)
      return { value: next.text, span: next };
  }
  return null;
};

const order = ['of', 'about', 'for', 'by', 'on', 'in', 'with', 'at', 'from', 'to'];

/**
 * What a request is about where nothing else gives a required text: the name after "about", "of",
 * "for" and so on, else the one with an article after the verb: "water a cactus".
 */
export const lastPhrase: Rule = (input) => {
  const { slot, reading } = input;
  if (!isPlainText(slot) || !slot.required || isLiteral(slot)) return null;
  const subject = subjectOfQuestion(input) ?? switched(input);
  if (subject) return foundIn(subject);
  for (const preposition of order) {
    const found = after(input, preposition, reading);
    if (found) return foundIn(found);
  }
  let places = 0;
  for (const [at, token] of reading.tokens.entries()) {
    if (!['a', 'an', 'the'].includes(token.lower)) continue;
    if ((places += 1) > maxPlaces) break;
    const measured = reading.numbers.find(({ start }) => start === token.end + 1);
    const from = measured
      ? reading.tokens.findIndex(
          ({ start, text }) => start >= measured.end && unitOf(text) === null,
        )
      : at;
    if (from < 0) continue;
    const phrase = phraseAt(reading, from, barriersOf(reading, input.taken));
    const usable = phrase && named(phrase, input);
    if (usable) return foundIn(usable);
  }
  return null;
};

/** "Turn off the lamp in the hallway": what a verb with a particle is done to. */
function switched(input: RuleInput): Mention<string> | null {
  const { tokens } = input.reading;
  const [, particle, article] = tokens;
  if (!/^(?:on|off|up|down|out)$/u.test(particle?.lower ?? '')) return null;
  if (!/^(?:the|my|our|a|an)$/u.test(article?.lower ?? '')) return null;
  const phrase = phraseAt(input.reading, 2, barriersOf(input.reading, input.taken));
  return phrase && named(phrase, input);
}

/** "can a cheetah run", "did Napoleon die": the name between the helping verb and the verb. */
function subjectOfQuestion(input: RuleInput): Mention<string> | null {
  const { reading } = input;
  const helping = reading.tokens.findIndex(({ lower }) =>
    ['do', 'does', 'did', 'can', 'could', 'should', 'will', 'would'].includes(lower),
  );
  if (helping < 0) return null;
  const phrase = phraseAt(reading, helping + 1, barriersOf(reading, input.taken));
  if (!phrase || /^(?:you|i|we)\b/iu.test(phrase.value)) return null;
  const verb = reading.tokens.findLast(
    ({ start, end }) => start > phrase.start && end === phrase.end,
  );
  const end = verb && !isCapital(verb) ? verb.start - 1 : phrase.end;
  return named({ value: reading.text.slice(phrase.start, end), start: phrase.start, end }, input);
}
