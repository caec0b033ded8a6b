import type { ClientChange } from '../../../../src-shared/domain/clientConfig.ts';

const contextLines = 2;
const mask = '"…"';

/**
 * The lines that differ between two texts, which are one block, with lines around them. Strings that
 * are values are masked unless they are among `shown`: other entries hold tokens.
 */
export function describeChange(
  before: string,
  after: string,
  shown: readonly string[],
): ClientChange {
  const old = before === '' ? [] : before.split(/\r?\n/);
  const next = after.split(/\r?\n/);
  let same = 0;
  while (same < old.length && same < next.length && old[same] === next[same]) same += 1;
  let end = 0;
  while (
    end < old.length - same &&
    end < next.length - same &&
    old[old.length - 1 - end] === next[next.length - 1 - end]
  )
    end += 1;
  const visible = new Set(shown.map((text) => JSON.stringify(text)));
  const masked = (lines: readonly string[]): string[] =>
    lines.map((line) => maskValues(line, visible));
  const first = Math.max(0, same - contextLines);
  return {
    line: first + 1,
    above: masked(old.slice(first, same)),
    removed: masked(old.slice(same, old.length - end)),
    added: masked(next.slice(same, next.length - end)),
    below: masked(next.slice(next.length - end, next.length - end + contextLines)),
  };
}

/** Masks strings that aren't names of keys, and comments, which may hold a disabled entry. */
function maskValues(line: string, visible: ReadonlySet<string>): string {
  return line.replaceAll(
    /("(?:[^"\\]|\\.)*")(\s*:)?|(\/\/.*$|\/\*.*?(?:\*\/|$))/g,
    (_whole, text: string | undefined, colon: string | undefined) => {
      if (text === undefined) return '// …';
      return colon === undefined && !visible.has(text) ? mask : `${text}${colon ?? ''}`;
    },
  );
}
