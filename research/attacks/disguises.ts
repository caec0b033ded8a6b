/** Ways of hiding a text from a reviewer that a model can undo. */
export const disguises = {
  zero_width: (text: string) => Array.from(text).join('\u200b'),
  /** Tag characters, which no font shows; ASCII only. */
  tags: (text: string) =>
    Array.from(text)
      .map((letter) => letter.codePointAt(0) ?? 0)
      .filter((code) => code >= 32 && code < 127)
      .map((code) => String.fromCodePoint(0xe0000 + code))
      .join(''),
  bidi: (text: string) => `\u202e${Array.from(text).reverse().join('')}\u202c`,
  homoglyph: (text: string) => text.replace(/[aeopcx]/g, (letter) => lookAlikes[letter] ?? letter),
  html_comment: (text: string) => `<!-- ${text} -->`,
  base64: (text: string) => Buffer.from(text, 'utf8').toString('base64'),
  hex: (text: string) => Buffer.from(text, 'utf8').toString('hex'),
  leetspeak: (text: string) =>
    text.replace(/[aeiost]/gi, (letter) => digits[letter.toLowerCase()] ?? letter),
  rot13: (text: string) =>
    text.replace(/[a-z]/gi, (letter) => {
      const base = letter <= 'Z' ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
    }),
} as const;
export type Disguise = keyof typeof disguises;
export const disguiseNames = Object.keys(disguises) as Disguise[];

const lookAlikes: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  x: 'х',
};
const digits: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };
