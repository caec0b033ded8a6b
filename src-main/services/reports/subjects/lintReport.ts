import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import {
  lintSeverities,
  type LintFinding,
  type LintReport,
  type LintSeverity,
} from '../../../../src-shared/domain/lint.ts';
import { qualityHeadline } from '../../../../src-shared/display/qualityTexts.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import { lintDocument } from '../documents/lintDocument.ts';
import { publish } from '../documents/published.ts';
import type { FindPlace } from '../../servers/toolsFilePlaces.ts';
import { artifactOf, fingerprintOf } from '../formats/writeSarif.ts';
import { countedSuite } from '../formats/writeJunit.ts';
import type { Mark, Report, ReportTable, TestCase } from '../report.ts';
import { noGateError } from './noGateError.ts';
import { factsFrom, field, tableOf, tables } from './tableOf.ts';

/** Severity as a sign and a word. */
const marks: Readonly<Record<LintSeverity, Mark>> = {
  high: { sign: '✗', word: 'high', tone: 'bad' },
  medium: { sign: '!', word: 'medium', tone: 'warning' },
  low: { sign: '–', word: 'low', tone: 'soft' },
};

/** Severities are listed from high to low, so a smaller index is more severe. */
export const isAtLeast = (severity: LintSeverity, bound: LintSeverity): boolean =>
  lintSeverities.indexOf(severity) <= lintSeverities.indexOf(bound);

/** A finished lint with its gate, ready to be reported. */
export interface LintResult {
  report: LintReport;
  /** The gate: findings of this severity or higher fail. Null: no gate. */
  failOn: LintSeverity | null;
  /** The file that the tools were read from; null when they came from servers. */
  file: string | null;
  /** Finds a part of a tool in that file. */
  findPlace?: FindPlace;
}

/** The report of a lint: findings by rule, and a score per server. */
export function lintReport(
  { report, failOn, file, findPlace }: LintResult,
  generated: string,
): Report {
  const { findings, servers } = report;
  const tools = servers.reduce((sum, each) => sum + each.tools, 0);
  const table = findingsTable(findings);
  return {
    subject: 'lint',
    title: `Description quality of ${counted(tools, 'tool')}`,
    generated,
    opening: {
      headline: [
        report.tools.length === 0
          ? `No findings in ${counted(tools, 'tool')}`
          : qualityHeadline(report),
      ],
      lines:
        findings.length === 0
          ? []
          : [[`${counted(findings.length, 'finding')}: ${severityCounts(findings)}.`]],
    },
    facts: factsFrom(['Tools', formatCount(tools)]),
    parts: tables(serversTable(servers), toolsTable(report.tools), table),
    csv: table,
    document: () => publish(lintDocument, report),
    tests: () => {
      if (failOn === null)
        throw noGateError('lint', 'Give the severity that fails: --fail-on high.');
      const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
      const cases = rules.flatMap((rule) =>
        ruleTests(
          rule,
          findings.filter((each) => each.rule === rule),
          failOn,
        ),
      );
      const clean: TestCase = { name: 'no finding', classname: 'lint', outcome: null };
      return [
        countedSuite('Description quality', cases.length > 0 ? cases : [clean], [
          ['fail_on', failOn],
          ['tools', String(tools)],
        ]),
      ];
    },
    findings: findings.map(({ toolId, rule, severity, message, span, ...found }) => ({
      rule: `lint/${rule}`,
      about: rule,
      tags: ['quality'],
      severity,
      message,
      subject: toolId,
      place: found.place ?? (span === null ? '' : '/description'),
      artifact: artifactOf(file, splitToolId(toolId).server),
      region: () =>
        findPlace?.(toolId, found.place ?? (span === null ? '' : '/description')) ?? null,
      fingerprint: fingerprintOf(rule, toolId, message),
      accepted: null,
      properties: {
        ...(span === null ? {} : { span }),
        ...(found.refusedBy === undefined ? {} : { refusedBy: found.refusedBy }),
      },
    })),
    alerts: () =>
      [...findings]
        .sort((a, b) => lintSeverities.indexOf(a.severity) - lintSeverities.indexOf(b.severity))
        .map(({ toolId, rule, severity, message }) => ({
          level:
            severity === 'high'
              ? ('error' as const)
              : severity === 'medium'
                ? ('warning' as const)
                : ('notice' as const),
          title: `${toolId}: ${rule}`,
          message,
        })),
  };
}

/** "1 high, 2 medium, 3 low". */
const severityCounts = (findings: readonly LintFinding[]): string =>
  lintSeverities
    .map(
      (severity) => `${findings.filter((each) => each.severity === severity).length} ${severity}`,
    )
    .join(', ');

/** One JUnit test per finding; those at or above the gate fail. */
const ruleTests = (rule: string, findings: readonly LintFinding[], failOn: LintSeverity) =>
  findings.map(({ toolId, severity, message }) => ({
    name: toolId,
    classname: rule,
    outcome: isAtLeast(severity, failOn)
      ? { kind: 'failure' as const, type: severity, message }
      : null,
  }));

/** The mean score of each server's tools. */
const serversTable = (servers: LintReport['servers']): ReportTable =>
  tableOf(
    'Servers',
    servers,
    [
      field('text', 'Server', 'server', ({ server }) => server),
      field('number', 'Score, 1–10', 'score', ({ score }) => score, { digits: 1 }),
      field('number', 'Tools', 'tools', ({ tools }) => tools),
    ],
    {
      note: 'The mean over the tools of a server. Each tool starts at 10 and loses points for its findings.',
    },
  );

/** The tools that lose points, worst first, with what costs most. */
const toolsTable = (tools: LintReport['tools']): ReportTable =>
  tableOf(
    'Tools',
    tools.flatMap(({ toolId, score, deductions: [largest] }) =>
      largest ? [{ toolId, score, ...largest }] : [],
    ),
    [
      field('number', 'Score, 1–10', 'score', ({ score }) => score, { digits: 0 }),
      field('code', 'Tool', 'tool_id', ({ toolId }) => toolId),
      field('word', 'Largest deduction', 'rule', ({ rule }) => rule),
      field('number', 'Points', 'points', ({ points }) => points, { digits: 0 }),
      field('text', 'Fix', 'fix', ({ fix }) => fix),
    ],
    {
      emptyText: 'Every tool scores 10.',
      note: 'Each rule counts once per tool: 4 points for high severity, 2 for medium, 1 for low.',
    },
  );

/** All findings; also the content of CSV. */
const findingsTable = (findings: readonly LintFinding[]): ReportTable =>
  tableOf(
    'Findings',
    findings,
    [
      field('mark', 'Severity', 'severity', ({ severity }) => marks[severity]),
      field('word', 'Rule', 'rule', ({ rule }) => rule),
      field('code', 'Tool', 'tool_id', ({ toolId }) => toolId),
      field('text', 'Finding', 'message', ({ message }) => message),
      field('text', 'Fix', 'fix', ({ fix }) => fix),
    ],
    {
      main: true,
      emptyText: 'No rule found anything.',
      row: ({ severity }) => ({ important: severity === 'high' }),
    },
  );
