export const hex = (code: number, digits: number): string =>
  code.toString(16).padStart(digits, '0');
const each = (text: string, write: (code: number) => string): string =>
  Array.from(text, (letter) => write(letter.charCodeAt(0))).join('');

/**
 * Ways in which providers, servers and logs write what they were given. For tests of everything that
 * must recognize a secret.
 */
export const encodings: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'in upper case': (text) => text.toUpperCase(),
  'as JSON \\u escapes': (text) => each(text, (code) => `\\u${hex(code, 4)}`),
  'as JSON \\u escapes in capitals': (text) =>
    each(text, (code) => `\\u${hex(code, 4).toUpperCase()}`),
  'as \\x escapes': (text) => each(text, (code) => `\\x${hex(code, 2)}`),
  'as \\u{} escapes': (text) => each(text, (code) => `\\u{${hex(code, 1)}}`),
  'in a JSON string': (text) => JSON.stringify(text).slice(1, -1),
  'in JSON in a JSON string': (text) => JSON.stringify(JSON.stringify({ key: text })).slice(1, -1),
  'with every second character escaped': (text) =>
    Array.from(text, (letter, at) =>
      at % 2 === 0 ? letter : `\\u${hex(letter.charCodeAt(0), 4)}`,
    ).join(''),
  'percent-encoded': (text) => encodeURIComponent(text),
  'percent-encoded whole': (text) => each(text, (code) => `%${hex(code, 2)}`),
  'percent-encoded twice': (text) => encodeURIComponent(each(text, (code) => `%${hex(code, 2)}`)),
  'as HTML numbers': (text) => each(text, (code) => `&#${code};`),
  'as hexadecimal HTML numbers': (text) => each(text, (code) => `&#x${hex(code, 2)};`),
  'with HTML names': (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  'in Base64': (text) => Buffer.from(text).toString('base64'),
  'in Base64 after one byte': (text) => Buffer.from(`:${text}`).toString('base64'),
  'in Base64 after two bytes': (text) => Buffer.from(`u:${text}`).toString('base64'),
  'in URL-safe Base64': (text) => Buffer.from(`x${text}y`).toString('base64url'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'as a host name': (text) => `https://${text.toLowerCase()}.example.test/v1`,
};
