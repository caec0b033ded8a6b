/** One row of the table: what was measured, against what, and whether the bound holds. */
export interface Row {
  what: string;
  measured: string;
  peer: string;
  ratio: number | null;
  /** The promised bound for `ratio`, or null if there is none. */
  bound: number | null;
}

export function ratioRow(
  what: string,
  measured: number,
  unit: string,
  peer: string,
  peerValue: number,
  bound: number | null,
): Row {
  return {
    what,
    measured: `${format(measured)} ${unit}`,
    peer: `${peer}: ${format(peerValue)} ${unit}`,
    ratio: measured / peerValue,
    bound,
  };
}

const format = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

/** A table in Markdown. Numbers are rounded. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => (typeof cell === 'number' ? Math.round(cell) : cell)).join(' | ')} |`;
  const rule = head.map((_, column) => (typeof rows[0]?.[column] === 'number' ? '---:' : '---'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

export function toMarkdown(rows: readonly Row[]): string {
  const head =
    '| measured | value | against | ratio | promised | holds |\n| --- | ---: | --- | ---: | ' +
    '---: | --- |';
  const lines = rows.map(({ what, measured, peer, ratio, bound }) => {
    const holds = ratio === null || bound === null ? '–' : ratio <= bound ? 'yes' : '**no**';
    return (
      `| ${what} | ${measured} | ${peer} | ${ratio === null ? '–' : ratio.toFixed(2)} | ` +
      `${bound === null ? '–' : `≤ ${bound}`} | ${holds} |`
    );
  });
  return [head, ...lines].join('\n');
}
