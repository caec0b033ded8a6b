export interface MarkdownTable {
  header: string[];
  rows: { cells: string[]; line: number }[];
  /** The last heading before it; empty if there is none. */
  heading: string;
}

const rule = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/**
 * The pipe tables of a text (GitHub Flavored Markdown, https://github.github.com/gfm/#tables-extension-).
 * Tables in fenced code are left out.
 */
export function markdownTables(text: string): MarkdownTable[] {
  const lines = text.split(/\r\n|\r|\n/);
  const tables: MarkdownTable[] = [];
  let heading = '';
  let fence: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    heading = /^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$/.exec(line)?.[1] ?? heading;
    const below = lines[at + 1] ?? '';
    if (!line.includes('|') || !below.includes('-') || !rule.test(below)) continue;
    const header = cellsOf(line).map(plainCell);
    if (cellsOf(below).length !== header.length) continue;
    const rows: MarkdownTable['rows'] = [];
    let next = at + 2;
    for (; next < lines.length && (lines[next] ?? '').includes('|'); next += 1) {
      const cells = cellsOf(lines[next] ?? '').map(plainCell);
      rows.push({ cells, line: next + 1 });
    }
    tables.push({ header, rows, heading });
    at = next - 1;
  }
  return tables;
}

/**
 * The entries of lists that name a tool behind an arrow: `- Is it there? → find_book`. Next to them,
 * those with other words there are entries too, so that none is left out without a word.
 */
export function markdownPairs(text: string): { cells: string[]; line: number }[] {
  const pairs = text.split(/\r\n|\r|\n/).flatMap((line, at) => {
    const [, prompt, tool] =
      /^\s*(?:[-*+]|\d+[.)])\s+(.+?)\s*(?:→|⟶|⇒|->|=>)\s*(\S.*?)\s*$/.exec(line) ?? [];
    return prompt === undefined || tool === undefined
      ? []
      : [{ cells: [plainCell(prompt), plainCell(tool)], line: at + 1 }];
  });
  return pairs.some(({ cells: [, tool] }) => /^\S+$/.test(tool ?? '')) ? pairs : [];
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

const quoted = /"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|`[^`]+`/g;

/** The requests in a cell: several in quotes, or a line each where the column has a name for several. */
export function requestsIn(cell: string, column: string): string[] {
  const found = cell.match(quoted) ?? [];
  const between = cell.replaceAll(quoted, '');
  if (found.length > 1 && /^[\s,;/|•*-]*$/.test(between.replaceAll(/\bor\b/g, '')))
    return found.map(plainCell);
  if (!/(?:s|queries)$/i.test(column)) return [cell];
  const lines = cell.split('\n').map((line) => plainCell(line.replace(/^\s*[-*•]\s+/, '')));
  const texts = lines.filter((line) => line !== '');
  return texts.length > 1 ? texts : [cell];
}

/** The text of a heading without a number, a word for what it is, or marks: `### 1. Tool: \`find\``. */
export const headingText = (heading: string, words: string): string =>
  plainCell(
    heading
      .replace(/^\s*#?\d+[.):]?\s+/, '')
      .replace(new RegExp(`^(?:${words})\\s*#?\\d*\\s*[:–—-]\\s+`, 'i'), ''),
  );

/** The tool that a heading names: one that is known, else null. */
export function toolInHeading(heading: string, isKnown: (tool: string) => boolean): string | null {
  const text = headingText(heading, 'tool|function');
  const names = [text, plainCell(text.replace(/\s+tools?$/i, ''))];
  return names.find(isKnown) ?? null;
}

/** A cell without the marks around all of it, and with its line breaks. */
export function plainCell(cell: string): string {
  const text = cell.replaceAll(/<br\s*\/?>/gi, '\n').trim();
  const inner = /^(\*\*|__|`|"|“|„|«)(.+)(\*\*|__|`|"|”|“|»)$/s.exec(text);
  if (inner === null) return text;
  const [, open = '', body = '', close = ''] = inner;
  const isPair = open === close || ['“”', '„“', '„”', '«»'].includes(open + close);
  return isPair && !body.includes(open) ? plainCell(body) : text;
}
