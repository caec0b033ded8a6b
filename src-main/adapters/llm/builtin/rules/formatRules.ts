import { stem } from '../../../../analysis/tokenizer.ts';
import { foundIn, free, isKind, type Rule, type RuleInput } from './rule.ts';

const hasFormat = ({ slot }: RuleInput, ...names: string[]): boolean =>
  typeof slot.schema['format'] === 'string' && names.includes(slot.schema['format']);
const isFreeText = ({ slot }: RuleInput): boolean =>
  slot.type === 'string' && !Array.isArray(slot.schema['enum']);

/** An email address, for `format: email` or names like `recipient`. */
export const emailMentioned: Rule = (input) =>
  isFreeText(input) && (hasFormat(input, 'email') || isKind(input.slot, 'email'))
    ? foundIn(free(input.reading.emails, input.taken)[0])
    : null;

/** A web address, for `format: uri` or names like `link`. */
export const urlMentioned: Rule = (input) =>
  isFreeText(input) &&
  (hasFormat(input, 'uri', 'url', 'uri-reference') || isKind(input.slot, 'url'))
    ? foundIn(free(input.reading.urls, input.taken)[0])
    : null;

/** A path or a file name, for names like `path` and `directory`. */
export const pathMentioned: Rule = (input) =>
  isFreeText(input) && isKind(input.slot, 'path')
    ? foundIn(free(input.reading.paths, input.taken)[0])
    : null;

/**
 * A moment: written as one, or as a date and a time of day, which are read as UTC.
 */
export const momentMentioned: Rule = (input) => {
  const { reading, taken } = input;
  if (!isFreeText(input) || !hasFormat(input, 'date-time')) return null;
  const whole = free(reading.dateTimes, taken)[0];
  if (whole) return foundIn(whole);
  const date = free(reading.dates, taken)[0];
  const time = free(reading.times, taken)[0];
  if (!date || !time) return null;
  return {
    value: `${date.value}T${time.value}:00Z`,
    span: { start: Math.min(date.start, time.start), end: Math.max(date.end, time.end) },
  };
};

/** A date in the order that the description writes: `DD/MM/YYYY`; ISO where it writes none. */
function asDescribed(date: string, { schema: { description } }: RuleInput['slot']): string {
  const pattern =
    typeof description === 'string'
      ? /\b(?:YYYY|MM|DD)([-/.])(?:MM|DD)\1(?:YYYY|MM|DD)\b/iu.exec(description)
      : null;
  if (!pattern) return date;
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-');
  return pattern[0].toUpperCase().replace('YYYY', year).replace('MM', month).replace('DD', day);
}

const placeWords = 'city place location address station airport stop country port start'
  .split(' ')
  .map(stem);

/** Whether a name like `due_date` takes a date; `from` and `to` may be places as well. */
function takesDate(slot: RuleInput['slot']): boolean {
  if (!isKind(slot, 'date') || slot.schema['format'] !== undefined) return false;
  const isDate = /^(?:date|day|deadline|due|when)$/u.test(slot.words.at(-1) ?? '');
  return isDate || !placeWords.some((word) => slot.hints.has(word));
}

/**
 * A calendar date as YYYY-MM-DD. A word like "tomorrow" is passed on unchanged where the schema
 * takes any text.
 */
export const dateMentioned: Rule = (input) => {
  const { reading, taken, slot } = input;
  if (!isFreeText(input) || !(hasFormat(input, 'date') || takesDate(slot))) return null;
  const date = free(reading.dates, taken)[0] ?? free(reading.dateTimes, taken)[0];
  if (date)
    return {
      value: hasFormat(input, 'date') ? date.value.slice(0, 10) : asDescribed(date.value, slot),
      span: date,
    };
  return hasFormat(input, 'date') ? null : foundIn(free(reading.relativeDates, taken)[0]);
};

/** A time of day as HH:MM; `format: time` asks for seconds and a zone, read as UTC. */
export const timeMentioned: Rule = (input) => {
  if (
    !isFreeText(input) ||
    !(
      hasFormat(input, 'time') ||
      (isKind(input.slot, 'time') && input.slot.schema['format'] === undefined)
    )
  )
    return null;
  const time = free(input.reading.times, input.taken)[0];
  return time
    ? { value: hasFormat(input, 'time') ? `${time.value}:00Z` : time.value, span: time }
    : null;
};

/** The year, the month or the day of a date, for a whole number of that name. */
export const partOfDate: Rule = ({ slot, reading }) => {
  if (slot.type !== 'integer') return null;
  const part = ['year', 'month', 'day'].indexOf(slot.words.at(-1) ?? '');
  const date = reading.dates[0] ?? reading.dateTimes[0];
  return part < 0 || !date
    ? null
    : { value: Number(date.value.slice(0, 10).split('-')[part]), span: null };
};
