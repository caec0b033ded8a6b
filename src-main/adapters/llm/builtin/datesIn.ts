import type { Mention } from './mention.ts';

const monthNames =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const month =
  `(?:${monthNames.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})`.replaceAll(
    '(?:)?',
    '',
  );
const isoDateTime =
  /\b(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?(?!\w)/gu;
const isoDate = /\b\d{4}-\d{2}-\d{2}\b/gu;
const dayFirst = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?(${month})\\.?,?\\s+(\\d{4})\\b`,
  'giu',
);
const monthFirst = new RegExp(
  `\\b(${month})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`,
  'giu',
);
const slashed = /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/gu;
const clock = /\b([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?:\s?([ap])\.?m\b\.?)?/giu;
const hour = /\b(1[0-2]|0?[1-9])\s?([ap])\.?m\b\.?/giu;
const relative =
  /\b(?:today|tonight|tomorrow(?: (?:morning|afternoon|evening|night))?|yesterday|(?:next|this|last) (?:weekend|week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/giu;

function isoFrom(year: string, monthNumber: number, day: string): string | null {
  const text = `${year}-${String(monthNumber).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}

const numberOfMonth = (name: string): number =>
  monthNames.findIndex((known) => known.startsWith(name.slice(0, 3).toLowerCase())) + 1;

/**
 * Calendar dates as YYYY-MM-DD: ISO, `12 March 2026`, `March 12, 2026`, and `25/12/2026` where only
 * one reading is a date.
 */
export function datesIn(text: string): Mention<string>[] {
  const found: Mention<string>[] = [];
  const note = (match: RegExpExecArray, value: string | null): void => {
    if (value !== null)
      found.push({ value, start: match.index, end: match.index + match[0].length });
  };
  for (const match of text.matchAll(isoDate))
    note(match, isoFrom(match[0].slice(0, 4), Number(match[0].slice(5, 7)), match[0].slice(8)));
  for (const match of text.matchAll(dayFirst))
    note(match, isoFrom(match[3] ?? '', numberOfMonth(match[2] ?? ''), match[1] ?? ''));
  for (const match of text.matchAll(monthFirst))
    note(match, isoFrom(match[3] ?? '', numberOfMonth(match[1] ?? ''), match[2] ?? ''));
  for (const match of text.matchAll(slashed)) {
    const [, first = '', second = '', year = ''] = match;
    const readings = new Set(
      [isoFrom(year, Number(first), second), isoFrom(year, Number(second), first)].filter(
        (value) => value !== null,
      ),
    );
    note(match, readings.size === 1 ? ([...readings][0] ?? null) : null);
  }
  return found;
}

/** Times of day as HH:MM: `17:30`, `5:30 pm`, `5pm`. */
export function timesIn(text: string): Mention<string>[] {
  const found: Mention<string>[] = [];
  const note = (
    match: RegExpExecArray,
    hours: number,
    minutes: string,
    half: string | undefined,
  ): void => {
    const hours24 =
      half === undefined ? hours : (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    found.push({
      value: `${String(hours24).padStart(2, '0')}:${minutes}`,
      start: match.index,
      end: match.index + match[0].length,
    });
  };
  for (const match of text.matchAll(clock))
    note(match, Number(match[1]), match[2] ?? '00', match[3]);
  for (const match of text.matchAll(hour)) note(match, Number(match[1]), '00', match[2]);
  return found;
}

/** Moments as RFC 3339. One written without a zone is read as UTC. */
export function dateTimesIn(text: string): Mention<string>[] {
  return Array.from(text.matchAll(isoDateTime), (match) => ({
    value: `${match[1] ?? ''}T${match[2] ?? ''}:${match[3] ?? '00'}${match[4] ?? 'Z'}`,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/**
 * `tomorrow`, `next Friday`: words without a date of their own. They fill a parameter that takes
 * text, never one that takes a date.
 */
export function relativeDatesIn(text: string): Mention<string>[] {
  return Array.from(text.matchAll(relative), (match) => ({
    value: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}
