import { shortModelName } from '../../../../src-shared/display/shortModelName.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ToolList, ToolOfModel, ToolRow } from '../../../../src-shared/domain/toolRow.ts';
import { needsWork as isPoor } from '../../../../src-shared/display/qualityTexts.ts';
import {
  failedRuns,
  isConfused,
  isTooSimilar,
  worstModel,
} from '../../../../src-shared/display/toolWork.ts';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';

/** The chips over the table, by their word in the address. */
export const chips = [
  { value: 'needs-work', label: 'Needs work' },
  { value: 'low-quality', label: 'Low quality' },
  { value: 'similar', label: 'Too similar' },
  { value: 'confused', label: 'Confused' },
  { value: 'expensive', label: 'Expensive' },
  { value: 'signals', label: 'Signals' },
  { value: 'untested', label: 'Untested' },
  { value: 'changed', label: 'Changed' },
  { value: 'candidates', label: 'Candidates' },
] as const;
export type Chip = (typeof chips)[number]['value'];

export const chipOf = (value: string | null): Chip | null =>
  chips.find((chip) => chip.value === value)?.value ?? null;

/** Below this, a tool isn't expensive, however small the others are. */
const minExpensiveTokens = 200;

type Judged = Pick<ToolList, 'rows' | 'similarFrom'>;

/** Which tools each chip shows. Expensive: at least 200 tokens and twice the average. */
export function chipTests({ rows, similarFrom }: Judged): Record<Chip, (row: ToolRow) => boolean> {
  const counts = rows.flatMap(({ tokens }) => tokens ?? []);
  const average = counts.reduce((sum, tokens) => sum + tokens, 0) / Math.max(1, counts.length);
  const expensive = Math.max(minExpensiveTokens, 2 * average);
  return {
    'needs-work': ({ needsWork }) => needsWork !== null,
    'low-quality': ({ quality }) => quality !== null && isPoor({ score: quality }),
    similar: (row) => isTooSimilar(row, similarFrom),
    confused: isConfused,
    expensive: ({ tokens }) => tokens !== null && tokens >= expensive,
    signals: ({ signals }) => signals !== null && signals.open > 0,
    untested: ({ cases }) => cases === 0,
    changed: isChanged,
    candidates: ({ candidate }) => isOpen(candidate),
  };
}

/** A change that somebody should know of: no person has seen it, or it makes a result old. */
export const isChanged = ({ changed }: Pick<ToolRow, 'changed'>): boolean =>
  changed !== null && (changed.unseen || changed.sinceResult);

/** A candidate that the server doesn't offer yet. */
export const isOpen = (candidate: ToolRow['candidate']): boolean =>
  candidate !== null && candidate.state !== 'applied' && candidate.state !== 'rejected';

export interface ToolChoice {
  /** Names of servers; empty for all. */
  servers: readonly string[];
  only: Chip | null;
  search: string;
}

/** The rows of chosen servers that a chip and a search leave. */
export function chooseRows(list: Judged, { servers, only, search }: ToolChoice): ToolRow[] {
  const wanted = search.trim().toLowerCase();
  const test = only === null ? () => true : chipTests(list)[only];
  return list.rows.filter(
    (row) =>
      (servers.length === 0 || servers.includes(row.server)) &&
      test(row) &&
      `${row.name} ${row.server} ${row.summary}`.toLowerCase().includes(wanted),
  );
}

/** The models of all last results; the one that failed most runs comes first. */
export function modelsOf(
  rows: readonly ToolRow[],
): { id: string; label: string; failed: number }[] {
  const models = new Map<string, { id: string; label: string; failed: number }>();
  for (const model of rows.flatMap(({ result }) => result?.models ?? [])) {
    const { modelSettingsId: id, model: label } = model;
    const known = models.get(id)?.failed ?? 0;
    models.set(id, { id, label, failed: known + failedRuns(model) });
  }
  const labels = [...models.values()].map(({ label }) => label);
  return [...models.values()]
    .map((model) => ({ ...model, label: shortModelName(model.label, labels) }))
    .sort((a, b) => b.failed - a.failed);
}

/** What a model did with a tool; null where it has no scored run that expected it. */
export const ofModel = (row: ToolRow, modelSettingsId: string | null): ToolOfModel | null =>
  row.result?.models.find((model) => model.modelSettingsId === modelSettingsId) ?? null;

/** What stands under the verdict: the worst tool's runs, tools without cases, proven fixes. */
export function verdictOf(
  rows: readonly ToolRow[],
  complete: boolean,
): { before: string; tool: string | null; after: string; details: string } {
  const untested = rows.filter(({ cases }) => cases === 0).length;
  const proven = rows.filter(({ candidate }) => candidate?.state === 'accepted').length;
  const details = [
    ...(untested > 0
      ? [
          untested === rows.length
            ? 'None has cases yet.'
            : `${formatCount(untested)} ${untested === 1 ? 'has' : 'have'} no cases.`,
        ]
      : []),
    ...(proven > 0
      ? [`${formatCount(proven)} ${proven === 1 ? 'has' : 'have'} a proven fix.`]
      : []),
  ];
  if (rows.length === 0)
    return {
      ...{ before: 'No tools yet.', tool: null, after: '' },
      details: 'Tools are known once a server has listed them.',
    };
  if (!complete)
    return {
      before: counted(rows.length, 'tool'),
      tool: null,
      after: '',
      details: 'Comparing and checking them …',
    };
  const poor = rows.filter(({ needsWork }) => needsWork !== null).length;
  const [first] = rows;
  const worst = first?.needsWork === 'fails' ? worstModel(first) : null;
  const total = counted(rows.length, 'tool');
  const before =
    poor === 0
      ? `None of ${total} needs work.`
      : poor === rows.length && poor > 1
        ? `All ${total} need work.`
        : `${formatCount(poor)} of ${total} ${poor === 1 ? 'needs' : 'need'} work.`;
  return worst === null || first === undefined
    ? { before, tool: null, after: '', details: details.join(' ') }
    : {
        before,
        tool: first.name,
        after: 'fails most.',
        details: [
          `${shortModelName(worst.model, [])} passed ${formatCount(worst.passed)} of its ${counted(worst.scored, 'run')}.`,
          ...details,
        ].join(' '),
      };
}

/** The name of a tool as its neighbors' rows show it: with the server only where it is another. */
export const nameBeside = (id: string, server: string): string =>
  id.startsWith(toolId(server, '')) ? id.slice(server.length + 1) : id;
