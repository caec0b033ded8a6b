/**
 * The text with a full stop when it has no end, so that another sentence can follow. Messages of
 * parsers and of the system often have none. An empty text stays empty.
 */
export function asSentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === '' || /[.!?…:;。！？]["'”’»)\]]*$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}
