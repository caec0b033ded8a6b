import { orElse } from '../domain/orElse.ts';
import { recognizeBytes } from './fileKinds.ts';

/** The part of the platform's decoder that is used; Node and browsers have the same one. */
declare const TextDecoder: new (
  label: string,
  options?: { fatal?: boolean; ignoreBOM?: boolean },
) => {
  readonly encoding: string;
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
};

/** Why bytes aren't text, at the character that can't be read. Both are counted from 1. */
export interface EncodingProblem {
  line: number;
  column: number;
  cause: string;
  /** The encoding that the bytes probably have; null for a file that is no text in any. */
  suggestion: string | null;
  remedy: string;
}

export type DecodedText =
  { text: string; encoding: string; problem: null } | { text: null; problem: EncodingProblem };

/** The most common encoding of files that aren't UTF-8: what Windows and Excel write. */
export const presetEncoding = 'windows-1252';

/** Encodings that a person can choose from; any other label of the WHATWG works as well. */
export const offeredEncodings = [
  presetEncoding,
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'iso-8859-2',
  'iso-8859-15',
  'koi8-r',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'big5',
  'utf-16le',
  'utf-16be',
] as const;

/** The name of an encoding by one of its WHATWG labels, as `latin1`; null if there is none. */
export function findEncoding(label: string): string | null {
  return orElse(() => new TextDecoder(label).encoding, null);
}

/**
 * The text of a file, without its byte order mark. A file is UTF-8, or what its byte order mark
 * says (UTF-8 or UTF-16). Nothing is replaced: bytes that aren't text are a problem with a place.
 * `encoding` is for files that are neither; a text that is valid UTF-8 stays that, so that one
 * name can serve a command that reads several files. Takes time linear in the number of bytes,
 * except for a fault in another encoding than UTF-8 (n · log n). A file of another kind, such as a
 * workbook, is refused by its name, whatever the encoding.
 */
export function decodeText(bytes: Uint8Array, encoding: string | null = null): DecodedText {
  const foreign = recognizeBytes(bytes);
  if (foreign !== null)
    return refuse(
      { line: 1, column: 1 },
      `It’s ${foreign.kind}, which isn’t text.`,
      null,
      foreign.remedy,
    );
  const marked = markedEncoding(bytes);
  if (marked === 'utf-32')
    return refuse({ line: 1, column: 1 }, 'It’s UTF-32, which isn’t read.', null);
  if (marked !== null) return decodeAs(bytes, marked);
  const unmarked = unmarkedUtf16(bytes);
  if (encoding === null) {
    if (unmarked !== null)
      return refuse(
        { line: 1, column: 1 },
        `It looks like ${unmarked.toUpperCase()} without a byte order mark.`,
        unmarked,
      );
    return decodeAs(bytes, 'utf-8');
  }
  const isPlain = unmarked === null && !bytes.includes(escape);
  if (isPlain && findFaultInUtf8(bytes) === null) return decodeAs(bytes, 'utf-8');
  return decodeAs(bytes, encoding);
}

/** Starts the shifts of ISO-2022-JP, whose bytes are all valid UTF-8. */
const escape = 0x1b;
const startsWith = (bytes: Uint8Array, ...mark: number[]): boolean =>
  mark.every((byte, at) => bytes[at] === byte);

function markedEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32' | null {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8';
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) || startsWith(bytes, 0, 0, 0xfe, 0xff)) return 'utf-32';
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  return startsWith(bytes, 0xfe, 0xff) ? 'utf-16be' : null;
}

const examinedBytes = 4096;

/** In UTF-16, each ASCII character has a zero byte at the same side. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const length = Math.min(bytes.length, examinedBytes) & ~1;
  const zeros = [0, 0];
  for (let at = 0; at < length; at += 1)
    if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = length / 2 / 4;
  if (length < 4) return null;
  if (odd > many && even * 20 <= odd) return 'utf-16le';
  return even > many && odd * 20 <= even ? 'utf-16be' : null;
}

function decodeAs(bytes: Uint8Array, label: string): DecodedText {
  const decoder = new TextDecoder(label, { fatal: true });
  try {
    return { text: decoder.decode(bytes), encoding: decoder.encoding, problem: null };
  } catch {
    const isUtf8 = decoder.encoding === 'utf-8';
    const at = (isUtf8 ? findFaultInUtf8(bytes) : findFault(bytes, label)) ?? bytes.length;
    const before = new TextDecoder(label).decode(bytes.subarray(0, at), { stream: true });
    const byte = bytes[at];
    return refuse(
      placeAfter(before),
      `It isn’t ${decoder.encoding.toUpperCase()}: ` +
        (byte === undefined
          ? 'it ends within a character.'
          : `byte ${at + 1} (0x${byte.toString(16).toUpperCase().padStart(2, '0')}) ` +
            'starts no character.'),
      presetEncoding,
    );
  }
}

const refuse = (
  { line, column }: { line: number; column: number },
  cause: string,
  suggestion: string | null,
  remedy = 'Save it as UTF-8.',
): DecodedText => ({ text: null, problem: { line, column, cause, suggestion, remedy } });

function placeAfter(text: string): { line: number; column: number } {
  let [line, start] = [1, 0];
  for (let at = 0; at < text.length; at += 1) {
    const isBreak = text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n');
    if (isBreak) [line, start] = [line + 1, at + 1];
  }
  return { line, column: text.length - start + 1 };
}

/** The index of the first byte that starts no character of UTF-8; null if there is none. */
function findFaultInUtf8(bytes: Uint8Array): number | null {
  for (let at = 0; at < bytes.length;) {
    const length = lengthInUtf8(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return null;
}

/** Bytes of the character that starts here (Unicode 16, table 3-7); 0 if none does. */
function lengthInUtf8(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const [min, max] =
    first === 0xe0
      ? [0xa0, 0xbf]
      : first === 0xed
        ? [0x80, 0x9f]
        : first === 0xf0
          ? [0x90, 0xbf]
          : first === 0xf4
            ? [0x80, 0x8f]
            : [0x80, 0xbf];
  for (let next = 1; next < length; next += 1) {
    const byte = bytes[at + next] ?? 0;
    if (next === 1 ? byte < min || byte > max : byte < 0x80 || byte > 0xbf) return 0;
  }
  return length;
}

/** The index before which everything can be read; null if only the end is missing. */
function findFault(bytes: Uint8Array, label: string): number | null {
  const isReadable = (length: number): boolean => {
    try {
      new TextDecoder(label, { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  if (isReadable(bytes.length)) return null;
  let [readable, faulty] = [0, bytes.length];
  while (faulty - readable > 1) {
    const middle = (readable + faulty) >> 1;
    if (isReadable(middle)) readable = middle;
    else faulty = middle;
  }
  return readable;
}
