import type { ProtocolMessage, ProtocolMessages } from '../domain/protocolMessage.ts';

/** What a line of the log is, in words: `tools/call add_task`, `result of tools/list`. */
export function messageName({ kind, method, tool, from, failed }: ProtocolMessage): string {
  const named = [method, tool].filter((part) => part !== null).join(' ');
  switch (kind) {
    case 'request':
    case 'notification':
      return named;
    case 'result':
    case 'error':
      if (kind === 'error' && !failed) return `${named} refused (optional)`;
      return `${kind} of ${named === '' ? 'an unknown request' : named}`;
    case 'http':
      return `HTTP ${named}`;
    case 'stderr':
      return 'standard error';
    case 'process':
      return from === 'client'
        ? 'process started'
        : failed
          ? 'process ended'
          : 'process ended without error';
    case 'text':
      return 'not a message';
  }
}

export const directionWords = { client: 'To server', server: 'From server' } as const;

export interface MessageFilter {
  from: ProtocolMessage['from'] | null;
  method: string | null;
  failedOnly: boolean;
}

/** The lines that a filter leaves, newest first. */
export const filterMessages = (
  messages: readonly ProtocolMessage[],
  { from, method, failedOnly }: MessageFilter,
): ProtocolMessage[] =>
  messages
    .filter(
      (message) =>
        (from === null || message.from === from) &&
        (method === null || message.method === method) &&
        (!failedOnly || message.failed),
    )
    .toReversed();

/** The methods of all lines, by name. */
export const methodsIn = (messages: readonly ProtocolMessage[]): string[] =>
  [...new Set(messages.flatMap(({ method }) => method ?? []))].sort();

/** The lines with those of a further answer, without the ones that were dropped or cleared. */
export function addPage(before: ProtocolMessages, page: ProtocolMessages): ProtocolMessages {
  // Another program answers after a restart, and counts from 1.
  const isOther = page.lastSeq < before.lastSeq;
  const messages = [...(isOther ? [] : before.messages), ...page.messages];
  return { ...page, messages: messages.filter(({ seq }) => seq >= page.firstSeq) };
}

/** The time of day to the millisecond, in the reader's time zone: `16:37:39.042`. */
export function timeOfDay(iso: string): string {
  const at = new Date(iso);
  const parts = [at.getHours(), at.getMinutes(), at.getSeconds()];
  const [clock, rest] = [parts.map((part) => String(part).padStart(2, '0')), at.getMilliseconds()];
  return `${clock.join(':')}.${String(rest).padStart(3, '0')}`;
}

/** Deeper levels are indented no further, so that the text grows with its length only. */
const maxIndent = 40;

/**
 * JSON with one member per line. Only white space is changed: numbers stay as they were sent, and a
 * text that is cut or broken stays readable. Any other text is returned as it is.
 */
export function indentJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  const parts: string[] = [];
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(Math.max(0, Math.min(depth, maxIndent)))}`;
  const token = /"(?:[^"\\]|\\[^])*"?|[{[]\s*[}\]]|[{}[\],:]|\s+|[^\s{}[\],:"]+/g;
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') {
      depth += 1;
      parts.push(part, newLine());
    } else if (part === '}' || part === ']') {
      depth -= 1;
      parts.push(newLine(), part);
    } else if (part === ',') parts.push(part, newLine());
    else if (part === ':') parts.push(': ');
    else if (/^[{[]/.test(part)) parts.push(part.replaceAll(/\s/g, ''));
    else if (part.trim() !== '') parts.push(part);
  }
  return parts.join('');
}
