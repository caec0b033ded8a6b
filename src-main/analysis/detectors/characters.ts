/**
 * Whether a text consists of printable ASCII: then no character can hide or resemble anything. A
 * pattern, because it reads several times as fast as a loop.
 */
export const isPlain = (text: string): boolean => !/[^\t\n\r -~]/.test(text);

/** Letters of the alphabets that resemble Latin: Greek, Cyrillic, Armenian, Cherokee. */
export const isCyrillicOrKin = (code: number): boolean =>
  (code >= 0x370 && code <= 0x58f) || (code >= 0x13a0 && code <= 0x13ff);

/** Whether a text has any of these letters. */
export const hasCyrillicOrKin = (text: string): boolean =>
  /[\u0370-\u058f\u13a0-\u13ff]/.test(text);

/**
 * Characters with no width and no meaning of their own: text can be hidden in them or broken up by
 * them.
 */
export function isInvisible(code: number): boolean {
  return (
    code === 0xad ||
    code === 0x34f ||
    code === 0x61c ||
    code === 0x115f ||
    code === 0x1160 ||
    code === 0x17b4 ||
    code === 0x17b5 ||
    code === 0x180e ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0x3164 ||
    code === 0xfeff ||
    code === 0xffa0 ||
    (code >= 0xfff9 && code <= 0xfffb) ||
    (code >= 0xe0000 && code <= 0xe007f)
  );
}

export const isVariationSelector = (code: number): boolean =>
  (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
export const isTag = (code: number): boolean => code >= 0xe0000 && code <= 0xe007f;
/** Characters without a meaning of their own, which a font or a reader may give one. */
export const isPrivateUse = (code: number): boolean =>
  (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000;
export const isBidiControl = (code: number): boolean =>
  (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
export const isDirectionMark = (code: number): boolean =>
  code === 0x200e || code === 0x200f || code === 0x61c;

/** Letters of Hebrew, Arabic, Syriac, Thaana, N'Ko, and their presentation forms. */
export const isRightToLeft = (code: number): boolean =>
  (code >= 0x590 && code <= 0x8ff) ||
  (code >= 0xfb1d && code <= 0xfdff) ||
  (code >= 0xfe70 && code <= 0xfefe);

/** Scripts with joined letters, where zero-width joiners are part of the spelling. */
export const isJoiningScript = (code: number): boolean =>
  (code >= 0x600 && code <= 0x8ff) ||
  (code >= 0x900 && code <= 0xdff) ||
  (code >= 0xf00 && code <= 0x109f) ||
  (code >= 0x1780 && code <= 0x18af) ||
  (code >= 0xfb50 && code <= 0xfdff) ||
  (code >= 0xfe70 && code <= 0xfefe);

/** Pictographs and symbols that a joiner or a variation selector may follow. */
export function isPicture(code: number): boolean {
  return (
    (code >= 0x1f000 && code <= 0x1faff) ||
    (code >= 0x2190 && code <= 0x2bff) ||
    (code >= 0x2600 && code <= 0x27bf) ||
    code === 0x203c ||
    code === 0x2049 ||
    code === 0x2122 ||
    code === 0x2139 ||
    code === 0xa9 ||
    code === 0xae ||
    code === 0x3030 ||
    code === 0x303d ||
    code === 0x3297 ||
    code === 0x3299 ||
    code === 0x23 ||
    code === 0x2a ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x20e3
  );
}

const lookalikes = new Map<number, string>();
for (const [plain, letters] of Object.entries({
  a: 'аɑ',
  b: 'Ьь',
  c: 'сϲ',
  d: 'ԁ',
  e: 'еҽ',
  g: 'ɡ',
  h: 'һ',
  i: 'іιı',
  j: 'ј',
  k: 'к',
  l: 'ӏ',
  m: 'м',
  n: 'ոп',
  o: 'оοօ',
  p: 'рρ',
  q: 'ԛ',
  r: 'г',
  s: 'ѕ',
  t: 'т',
  u: 'υս',
  v: 'ν',
  w: 'ԝѡ',
  x: 'х',
  y: 'уγ',
  z: 'ᴢ',
  A: 'АΑ',
  B: 'ВΒ',
  C: 'СϹ',
  E: 'ЕΕ',
  H: 'НΗ',
  I: 'ІΙ',
  J: 'Ј',
  K: 'КΚ',
  M: 'МΜ',
  N: 'Ν',
  O: 'ОΟ',
  P: 'РΡ',
  S: 'Ѕ',
  T: 'ТΤ',
  X: 'ХΧ',
  Y: 'УΥ',
  Z: 'Ζ',
})) {
  for (const letter of letters) lookalikes.set(letter.charCodeAt(0), plain);
}

/** The Latin letter that a letter of another alphabet resembles, or null. */
export const latinLookalike = (code: number): string | null => lookalikes.get(code) ?? null;

/** How an invisible character is written on screen. */
export const nameOf = (code: number): string =>
  `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

export const isIdeographicOrKana = (code: number): boolean =>
  (code >= 0x3040 && code <= 0x30ff) ||
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xd7af) ||
  (code >= 0x20000 && code <= 0x3ffff);
