import { escapeInvisible } from '../../../src-shared/domain/visibleText.ts';

// Only what one of these holds has to be looked at closely: a report of 100,000 runs has a million
// cells.
const printableAscii = /^[\t\n\r\u0020-\u007e]*$/;
const htmlSafe = /^[\t\n\r !#$%()*+,\-./0-9:;?@A-Z[\\\]^_a-z{|}~]*$/;
const visible = (text: string): string =>
  printableAscii.test(text) ? text : escapeInvisible(text);

/**
 * Foreign text in HTML: control and invisible characters by name, markup as text; safe between tags
 * and in quoted attributes.
 */
export function escapeHtml(text: string): string {
  return htmlSafe.test(text)
    ? text
    : visible(text).replace(/[&<>"'`=]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * The first so many characters, and how many more there are: one endless word must not make a page
 * useless.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end =
    text.charCodeAt(maxLength - 1) >= 0xd800 && text.charCodeAt(maxLength - 1) < 0xdc00
      ? maxLength - 1
      : maxLength;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/**
 * Foreign text in Markdown: a code span, in which no link, image, mention or markup is read. A line
 * break would end a row of a table, and an unguarded bar a cell.
 */
export function codeSpan(text: string): string {
  const line = visible(text.replaceAll('\t', ' ').replace(/\r\n|[\r\n]/g, '↵')).replace(
    /(\\*)\|/g,
    (_found, slashes: string) => `${slashes}${slashes === '' ? '' : ' '}\\|`,
  );
  if (line.trim() === '') return '–';
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

// What XML 1.0 has no way to say, not even as a reference; a half of a surrogate pair is one of
// them.
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Foreign text in XML, between tags and in quoted attributes. What XML can't hold is left out. */
export function escapeXml(text: string): string {
  return text
    .replace(notInXml, '')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * A cell of text in CSV (RFC 4180). One that a spreadsheet would take for a formula begins with an
 * apostrophe, which makes it text.
 */
export function csvText(text: string): string {
  return csvValue(/^[\s\u0000]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text);
}

/** A cell that this program made itself: a number, a word of a fixed list. */
export function csvValue(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
