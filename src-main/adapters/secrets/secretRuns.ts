import { foldText, type Codes } from './escapes.ts';

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
}

export interface SecretIndex {
  /** Where characters of a secret stand in a row, more than may be read. May overlap. */
  runsIn(text: Codes): [from: number, to: number][];
  /** Characters that a secret can take in a text, escapes included. */
  longestWritten: number;
}

/** Indexes every way to write the secrets; null if there is nothing to guard. */
export function indexSecrets(secrets: readonly string[]): SecretIndex | null {
  const needles = secrets.filter((secret) => secret.length >= minSecret).flatMap(needlesOf);
  if (needles.length === 0) return null;
  const places = indexGrams(needles);
  const seen = new Uint8Array(1 << 16);
  for (const key of places.keys()) seen[key & 0xffff] = 1;
  // Every run that is a leak holds a whole piece that begins at a multiple of this.
  const stride = Math.min(...needles.map(({ minRun }) => minRun)) - gram + 1;
  return {
    longestWritten: Math.max(...needles.map(({ codes }) => codes.length)) * longestEscape,
    runsIn({ codes, length }) {
      const runs: [number, number][] = [];
      for (let at = 0; at + gram <= length; at += stride) {
        const key = keyAt(codes, at);
        if (seen[key & 0xffff] === 0) continue;
        for (const { needle, place } of places.get(key) ?? []) {
          const run = runAround(codes, length, at, needle.codes, place);
          if (run !== null && run[1] - run[0] >= needle.minRun) runs.push(run);
        }
      }
      return runs;
    },
  };
}

/** The secret itself, its Base64 at each of three alignments, and its hexadecimal digits. */
function needlesOf(secret: string): Needle[] {
  const leak = maxPublic + 1;
  const bytes = Buffer.from(secret);
  const inUtf8 = bytes.toString('latin1');
  const written = [
    { text: secret, minRun: leak },
    // As percent signs write it where it has characters beyond ASCII.
    ...(inUtf8 === secret ? [] : [{ text: inUtf8, minRun: leak }]),
    // The Base64 characters that nine bytes decide alone, at the worst alignment.
    ...[0, 1, 2].map((offset) => ({
      text: inBase64(secret, offset),
      minRun: Math.floor((leak * 8) / 6) - 1,
    })),
    { text: bytes.toString('hex'), minRun: leak * 2 - 1 },
  ];
  return written.map(({ text, minRun }) => {
    const { codes } = foldText(text);
    return { codes, minRun: Math.min(minRun, codes.length) };
  });
}

/** The Base64 characters that depend on the secret alone, `offset` bytes after a border of three. */
function inBase64(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  return bytes
    .toString('base64')
    .slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

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

function keyAt(codes: Uint16Array, at: number): number {
  let key = 0;
  for (let place = at; place < at + gram; place += 1)
    key = (Math.imul(key, 0x01000193) ^ (codes[place] ?? 0)) >>> 0;
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
