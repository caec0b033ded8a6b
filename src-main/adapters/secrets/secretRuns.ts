import { orElse } from '../../../src-shared/domain/orElse.ts';
import { commonlyEscaped, fold, foldText, type Codes } from './escapes.ts';

/** Shorter values are not guarded: replacing them would tear ordinary text apart. */
const minSecret = 8;
/** So many characters of a secret in a row may be read; one more is a leak. */
const maxPublic = 8;
/** Length of the pieces that are looked up while a text is scanned. */
const gram = 5;
/** Places of one piece in all secrets that are tried; more only occur in repetitive secrets. */
const maxPlaces = 16;
/** An escape writes one character with up to this many, at each of two levels. */
const longestEscape = 12;

/** One way to write a secret, folded. */
interface Needle {
  codes: Uint16Array;
  /** A run of this length is a leak. */
  minRun: number;
  /** False where the secret is written in Base64 or hexadecimal. */
  readable: boolean;
}

/** Whether a run, folded and without the punctuation around it, is a word that everybody knows. */
export type IsPublic = (run: string) => boolean;

export interface SecretIndex {
  /** Where characters of a secret stand in a row, more than may be read. May overlap. */
  runsIn(text: Codes): [from: number, to: number][];
  /** False if a text without escapes certainly holds no run. Allocates nothing. */
  mayHold(text: string): boolean;
  /** Characters that a secret can take in a text, escapes included. */
  longestWritten: number;
  /** Whether a secret holds characters that JSON commonly escapes. */
  hasEscapable: boolean;
}

/** Indexes every way to write the secrets; null if there is nothing to guard. */
export function indexSecrets(
  secrets: readonly string[],
  isPublic: IsPublic = () => false,
): SecretIndex | null {
  const guarded = secrets.filter((secret) => secret.length >= minSecret);
  const needles = guarded.flatMap(needlesOf);
  if (needles.length === 0) return null;
  const places = indexGrams(needles);
  const seen = new Uint8Array(1 << 16);
  for (const key of places.keys()) seen[key & 0xffff] = 1;
  // Every run that is a leak holds a whole piece that begins at a multiple of this.
  const stride = Math.min(...needles.map(({ minRun }) => minRun)) - gram + 1;
  const isLeak = ({ codes }: Codes, [from, to]: [number, number], needle: Needle): boolean =>
    to - from >= needle.minRun &&
    !(needle.readable && isPublic(withoutPunctuation(codes.subarray(from, to))));
  return {
    longestWritten: Math.max(...needles.map(({ codes }) => codes.length)) * longestEscape,
    hasEscapable: guarded.some((secret) => commonlyEscaped.test(secret)),
    mayHold(text) {
      for (let at = 0; at + gram <= text.length; at += stride)
        if (seen[keyOfText(text, at) & 0xffff] === 1) return true;
      return false;
    },
    runsIn(text) {
      const { codes, length } = text;
      const runs: [number, number][] = [];
      for (let at = 0; at + gram <= length; at += stride) {
        const key = keyAt(codes, at);
        if (seen[key & 0xffff] === 0) continue;
        for (const { needle, place } of places.get(key) ?? []) {
          const run = runAround(codes, length, at, needle.codes, place);
          if (run !== null && isLeak(text, run, needle)) runs.push(run);
        }
      }
      return runs;
    },
  };
}

/** Every part of a secret itself, its Base64 at each of three alignments, and its hexadecimal. */
function needlesOf(secret: string): Needle[] {
  return partsOfSecret(secret)
    .filter(({ text }) => text.length >= minSecret)
    .flatMap(({ text, whole }) => writingsOf(text, whole ? text.length : maxPublic + 1));
}

function writingsOf(secret: string, leak: number): Needle[] {
  const bytes = Buffer.from(secret);
  const inUtf8 = bytes.toString('latin1');
  const written = [
    { text: secret, minRun: leak, readable: true },
    // As percent signs write it where it has characters beyond ASCII.
    ...(inUtf8 === secret ? [] : [{ text: inUtf8, minRun: leak, readable: true }]),
    // The Base64 characters that so many bytes decide alone, at the worst alignment.
    ...[0, 1, 2].map((offset) => ({
      text: inBase64(secret, offset),
      minRun: Math.floor((leak * 8) / 6) - 1,
      readable: false,
    })),
    { text: bytes.toString('hex'), minRun: leak * 2 - 1, readable: false },
  ];
  return written.map(({ text, minRun, readable }) => {
    const { codes } = foldText(text);
    return { codes, minRun: Math.min(minRun, codes.length), readable };
  });
}

