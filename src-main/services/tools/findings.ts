import { adviceTitle } from '../../../src-shared/display/adviceTexts.ts';
import { counted, formatCount, formatPercent } from '../../../src-shared/display/numbers.ts';
import { deductionTitle } from '../../../src-shared/display/qualityTexts.ts';
import { detectorLabel } from '../../../src-shared/display/signalTexts.ts';
import { pairScoreText } from '../../../src-shared/display/similarityTexts.ts';
import type { Advice } from '../../../src-shared/domain/advice.ts';
import { splitToolId, toolId as idOf } from '../../../src-shared/domain/labels.ts';
import type { ToolFinding } from '../../../src-shared/domain/security.ts';
import type { AppSettings } from '../../../src-shared/domain/settings.ts';
import { editTool, type TextEdit } from '../../../src-shared/domain/textEdit.ts';
import type { RejectedTool, SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { FoundAt } from '../../../src-shared/metrics/orderFindings.ts';
import { tokenCuts, type CutKind } from '../../../src-shared/metrics/tokenCuts.ts';
import type { CountedTool } from '../../analysis/tokens/toolTokens.ts';
import { openAdvice } from '../../analysis/advice/openAdvice.ts';
import { clientRuleIds } from '../clients/clientRules.ts';
import { compareNeighbors } from '../candidates/checkEdits.ts';
import type { LintReport } from '../similarity/lint.ts';

export interface FindingSources {
  toolId: string;
  /** The tools that a model sees with it, itself among them. */
  tools: readonly SnapshotTool[];
  /** Tools that its server lists and nobody can use. */
  rejected: readonly RejectedTool[];
  settings: Pick<
    AppSettings,
    'similarityThreshold' | 'similarityMeasure' | 'overlapWeights' | 'qualityRulesOff'
  >;
  /** Of the tool as it is, and with the edits; null where they can't be counted. */
  count: (edits: readonly TextEdit[]) => Promise<CountedTool | null>;
  /** Signals that nobody marked as safe, of the tool as it is and with the edits. */
  signals: (edits: readonly TextEdit[]) => Promise<readonly ToolFinding[]>;
  /** What is advised for it, from the tools and from the failures of a result. */
  advice: readonly Advice[];
  /** How often the tool was expected and another one called, by that one. */
  calledInstead: ReadonlyMap<string, number>;
}

const isOfClients = (rule: string): boolean => clientRuleIds.some((id) => id === rule);

const none = { points: 0, failed: 0, other: null, edit: null, place: '' };

/** Everything that is found in a tool, or that would be found in it with edits. */
export async function findInTool(
  sources: FindingSources,
  edits: readonly TextEdit[],
): Promise<FoundAt[]> {
  const [signals, counts] = await Promise.all([sources.signals(edits), sources.count(edits)]);
  const { toolId, tools, rejected, settings } = sources;
  const edited = tools.map((tool) => editTool(tool, edits));
  const own = edited[tools.findIndex((one) => idOf(one.server, one.name) === toolId)];
  const id = own === undefined ? toolId : idOf(own.server, own.name);
  const { lintWithClients } = await import('../similarity/lint.ts');
  const report = await lintWithClients(edited, {
    ...{ rejected, off: new Set(settings.qualityRulesOff) },
    openSignals: new Set(signals.length > 0 ? [id] : []),
  });
  return [
    ...clients(report, id),
    ...signals.map(({ detector, severity, why, text, place }): FoundAt => ({
      ...none,
      ...{ kind: 'signals', rule: detector, severity, title: detectorLabel(detector) },
      ...{ why, fix: `“${text.slice(0, 200)}” State a fact instead, or mark it as safe.`, place },
    })),
    ...quality(sources, edits, report, id),
    ...similar(sources, edited),
    ...(counts === null ? [] : tokens(sources.toolId, counts)),
  ];
}

/**
 * What clients make of the tool, among the tools that a model sees with it. A tool that is lost
 * with its whole server has the finding of the tool that has to be corrected.
 */
function clients({ findings }: LintReport, id: string): FoundAt[] {
  const server = splitToolId(id).server;
  return findings
    .filter(
      (one) =>
        (isOfClients(one.rule) && one.toolId === id) ||
        (one.rule === 'client-hides-server' && splitToolId(one.toolId).server === server),
    )
    .map(({ rule, severity, message, fix, refusedBy, toolId: found }): FoundAt => ({
      ...none,
      ...{ kind: 'clients', rule, fix, title: deductionTitle(rule) },
      // Nothing else that is found matters while no tool of the server reaches a model.
      severity: rule === 'client-hides-server' ? 'critical' : severity,
      why: `${message} Known from: ${[...new Set(refusedBy?.map(({ source }) => source))].join('; ')}.`,
      other: found === id ? null : found,
    }));
}

/** The rules that find what advice about two tools resolves. */
const ruleOfAdvice: Partial<Record<Advice['kind'], string>> = {
  same_name: 'same-name',
  deprecated_twin: 'deprecated',
};

/**
 * What the rules of quality find, and what failing requests show to be missing. What both say is
 * one finding, so that the points of all findings are those that the tool's score lacks: only what
 * takes points is called quality.
 */
function quality(
  { toolId, tools, advice }: FindingSources,
  edits: readonly TextEdit[],
  { findings, tools: scored }: LintReport,
  id: string,
): FoundAt[] {
  const deductions = scored.find((one) => one.toolId === id)?.deductions ?? [];
  const pieces = openAdvice(advice, tools, edits).flatMap((piece) => {
    const edit = piece.edits.find((one) => one.toolId === toolId);
    return edit === undefined ? [] : [{ piece, edit, rule: ruleOfAdvice[piece.kind] ?? null }];
  });
  const advised = new Set(pieces.map(({ rule }) => rule));
  const pointsOf = (rule: string | null): number =>
    deductions.find((one) => one.rule === rule)?.points ?? 0;
  return [
    ...pieces.map(({ piece, edit, rule }, index): FoundAt => {
      const { requests } = piece.evidence;
      const first = pieces.findIndex((one) => one.rule === rule) === index;
      const points = first ? pointsOf(rule) : 0;
      return {
        kind: pointsOf(rule) > 0 ? 'quality' : requests.length > 0 ? 'requests' : 'similar',
        rule: `${piece.kind} ${edit.type === 'text' ? edit.path : ''}`,
        severity: requests.length > 0 || points > 2 ? 'high' : 'medium',
        ...{ title: adviceTitle(piece, edit), why: piece.why, fix: '', place: '', points },
        failed: requests.length,
        other: piece.toolIds.find((one) => one !== toolId) ?? null,
        edit: edit.type === 'text' ? { path: edit.path, text: edit.newText } : null,
      };
    }),
    ...findings
      .filter((one) => one.toolId === id && !advised.has(one.rule) && !isOfClients(one.rule))
      .map(({ rule, severity, message, fix, place = '', refusedBy = [] }): FoundAt => {
        const sources = [...new Set(refusedBy.map(({ client, source }) => `${client}, ${source}`))];
        return {
          ...none,
          ...{ kind: 'quality', rule, severity, title: deductionTitle(rule) },
          why: sources.length === 0 ? message : `${message} Known from: ${sources.join('; ')}.`,
          ...{ fix, place, points: pointsOf(rule) },
        };
      }),
  ];
}

/** Tools that it is confused with, or that models could confuse it with. */
function similar(
  { toolId, tools, settings, calledInstead }: FindingSources,
  edited: readonly SnapshotTool[],
): FoundAt[] {
  const neighbors = compareNeighbors(toolId, tools, edited, settings);
  return neighbors.flatMap((one): FoundAt[] => {
    const times = calledInstead.get(one.toolId) ?? 0;
    // An edit can be said to resolve a confusion only where the two were too similar and no longer are.
    const isResolved = !one.flagged && one.before >= settings.similarityThreshold;
    if (!one.flagged && (times === 0 || isResolved)) return [];
    const name = splitToolId(one.toolId).tool;
    return [
      {
        ...none,
        ...{ kind: 'similar', rule: one.toolId, other: one.toolId },
        severity: times > 0 ? 'high' : 'medium',
        title: times > 0 ? `Confused with ${name}` : `Similar to ${name}`,
        why: [
          ...(times > 0 ? [`${name} was called instead of it ${counted(times, 'time')}.`] : []),
          one.flagged
            ? `Their ${settings.similarityMeasure} is ${pairScoreText(one.after)}.`
            : `Their texts are not too similar (${settings.similarityMeasure} ${pairScoreText(one.after)}).`,
        ].join(' '),
        fix: 'Say in one of the descriptions what it does not do, and name the other tool.',
        failed: times,
      },
    ];
  });
}

const cutTexts: Record<Exclude<CutKind, 'hide'>, { what: string; fix: string }> = {
  outputSchemas: { what: 'an output schema', fix: 'Leave it out where no client reads it.' },
  descriptions: { what: 'a long description', fix: 'Keep what a model needs to choose it.' },
  schemas: { what: 'a large input schema', fix: 'Offer fewer or simpler parameters.' },
};

/** What it could do without. A cut of half of the tool or more weighs more. */
function tokens(toolId: string, { tokenCount, parts }: CountedTool): FoundAt[] {
  return tokenCuts([{ toolId, tokenCount, parts }], new Set()).flatMap(({ kind, saved }) =>
    kind === 'hide'
      ? []
      : [
          {
            ...none,
            ...{ kind: 'tokens' as const, rule: kind },
            severity: 2 * saved >= tokenCount ? ('medium' as const) : ('low' as const),
            title: `${formatPercent(saved / tokenCount)} of its tokens could go: ${cutTexts[kind].what}`,
            why: `${formatCount(saved)} of ${formatCount(tokenCount)} tokens in every request.`,
            fix: cutTexts[kind].fix,
          },
        ],
  );
}
