import { escapeInvisible, replaceInvisible } from '../../../src-shared/display/visibleText.ts';

// Fast paths: most cells are plain ASCII, and a report of 100,000 runs has a million cells.
const printableAscii = /^[\t\n\r\u0020-\u007e]*$/;
const htmlSafe = /^[\t\n\r !#$%()*+,\-./0-9:;?@A-Z[\\\]^_a-z{|}~]*$/;
const escapeInvisibleText = (text: string): string =>
  printableAscii.test(text) ? text : escapeInvisible(text);

/**
 * Untrusted text in HTML: control and invisible characters are shown by name, markup as text. Safe
 * between tags and in quoted attributes.
 */
export function escapeHtml(text: string): string {
  return htmlSafe.test(text)
    ? text
    : escapeInvisibleText(text).replace(
        /[&<>"'`=]/g,
        (character) => `&#${character.charCodeAt(0)};`,
      );
}

/**
 * Cuts a text and says how many characters are missing, so that one endless word can't make a page
 * useless. Never splits a surrogate pair.
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
 * Untrusted text in Markdown: a code span, in which no link, image, mention or markup is
 * interpreted. Line breaks and bars are replaced, because they would end a table row or a cell.
 */
export function codeSpan(text: string): string {
  const line = escapeInvisibleText(text.replaceAll('\t', ' ').replace(/\r\n|[\r\n]/g, '↵')).replace(
    /(\\*)\|/g,
    (_found, slashes: string) => `${slashes}${slashes === '' ? '' : ' '}\\|`,
  );
  if (line.trim() === '') return '–';
  const maxBackticks = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(maxBackticks + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

// Characters that XML 1.0 can't express, not even as references; lone surrogates are among them.
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * Untrusted text in XML, between tags and in quoted attributes. Invisible characters are written as
 * references, and characters that XML can't hold are removed.
 */
export function escapeXml(text: string): string {
  const escaped = text
    .replace(notInXml, '')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
  return printableAscii.test(escaped)
    ? escaped
    : replaceInvisible(escaped, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

/**
 * A CSV cell with untrusted text (RFC 4180): control and invisible characters are shown by name, and
 * text that a spreadsheet would run as a formula gets a leading apostrophe.
 */
export function csvText(untrusted: string): string {
  const text = escapeInvisibleText(untrusted);
  return csvValue(/^[\s\u0000]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text);
}

/** A CSV cell with a value made by this program: a number or a word of a fixed list. */
export function csvValue(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
