import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';

/** A name that an object has no member of: the wish, or the wish with a number. */
export function freeName(taken: JsonObject, wish: string): string {
  let name = wish;
  for (let number = 2; Object.hasOwn(taken, name); number += 1) name = `${wish} ${number}`;
  return name;
}

/** A row of a table of tests, whose cells have the names of its parameters. */
export function named(
  row: JsonValue,
  names: readonly string[],
  lines: WeakMap<object, number>,
): JsonValue {
  // One parameter whose values have names themselves is the row.
  const isOwn = names.length === 1 && typeof row === 'object' && !Array.isArray(row);
  if (names.length === 0 || isOwn) return row;
  const cells = Array.isArray(row) ? row : [row];
  const object = Object.fromEntries(
    names.flatMap((name, at) => (cells[at] === undefined ? [] : [[name, cells[at]] as const])),
  );
  const line = typeof row === 'object' && row !== null ? lines.get(row) : undefined;
  if (line !== undefined) lines.set(object, line);
  return object;
}

/** Where a constant's value begins: behind `=`, `export default` or `return`. */
export function constantStarts(text: string, isPython: boolean): { name: string; at: number }[] {
  const pattern = isPython
    ? /^[ \t]*(?:[\w.]+\.)?(\w+)(?:[ \t]*:[^=\n]+)?[ \t]*(?:\+)?=[ \t]*(?=[[({]|(?:dict|list|tuple)\()/gm
    : /(?:^|[;{}\n])[ \t]*(?:export[ \t]+)?(?:(?:const|let|var)[ \t]+(\w+)(?:[ \t]*:[^=;{}\n]+)?[ \t]*=|export[ \t]+default|(?:module\.)?exports(?:\.(\w+))?[ \t]*=)[ \t\n]*(?=[[{(])/g;
  const returned = /^[ \t]*(?:return|yield)[ \t]+(?=[[{(])/gm;
  return [...text.matchAll(pattern), ...text.matchAll(returned)].map((match) => ({
    name: match[1] ?? match[2] ?? 'default',
    at: match.index + match[0].length,
  }));
}

/** Tables of tests: `parametrize("query, tool", [...])`, `each([...])` and `data: () => [...]`. */
export function tableStarts(text: string): { names: string[]; at: number }[] {
  const pytest =
    /parametrize\(\s*(?:argnames\s*=\s*)?(?:(["'])([\w\s,]+)\1|[[(]([\w\s,"']+)[\])])\s*,\s*(?:argvalues\s*=\s*)?(?=[[(])/g;
  // What describeEval of vitest-evals and evalite are given.
  const data = /\bdata\s*:\s*(?:async\s*)?(?:\(\)\s*=>\s*)?(?=\[)/g;
  const each = /\b(?:it|test|describe)(?:\.\w+)*\.each\(\s*(?=\[)/g;
  return [
    ...[...text.matchAll(pytest)].map((match) => ({
      names: (match[2] ?? match[3] ?? '')
        .split(',')
        .map((name) => name.replaceAll(/["'\s]/g, ''))
        .filter((name) => name !== ''),
      at: match.index + match[0].length,
    })),
    ...[each, data]
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .map((match) => ({ names: [], at: match.index + match[0].length })),
  ];
}

/** A template that is a table: its header, and a row of `${…}` for each case. */
const template =
  /\b(?:it|test|describe)(?:\.\w+)*\.each\s*`([^`${]*)((?:\$\{(?:[^}"'`]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`|\{[^{}]*\})*\}|[^`$])*)`/g;

/** The tables of `each` in templates: the names of their columns, and where each cell begins. */
export const templateTables = (text: string): { names: string[]; rows: number[][] }[] =>
  [...text.matchAll(template)].flatMap((match) => {
    const [, header = '', body = ''] = match;
    const names = header
      .split('|')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const from = match.index + match[0].length - 1 - body.length;
    const cells = [...body.matchAll(/(?:^|[|\n])[ \t]*\$\{/g)].map(
      (cell) => from + cell.index + cell[0].length,
    );
    const count = Math.floor(cells.length / names.length);
    return names.length === 0 || count === 0
      ? []
      : [
          {
            names,
            rows: Array.from({ length: count }, (_, at) =>
              cells.slice(at * names.length, (at + 1) * names.length),
            ),
          },
        ];
  });
