import type { FindPlace } from '../../servers/toolsFilePlaces.ts';
import { countItems } from '../../../../src-shared/display/itemTexts.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { subjectName } from '../../../../src-shared/display/signalTexts.ts';
import { minFlaggedSeverity, type ScannedTool } from '../../../../src-shared/domain/security.ts';
import { severities, severityRank, type Severity } from '../../../../src-shared/domain/severity.ts';
import { countedSuite } from '../formats/writeJunit.ts';
import type { Opening, Report, ReportTable, TestCase } from '../report.ts';
import { alertsOf, findingsTable, sarifFindings, signalsTable } from './securityFindings.ts';
import { publish } from '../documents/published.ts';
import { scanDocument } from '../documents/securityDocument.ts';
import { factsFrom, field, tableOf, tables } from './tableOf.ts';
import { allFindings, countScannedTools } from '../../security/scannedTools.ts';

/** A finished scan: tools with their findings, and servers with what went wrong. */
export interface ScanResult {
  tools: readonly ScannedTool[];
  servers: readonly { name: string; problem: string | null }[];
  /**
   * Tools with a signal of this severity or higher fail in JUnit; null: from the severity that
   * flags a tool.
   */
  failOn: Severity | null;
  /** The file that the tools were read from; null when they came from servers. */
  file: string | null;
  /** Finds a part of a tool in that file. */
  findPlace?: FindPlace;
}

/** The report of a scan: signals in tools, changed tools, and tools that could not be examined. */
export function scanReport(
  { tools, servers, failOn, file, findPlace }: ScanResult,
  generated: string,
): Report {
  const findings = allFindings(tools);
  const bound = failOn ?? minFlaggedSeverity;
  const unexamined = tools.filter(({ problem }) => problem !== null);
  return {
    subject: 'security',
    title: `Signals in ${counted(countScannedTools(tools), 'tool')}`,
    generated,
    opening: openingOf(tools, servers),
    facts: factsFrom(
      [
        'Examined',
        [
          counted(countScannedTools(tools) - countScannedTools(unexamined), 'tool'),
          countItems(
            tools.flatMap(({ item, problem }) => (item && problem === null ? [item] : [])),
          ),
        ]
          .filter((part) => part !== '')
          .join(', '),
      ],
      [
        'Signals',
        `${findings.length} ` +
          `(${findings.filter(({ accepted }) => accepted !== null).length} marked as safe)`,
      ],
      [
        'Servers',
        servers.length === 0
          ? null
          : servers
              .map(({ name, problem }) => (problem === null ? name : `${name} (${problem})`))
              .join(', '),
        'untrusted',
      ],
    ),
    parts: tables(
      signalsTable(findings, true),
      changesTable(tools),
      unexamined.length > 0 && unexaminedTable(unexamined),
    ),
    csv: findingsTable(findings),
    document: () => publish(scanDocument, { tools, servers }),
    tests: () => [
      countedSuite(
        'Signals in tools',
        [...tools.map((tool) => toolTest(tool, bound)), ...servers.flatMap(serverTest)],
        [['fails from severity', bound]],
      ),
    ],
    findings: sarifFindings(findings, file, findPlace),
    alerts: () => alertsOf(findings),
  };
}

/** How many tools have open signals, the severest of them, and what could not be examined. */
function openingOf(tools: ScanResult['tools'], servers: ScanResult['servers']): Opening {
  const open = allFindings(tools).filter(({ accepted }) => accepted === null);
  const flagged = new Set(open.map(({ server, tool }) => subjectName(server, tool)));
  const unexamined = countScannedTools(tools.filter(({ problem }) => problem !== null));
  const examined = countScannedTools(tools) - unexamined;
  const failed = servers.filter(({ problem }) => problem !== null).length;
  const counts = severities.flatMap((severity) => {
    const n = open.filter((finding) => finding.severity === severity).length;
    return n === 0 ? [] : [`${n} ${severity}`];
  });
  return {
    headline: [
      open.length === 0
        ? `No open signals in ${counted(examined, 'tool')}`
        : `${counted(open.length, 'open signal')} in ${counted(flagged.size, 'place')}: ${counts.join(', ')}`,
    ],
    lines: [
      ...(unexamined > 0 ? [[`${counted(unexamined, 'tool')} could not be examined.`]] : []),
      ...(failed > 0 ? [[`${counted(failed, 'server')} could not be listed.`]] : []),
    ],
  };
}

/** Tools that changed since their previous listing: a trusted tool may have been replaced. */
const changesTable = (tools: readonly ScannedTool[]): ReportTable =>
  tableOf(
    'Changed since the last scan',
    tools.flatMap(({ change, ...tool }) => (change ? [{ ...tool, change }] : [])),
    [
      field('code', 'Tool', 'tool_id', ({ server, tool }) => subjectName(server, tool)),
      field('time', 'Since', 'since', ({ change }) => change.at),
    ],
    { emptyText: 'No tool changed.' },
  );

/** Tools that could not be examined: they count neither as safe nor as flagged. */
const unexaminedTable = (tools: readonly ScannedTool[]): ReportTable =>
  tableOf('Not examined', tools, [
    field('code', 'Tool', 'tool_id', ({ server, tool }) => subjectName(server, tool)),
    field('text', 'Why', 'reason', ({ problem }) => problem),
  ]);

/** One JUnit test per tool. Findings marked as safe do not fail it. */
function toolTest({ server, tool, findings, problem }: ScannedTool, bound: Severity): TestCase {
  const failing = findings.filter(
    ({ severity, accepted }) => accepted === null && severityRank[severity] >= severityRank[bound],
  );
  const base = { name: tool === '' ? 'server instructions' : tool, classname: server };
  if (problem !== null) return { ...base, outcome: { kind: 'error', message: problem } };
  if (failing.length === 0) return { ...base, outcome: null };
  return {
    ...base,
    outcome: {
      kind: 'failure',
      type: failing[0]?.severity ?? bound,
      message: `${counted(failing.length, 'signal')} of severity ${bound} or above`,
      text: failing
        .map(({ severity, detector, rule, why }) => `${severity} ${detector}/${rule}: ${why}`)
        .join('\n'),
    },
  };
}

/** A server that could not be listed is an error, never a pass. */
const serverTest = ({ name, problem }: ScanResult['servers'][number]): TestCase[] =>
  problem === null
    ? []
    : [{ name: 'its tools', classname: name, outcome: { kind: 'error', message: problem } }];
