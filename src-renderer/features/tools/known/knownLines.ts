import { toolId } from '../../../../src-shared/domain/labels.ts';
import { severityRank, type Severity } from '../../../../src-shared/domain/severity.ts';
import type { ToolList } from '../../../../src-shared/domain/toolRow.ts';
import { needsWork } from '../../../../src-shared/display/qualityTexts.ts';
import { pairScoreText, tooSimilarText } from '../../../../src-shared/display/similarityTexts.ts';
import { isTooSimilar } from '../../../../src-shared/display/toolWork.ts';
import type { RichText } from '../../../../src-shared/display/verdictTexts.ts';
import { counted, formatCount, formatShare } from '../../../../src-shared/display/numbers.ts';

/** An open cause of signals in a tool, a prompt, a resource, or the instructions of a server. */
export interface OpenSignal {
  severity: Severity;
  server: string;
  /** Empty for the instructions of the server. */
  tool: string;
}

export interface KnownLine {
  kind: 'quality' | 'similar' | 'signals' | 'tokens';
  tone: 'danger' | 'warning' | 'idle';
  /** What was found, then the worst of it. */
  lead: string;
  rest: RichText;
  to: string;
  label: string;
}

/** Below this number of tools, the most expensive ones are all of them. */
const minForShare = 6;
const mostExpensive = 3;

/**
 * What is known of tools without any run, the most pressing first. What isn't computed yet has no
 * line; null signals aren't scanned yet.
 */
export function knownLines(list: ToolList, signals: readonly OpenSignal[] | null): KnownLine[] {
  const lines = [signalLine(signals ?? []), qualityLine(list), similarLine(list), tokenLine(list)];
  return lines.filter((line) => line !== null);
}

function signalLine(signals: readonly OpenSignal[]): KnownLine | null {
  const [worst] = signals.toSorted((a, b) => severityRank[b.severity] - severityRank[a.severity]);
  if (worst === undefined) return null;
  const grave = severityRank[worst.severity] >= severityRank.high;
  const same = signals.filter(({ severity }) => severity === worst.severity).length;
  const lead =
    same === signals.length
      ? counted(same, `open ${worst.severity} signal`)
      : `${counted(signals.length, 'open signal')}, ${formatCount(same)} of them ${worst.severity}`;
  return {
    kind: 'signals',
    tone: grave ? 'danger' : 'warning',
    lead: `${lead}.`,
    rest: [
      same === 1 ? 'In ' : 'First in ',
      ...(worst.tool === ''
        ? ['the instructions of ', { code: worst.server }]
        : [{ code: toolId(worst.server, worst.tool) }]),
      '.',
    ],
    to: grave ? '/tools/signals?severity=critical,high' : '/tools/signals',
    label: 'Signals',
  };
}

function qualityLine({ rows }: ToolList): KnownLine | null {
  const poor = rows
    .flatMap(({ name, quality }) =>
      quality !== null && needsWork({ score: quality }) ? [{ name, quality }] : [],
    )
    .sort((a, b) => a.quality - b.quality);
  const [worst, next] = poor;
  if (worst === undefined) return null;
  return {
    kind: 'quality',
    tone: 'warning',
    lead: `${counted(poor.length, 'description')} ${poor.length === 1 ? 'is' : 'are'} weak.`,
    rest: [
      { code: worst.name },
      ` has ${formatCount(worst.quality)} of 10 points`,
      ...(next === undefined ? [] : [', ', { code: next.name }, ` ${formatCount(next.quality)}`]),
      '.',
    ],
    to: '/tools?only=low-quality',
    label: 'Quality',
  };
}

function similarLine({ rows, similarFrom }: ToolList): KnownLine | null {
  const close = rows
    .filter((row) => isTooSimilar(row, similarFrom))
    .flatMap(({ toolId: id, mostSimilar }) =>
      mostSimilar === null ? [] : [{ id, ...mostSimilar }],
    )
    .sort((a, b) => b.similarity - a.similarity);
  const [worst] = close;
  if (worst === undefined) return null;
  return {
    kind: 'similar',
    tone: 'warning',
    lead: `${tooSimilarText(close.length)}.`,
    rest: [
      'Most of all ',
      { code: worst.id },
      ' and ',
      { code: worst.toolId },
      ` (${pairScoreText(worst.similarity)}).`,
    ],
    to: '/tools/similar',
    label: 'Similar',
  };
}

function tokenLine({ rows }: ToolList): KnownLine | null {
  const counts = rows.flatMap(({ tokens }) => tokens ?? []).sort((a, b) => b - a);
  if (counts.length < rows.length || rows.length === 0) return null;
  const sum = (of: readonly number[]): number => of.reduce((total, count) => total + count, 0);
  const total = sum(counts);
  return {
    kind: 'tokens',
    tone: 'idle',
    lead: `${counted(total, 'token')} in every request that offers all.`,
    rest:
      counts.length < minForShare
        ? []
        : [`Three tools cost ${formatShare(sum(counts.slice(0, mostExpensive)) / total)} of them.`],
    to: '/tools/tokens',
    label: 'Tokens',
  };
}