/** The Base64 characters that depend on the secret alone, `offset` bytes after a border of three. */
function inBase64(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  return bytes
    .toString('base64')
    .slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

const withoutPunctuation = (codes: Uint16Array): string =>
  String.fromCharCode(...codes).replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '');

type Places = Map<number, { needle: Needle; place: number }[]>;

function indexGrams(needles: readonly Needle[]): Places {
  const places: Places = new Map();
  for (const needle of needles) {
    for (let place = 0; place + gram <= needle.codes.length; place += 1) {
      const key = keyAt(needle.codes, place);
      const list = places.get(key) ?? [];
      if (list.length < maxPlaces) list.push({ needle, place });
      places.set(key, list);
    }
  }
  return places;
}

const addToKey = (key: number, code: number): number => (Math.imul(key, 0x01000193) ^ code) >>> 0;

function keyAt(codes: Uint16Array, at: number): number {
  let key = 0;
  for (let place = at; place < at + gram; place += 1) key = addToKey(key, codes[place] ?? 0);
  return key;
}

function keyOfText(text: string, at: number): number {
  let key = 0;
  for (let place = at; place < at + gram; place += 1)
    key = addToKey(key, fold(text.charCodeAt(place)));
  return key;
}

/** The longest common run around equal pieces; null if the pieces only share their key. */
function runAround(
  text: Uint16Array,
  length: number,
  at: number,
  needle: Uint16Array,
  place: number,
): [number, number] | null {
  for (let step = 0; step < gram; step += 1)
    if (text[at + step] !== needle[place + step]) return null;
  let [from, to] = [at, at + gram];
  for (let back = place - 1; back >= 0 && from > 0 && text[from - 1] === needle[back]; back -= 1)
    from -= 1;
  for (
    let ahead = place + gram;
    ahead < needle.length && to < length && text[to] === needle[ahead];
    ahead += 1
  )
    to += 1;
  return [from, to];
}

/** A part of a secret that must not be read. */
interface SecretPart {
  text: string;
  /** True if only the whole text is secret, and pieces of it are not. */
  whole: boolean;
}

/**
 * What of a secret is secret. In an address, such as that of a database, scheme and host are not,
 * and in a JSON document, such as the state of a sign-in, only the values that are named as secrets
 * are: the rest stands in many other texts, which would be torn apart.
 */
function partsOfSecret(secret: string): SecretPart[] {
  const named = secret.startsWith('{') ? secretsInJson(secret) : null;
  if (named !== null)
    return [{ text: secret, whole: true }, ...named.map((text) => ({ text, whole: false }))];
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(secret) ? URL.parse(secret) : null;
  if (address === null) return [{ text: secret, whole: false }];
  const { username, password, pathname, searchParams, hash } = address;
  const parts = [
    password,
    ...[username, ...pathname.split('/'), ...searchParams.values(), hash.slice(1)].filter(isRandom),
  ];
  return [
    { text: secret, whole: true },
    ...[...new Set(parts.flatMap((part) => [part, decoded(part)]))].map((text) => ({
      text,
      whole: false,
    })),
  ];
}

/** Names of users and databases are words; keys that stand in an address hold digits or are long. */
const isRandom = (part: string): boolean => /\d/.test(part) || part.length >= 20;

function decoded(part: string): string {
  return orElse(() => decodeURIComponent(part), part);
}

const secretName = /token|secret|verifier|passw|key|credential|assertion/i;

/** The values with the name of a secret in a JSON document; null if it is none. */
function secretsInJson(text: string): string[] | null {
  const found: string[] = [];
  try {
    JSON.parse(text, (name: string, value: unknown) => {
      if (typeof value === 'string' && secretName.test(name) && isRandom(value)) {
        if (!URL.canParse(value)) found.push(value);
      }
      return value;
    });
  } catch {
    return null;
  }
  return found;
}
