import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { MaskedValue } from '../../../../src-shared/contract/suites.ts';
import { findSecrets, withoutOverlaps } from '../../servers/secrets/findSecrets.ts';

type Kind = MaskedValue['kind'];

interface Pattern {
  kind: Kind;
  pattern: RegExp;
  /** Whether what the pattern found is one: the check digits. */
  is?: (text: string) => boolean;
  /** The same value in another notation has the same stand-in. */
  key?: (text: string) => string;
  /** What stands in its place: of its form, so that a schema accepts it, and nobody's. */
  standIn: (number: number) => string;
}

const digits = (text: string): string => text.replaceAll(/\D/g, '');
const compact = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();

/** Luhn’s formula: ISO/IEC 7812-1, annex B. */
function isCard(text: string): boolean {
  const all = Array.from(digits(text), Number).reverse();
  if (all.length < 13 || all.length > 19 || new Set(all).size === 1) return false;
  const sum = all.reduce((total, digit, at) => {
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** Remainder 1 modulo 97 of the digits, letters as 10 to 35: ISO 13616-1. */
function isIban(text: string): boolean {
  const plain = compact(text);
  if (plain.length < 15 || plain.length > 34) return false;
  let rest = 0;
  for (const sign of plain.slice(4) + plain.slice(0, 4))
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

const padded = (number: number, length: number): string => String(number).padStart(length, '0');

const networks = ['192.0.2', '198.51.100', '203.0.113'];

/**
 * Personal data that its form gives away. Stand-ins are from ranges that belong to nobody:
 * RFC 2606 (mail), RFC 5737 and RFC 3849 (addresses), 555-0100 to 555-0199 (telephones).
 */
const patterns: readonly Pattern[] = [
  {
    kind: 'mail address',
    // What stands before @ has 64 signs at most (RFC 5321): a long text is searched in linear time.
    pattern: /[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu,
    is: (text) => !/@(?:[\w-]+\.)*example\.(?:com|org|net)$/i.test(text),
    key: (text) => text.toLowerCase(),
    standIn: (number) => `person${number}@example.com`,
  },
  {
    kind: 'IBAN',
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?\b/gi,
    is: isIban,
    key: compact,
    standIn: (number) => `XX00TEST${padded(number, 10)}`,
  },
  {
    kind: 'card number',
    pattern: /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])/g,
    is: isCard,
    key: digits,
    standIn: (number) => `4000000000${padded(number, 6)}`,
  },
  {
    kind: 'social security number',
    pattern: /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g,
    standIn: (number) => `000-00-${padded(number, 4)}`,
  },
  {
    kind: 'IP address',
    pattern: /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]\d|\w)/g,
    is: (text) =>
      text.split('.').every((part) => Number(part) <= 255) &&
      !/^(?:127\.|0\.0\.0\.0$)/.test(text) &&
      !networks.some((network) => text.startsWith(`${network}.`)),
    standIn: (number) =>
      `${networks[Math.floor((number - 1) / 254) % 3] ?? ''}.${((number - 1) % 254) + 1}`,
  },
  {
    kind: 'IP address',
    pattern: /(?<![\w:.])(?:[\da-f]{1,4}:){2,7}(?::?[\da-f]{1,4}){1,6}(?![\w:])/gi,
    is: (text) =>
      (text.includes('::') || text.split(':').length === 8) && !/^2001:db8:/i.test(text),
    key: (text) => text.toLowerCase(),
    standIn: (number) => `2001:db8::${number.toString(16)}`,
  },
  {
    kind: 'telephone number',
    pattern:
      /(?<![\w+.-])(?:\+\d{1,3}[ ./-]?(?:\(\d{1,5}\)[ ./-]?)?\d(?:[ ./-]?\d){5,12}|\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}[ .-]\d{3}[ .-]\d{4}|0\d{2,4}[ /-]\d{3,4}[ -]?\d{3,5})(?![\w-])/g,
    key: digits,
    standIn: (number) =>
      `+1 ${202 + Math.floor((number - 1) / 100)} 555 01${padded((number - 1) % 100, 2)}`,
  },
];

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** A password that a person says: `my password is hunter2`. */
const saidPassword =
  /\b(?:password|passphrase|passcode|passwort|kennwort|pin)\s*(?:is|ist|=|:)\s*["'“]?([^\s"'”,;]{4,})/giu;

interface Span {
  start: number;
  end: number;
  kind: Kind;
  pattern: Pattern | null;
}

const key: Pick<Pattern, 'standIn'> = { standIn: (number) => `masked-key-${number}` };

/** Replaces secrets and personal data, the same value always by the same stand-in. */
export class Masker {
  readonly #known = new Map<string, string>();
  readonly #numbers = new Map<string, number>();
  readonly #masked = new Map<string, MaskedValue>();

  /** What was masked: each value in part, so that it can be told and not used. */
  get masked(): MaskedValue[] {
    return [...this.#masked.values()];
  }

  /** @param name of the argument that holds the text; empty for a text of its own */
  text(text: string, name = ''): string {
    let masked = '';
    let at = 0;
    for (const { start, end, kind, pattern } of this.#find(text, name)) {
      masked += text.slice(at, start) + this.#standIn(text.slice(start, end), kind, pattern);
      at = end;
    }
    return masked + text.slice(at);
  }

  object(value: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, this.#value(each, name)]),
    );
  }

  #value(value: JsonValue, name: string): JsonValue {
    if (typeof value === 'string') return this.text(value, name);
    if (Array.isArray(value)) return value.map((each) => this.#value(each, name));
    if (isJsonObject(value)) return this.object(value);
    if (typeof value !== 'number' && typeof value !== 'bigint') return value;
    const written = String(value);
    const masked = /^\d{13,19}$/.test(written) ? this.text(written, name) : written;
    return masked === written ? value : Number(digits(masked));
  }

  #find(text: string, name: string): Span[] {
    const personal = patterns.flatMap((each) =>
      [...text.matchAll(each.pattern)]
        .filter(({ 0: found }) => each.is?.(found) ?? true)
        .map(({ index, 0: found }): Span => ({
          start: index,
          end: index + found.length,
          kind: each.kind,
          pattern: each,
        })),
    );
    const spans: Span[] = [];
    for (const span of personal)
      if (!spans.some(({ start, end }) => span.start < end && start < span.end)) spans.push(span);
    const secrets = withoutOverlaps([
      ...findSecrets(name, text),
      ...[...text.matchAll(saidPassword)].map(({ index, 0: all, 1: word = '' }) => ({
        start: index + all.length - word.length,
        end: index + all.length,
        name: 'password',
      })),
    ]);
    for (const { start, end } of secrets) {
      const isPersonal = spans.some((span) => start < span.end && span.start < end);
      if (!isPersonal && !uuid.test(text.slice(start, end)))
        spans.push({ start, end, kind: 'key or password', pattern: null });
    }
    return spans.sort((a, b) => a.start - b.start);
  }

  #standIn(found: string, kind: Kind, pattern: Pattern | null): string {
    const same = `${kind}\0${pattern?.key?.(found) ?? found}`;
    let standIn = this.#known.get(same);
    if (standIn === undefined) {
      const number = (this.#numbers.get(kind) ?? 0) + 1;
      this.#numbers.set(kind, number);
      standIn = (pattern ?? key).standIn(number);
      this.#known.set(same, standIn);
    }
    const entry = this.#masked.get(same);
    if (entry === undefined)
      this.#masked.set(same, { kind, value: hint(found), standIn, times: 1 });
    else entry.times += 1;
    return standIn;
  }
}

/** The first and last two characters of a value: who knows it recognizes it. */
const hint = (value: string): string =>
  value.length < 8 ? '••••' : `${value.slice(0, 2)}••••${value.slice(-2)}`;
