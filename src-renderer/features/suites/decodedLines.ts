const maxLines = 5;
/** Characters that are shown of a line. */
const maxLength = 160;

/**
 * The first lines of a text that an encoding can change: those with a character outside ASCII, or
 * the first lines if there is none. A long line is cut to the surroundings of that character.
 */
export function decodedLines(text: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  const first: { line: number; text: string }[] = [];
  let line = 0;
  for (let start = 0; start <= text.length && found.length < maxLines;) {
    const end = text.indexOf('\n', start);
    const own = text.slice(start, end < 0 ? text.length : end);
    line += 1;
    const at = own.search(/[^\x00-\x7f]/);
    const from = Math.max(0, at - maxLength / 2);
    const shown = `${from > 0 ? '…' : ''}${own.slice(from, from + maxLength).trimEnd()}`;
    if (at >= 0) found.push({ line, text: shown });
    else if (first.length < maxLines && shown !== '') first.push({ line, text: shown });
    if (end < 0) break;
    start = end + 1;
  }
  return found.length > 0 ? found : first;
}
