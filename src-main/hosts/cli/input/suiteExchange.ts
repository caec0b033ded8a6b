import {
  columnMap,
  mappedFields,
  type ColumnMap,
  type ExportLoss,
  type ImportColumns,
  type ImportReport,
} from '../../../../src-shared/contract/suites.ts';
import { skippedPlace } from '../../../../src-shared/display/suiteTexts.ts';
import { UsageError } from '../exitCodes.ts';
import { escapeControls } from '../../../../src-shared/display/visibleText.ts';

/** The terminal shows at most this many lines; `--json` prints all of them. */
const maxShownLines = 50;
const maxNamedCases = 5;

/** `query=prompt,tool=expected_tool` */
export function parseMap(text: string | undefined): ColumnMap {
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  const map: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const [field, column] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 1 || column === '' || !(mappedFields as readonly string[]).includes(field))
      throw new UsageError(
        `--map ${pair}: Give FIELD=COLUMN, where FIELD is one of ${mappedFields.join(', ')}.`,
      );
    map[field] = column;
  }
  return columnMap.parse(map);
}

/** What an import approximated and skipped, one line each. */
export function reportLines(report: ImportReport, columns: ImportColumns | null): string[] {
  const { exact, approximated, skipped, unreadFields, assumedServer, converter } = report;
  if (converter.startsWith('touchstone/')) return [];
  const nearly = new Set(approximated.map((each) => each.case)).size;
  return [
    ...shorten(
      groupNotes(approximated).map(
        ({ cases, what, why }) => `approximated: ${cases}: ${what}: ${why}`,
      ),
    ),
    ...shorten(skipped.map((each) => `skipped: ${skippedPlace(each)}: ${each.why}`)),
    ...(columns === null || columns.unused.length === 0
      ? []
      : [`Columns not used: ${columns.unused.join(', ')}. --map FIELD=COLUMN assigns one.`]),
    ...(unreadFields.length === 0
      ? []
      : [`Fields of the file that aren't imported: ${unreadFields.join(', ')}.`]),
    ...(assumedServer === null
      ? []
      : [
          'The file does not say which server some tools are of: they were assigned to ' +
            `${assumedServer}. --server NAME changes this.`,
        ]),
    `${exact} exact, ${nearly} approximated, ${skipped.length} skipped.`,
  ].map(escapeControls);
}

/** The same note of many cases is one line that names the first of them. */
function groupNotes(
  notes: ImportReport['approximated'],
): { cases: string; what: string; why: string }[] {
  const groups = new Map<string, { names: string[]; what: string; why: string }>();
  for (const { case: name, what, why } of notes) {
    const key = JSON.stringify([what, why]);
    const group = groups.get(key) ?? { names: [], what, why };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ names, ...note }) => ({
    cases:
      names.length <= maxNamedCases
        ? names.join(', ')
        : `${names.slice(0, maxNamedCases).join(', ')} and ${names.length - maxNamedCases} more`,
    ...note,
  }));
}

/** What an export would lose, one line each. */
export function lossLines(losses: readonly ExportLoss[]): string[] {
  return shorten(
    losses.map(({ case: name, what }) => `lost: ${name === null ? '' : `${name}: `}${what}`),
  ).map(escapeControls);
}

function shorten(lines: readonly string[]): string[] {
  return lines.length <= maxShownLines
    ? [...lines]
    : [...lines.slice(0, maxShownLines), `… and ${lines.length - maxShownLines} more.`];
}
