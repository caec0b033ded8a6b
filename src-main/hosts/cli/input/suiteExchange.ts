import {
  columnMap,
  columnRoles,
  mapSettings,
  type ColumnMap,
  type ExportLoss,
  type ImportColumns,
  type ImportReport,
} from '../../../../src-shared/contract/suites.ts';
import { findRole, mapOption } from '../../../../src-shared/display/columnRoles.ts';
import { skippedPlace } from '../../../../src-shared/display/suiteTexts.ts';
import { isJsonObject } from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../../services/files/sourceText.ts';
import { UsageError } from '../exitCodes.ts';
import { readInput } from './files.ts';
import { escapeControls } from '../../../../src-shared/display/visibleText.ts';

/** The terminal shows at most this many lines; `--json` prints all of them. */
const maxShownLines = 50;
const maxNamedCases = 5;

const roleList = [...columnRoles, ...mapSettings].join(', ');

/**
 * A map in an option, `query=prompt,tool=expected_tool`, or in a file of YAML or JSON with the roles
 * as names. Undefined: none is given.
 */
export async function readMap(
  given: string | undefined,
  io: Parameters<typeof readInput>[1],
): Promise<ColumnMap | undefined> {
  if (given === undefined) return undefined;
  const isFile = given.trim() !== '' && !given.includes('=');
  const pairs = isFile
    ? fileEntries(given, await readInput(given, io))
    : given
        .split(',')
        .filter((pair) => pair.trim() !== '')
        .map((pair) => {
          const at = pair.indexOf('=');
          return [at < 0 ? pair : pair.slice(0, at), at < 0 ? '' : pair.slice(at + 1)] as const;
        });
  const columns = new Map<string, string[]>();
  for (const [word, column] of pairs) {
    const role = findRole(word);
    if (role === null || column.trim() === '')
      throw new UsageError(
        `--map ${isFile ? `${given}: ${word}` : `${word}=${column}`}: Give ROLE=COLUMN, where ` +
          `ROLE is one of ${roleList}.`,
      );
    columns.set(role, [...(columns.get(role) ?? []), column.trim()]);
  }
  return columnMap.parse(
    Object.fromEntries(
      [...columns].map(([role, [first, ...more]]) => [
        role,
        more.length === 0 ? first : [first, ...more],
      ]),
    ),
  );
}

function fileEntries(file: string, text: string): (readonly [string, string])[] {
  const read = readSourceText(text);
  const wrong = (why: string): UsageError =>
    new UsageError(`--map ${file}: ${why} Write one role a line, such as query: prompt.`);
  if (!read.readable) throw wrong(read.problems[0]?.message ?? 'It can’t be read.');
  if (!isJsonObject(read.value)) throw wrong('It isn’t a map of roles.');
  return Object.entries(read.value).flatMap(([word, columns]) =>
    [columns].flat().map((column) => {
      if (typeof column !== 'string') throw wrong(`${word} isn’t the name of a column.`);
      return [word, column] as const;
    }),
  );
}

/** How columns were read, and how to change it. */
function columnLines(columns: ImportColumns | null): string[] {
  if (columns === null) return [];
  const { mapped, unused, isRemembered, allOf } = columns;
  const option = mapOption(mapped);
  const roles = Object.entries(mapped).map(([role, names]) => `${role}: ${JSON.stringify(names)}`);
  return [
    (option === null
      ? `Columns read as ${roles.join(', ')}; --map FILE, a file of such lines, changes it.`
      : option === ''
        ? 'No column is recognized.'
        : `Columns read as --map ${quoteOption(option)}; give it with other roles to change it.`) +
      (isRemembered
        ? ' So they were in the last import of these columns; --map "" guesses again.'
        : ''),
    ...(unused.length === 0
      ? []
      : [
          `Columns not used: ${unused.join(', ')}. --map ROLE=COLUMN assigns one; keep=COLUMN keeps it in the note.`,
        ]),
    ...(allOf === null
      ? []
      : [
          `Lists in ${allOf} are read as: all of the tools. If any of them is right: --map acceptable_tools=${allOf}.`,
        ]),
    ...listLines(columns),
  ];
}

/** In which list the cases were found, and the others. */
function listLines({ list, lists, hasHeader }: ImportColumns): string[] {
  const others = lists
    .map(({ path }) => path)
    .filter(
      (path) => list === null || (path !== list && !path.startsWith(`${list}[`) && list !== '[]'),
    );
  return [
    ...(others.length === 0
      ? []
      : [
          `${list === null ? 'No list alone has the cases' : `One case for each entry of ${list}`}. Other lists: ${others.slice(0, maxNamedLists).join(', ')}${others.length > maxNamedLists ? ', and others' : ''}; --map list=LIST chooses one.`,
        ]),
    ...(hasHeader === false
      ? ['The first line is read as a case; --map header=yes reads it as the names of the columns.']
      : []),
  ];
}
const maxNamedLists = 10;

const quoteOption = (text: string): string =>
  /^[\w=,.+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

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
    ...columnLines(columns),
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
