import { isSecretByName } from '../../../../src-shared/domain/credentialNames.ts';
import { knownShapes, type Span } from '../secrets/credentialShapes.ts';
import { findSecrets, mask, withoutOverlaps } from '../secrets/findSecrets.ts';

/**
 * A longer text is searched for known forms, and for members of JSON with telling names. Looking
 * into it as into a configuration takes up to 50 ms for one of this length that a server made for it.
 */
const maxSearched = 4 * 1024;
/** Members of the protocol whose values only look like credentials. */
const protocolNames = new Set(['progressToken', 'nextCursor', 'cursor', 'requestId', 'taskId']);

/** The text of a message without what a configuration would keep in the vault. */
export function hideSecrets(text: string): string {
  const found =
    text.length <= maxSearched
      ? findSecrets('message', text)
      : withoutOverlaps([
          ...knownShapes(text).map((span) => ({ ...span, name: 'message' })),
          ...namedMembers(text),
        ]);
  return replace(
    text,
    found.filter(({ name }) => !protocolNames.has(name)),
  );
}

/** The texts of tools are shown as their server publishes them; only what has a known form is hidden. */
export const hideKnownForms = (text: string): string => replace(text, knownShapes(text));

/** Lines of `name: value`. */
export const maskedHeaders = (
  headers: readonly (readonly [name: string, value: string])[],
): string[] =>
  headers.map(([name, value]) => `${name}: ${replace(value, findSecrets(name, value))}`);

function namedMembers(text: string) {
  const member = /"((?:[^"\\]|\\.){1,100})"\s*:\s*("((?:[^"\\]|\\.)*)"|-?\d[\d.eE+-]*)/g;
  return [...text.matchAll(member)].flatMap(
    ({ index, 0: all, 1: name = '', 2: value = '', 3: inner }) => {
      if (!isSecretByName(name, inner ?? value)) return [];
      const end = index + all.length - (inner === undefined ? 0 : 1);
      return [{ name, start: end - (inner ?? value).length, end }];
    },
  );
}

function replace(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    const before = text.slice(at, start);
    // A number that is hidden becomes a text, so that JSON stays JSON.
    const isNumber = /^-?\d[\d.eE+-]*$/.test(text.slice(start, end)) && /[:,[]\s*$/.test(before);
    const isMember = isNumber && /^\s*[,}\]]/.test(text.slice(end, end + 20));
    parts.push(before, isMember && !isInString(text, start) ? `"${mask}"` : mask);
    at = end;
  }
  return parts.join('') + text.slice(at);
}

function isInString(text: string, at: number): boolean {
  let inside = false;
  for (let index = 0; index < at; index += 1)
    if (inside && text[index] === '\\') index += 1;
    else if (text[index] === '"') inside = !inside;
  return inside;
}
