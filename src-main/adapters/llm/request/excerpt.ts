/** The beginning of a text, which may be an HTML page, on one line. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line === '' ? 'nothing' : line;
}
