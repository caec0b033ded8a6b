import type { Command } from 'commander';
import { resolve } from 'node:path';
import type {
  GateResult,
  RuleDetector,
  ScannedTool,
  ScanReport,
  ScoreReport,
} from '../../../../src-shared/domain/security.ts';
import type { Severity } from '../../../../src-shared/domain/severity.ts';
import { modelJudge, ruleDetectors } from '../../../../src-shared/domain/security.ts';
import { severities, severityRank } from '../../../../src-shared/domain/severity.ts';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { checkBaseline } from '../../../services/security/gate.ts';
import { scanReport } from '../../../services/reports/subjects/scanReport.ts';
import { scoreReport } from '../../../services/reports/subjects/scoreReport.ts';
import {
  allFindings,
  scanShape,
  scoreShape,
} from '../../../services/reports/subjects/securityShapes.ts';
import { scanToolsFile, scoreCorpusFile } from '../../../services/security/fileScans.ts';
import { readToolsFile } from '../../../services/servers/toolsFile.ts';
import { contextOf, type CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError, mostSevere } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { listRegistered } from '../input/listTools.ts';
import { scanText, scoreText } from '../output/securityText.ts';
import {
  addReportOptions,
  makeReportOf,
  plannedReports,
  writeReports,
  type PlannedReport,
  type ReportOptions,
} from '../output/reportFiles.ts';
import { openSession, openTemporarySession } from '../session.ts';

interface SecurityOptions extends ReportOptions {
  corpus?: string;
  tools?: string;
  server?: string[];
  detector?: string[];
  half: string;
  verdicts?: string;
  baseline?: string;
  failOn?: string;
  provider?: string;
  model?: string;
  baseUrl?: string;
  runs: string;
  record?: string;
  replay?: string;
}

export function addSecurity(security: Command, io: CommandIo): void {
  security
    .option('--corpus <file>', 'score on this labelled corpus')
    .option('--tools <file>', 'scan the tools of this file')
    .option('--server <name...>', 'scan the tools of these servers as they are now')
    .option('--detector <name...>', `only these: ${[...ruleDetectors, modelJudge].join(', ')}`)
    .option('--half <half>', 'all, development or held-out entries', 'all')
    .option('--verdicts <file>', "score somebody else's verdicts (JSON or SARIF)")
    .option(
      '--baseline <file>',
      'end with 1 where a false-alarm ceiling or a recall floor is missed',
    )
    .option(
      '--fail-on <severity>',
      `scans: end with 1 from this severity on (${severities.join(', ')})`,
    )
    .option('--provider <provider>', 'provider of the model that judges')
    .option('--model <model>', 'model that judges')
    .option('--base-url <url>', 'address of a compatible endpoint')
    .option('--runs <n>', 'how often the model judges each entry', '3')
    .option('--record <file>', 'append every answer of the model that judges to this file')
    .option('--replay <file>', 'judge by the answers of this file instead of asking a model');
  addReportOptions(security, formatsBySubject.security)
    .addHelpText(
      'after',
      '\nExample:\n  touchstone security --tools tools.json --fail-on high --report ' +
        'scan.sarif\n  touchstone security --corpus datasets/security_corpus_v1.json --half ' +
        'held-out --baseline datasets/security_baseline_v1.json',
    )
    .action(async (options: SecurityOptions, command: Command) => {
      const context = contextOf(command, io);
      const sources = [options.corpus, options.tools, options.server].filter(
        (value) => value !== undefined,
      );
      if (sources.length !== 1)
        throw new UsageError('security: Give one of --corpus, --tools and --server.');
      const reports = await plannedReports(options, io, formatsBySubject.security, {
        given: options.corpus === undefined || options.baseline !== undefined,
        option: '--baseline',
      });
      io.setExitCode(
        options.corpus === undefined
          ? await scan(context, options, reports)
          : await score(context, options, options.corpus, reports),
      );
    });
}

function chosenDetectors({ detector }: SecurityOptions): { rules: RuleDetector[]; judge: boolean } {
  if (!detector) return { rules: [...ruleDetectors], judge: false };
  for (const name of detector) {
    if (name !== modelJudge && !ruleDetectors.some((each) => each === name))
      throw new UsageError(
        `--detector ${name}: It is not known. Give one of ` +
          `${[...ruleDetectors, modelJudge].join(', ')}.`,
      );
  }
  return {
    rules: ruleDetectors.filter((each) => detector.includes(each)),
    judge: detector.includes(modelJudge),
  };
}

function readHalf(text: string): ScoreReport['half'] {
  if (text === 'all' || text === 'development' || text === 'held-out') return text;
  throw new UsageError(`--half ${text}: Give all, development or held-out.`);
}

function readSeverity(text: string | undefined): Severity | null {
  if (text === undefined) return null;
  const found = severities.find((each) => each === text);
  if (!found) throw new UsageError(`--fail-on ${text}: Give one of ${severities.join(', ')}.`);
  return found;
}

async function score(
  context: CommandContext,
  options: SecurityOptions,
  file: string,
  reports: readonly PlannedReport[],
): Promise<0 | 1 | 2 | 3> {
  if (options.failOn !== undefined)
    throw new UsageError('security: --fail-on is for scans; a corpus is gated by --baseline.');
  const { io, output } = context;
  const { rules, judge } = chosenDetectors(options);
  const half = readHalf(options.half);
  const corpus = { content: await readInput(file, io), name: file };
  const verdicts =
    options.verdicts === undefined
      ? null
      : { content: await readInput(options.verdicts, io), name: options.verdicts };
  const baseline = options.baseline === undefined ? null : await readInput(options.baseline, io);
  const report =
    judge && !verdicts
      ? await scoreWithModel(io, options, corpus, half, rules)
      : await scoreCorpusFile({ corpus, half, detectors: rules, verdicts });
  const gates = baseline === null ? null : checkBaseline(report, baseline, options.baseline ?? '');
  await writeReports(
    makeReportOf(
      (generated) =>
        scoreReport({ title: `Detectors on ${file}`, score: report, gates, file }, generated),
      options,
    ),
    reports,
    context,
  );
  output.answer(scoreShape(report, gates), () => scoreText(report, gates));
  return verdictOf(report, gates, (text) => {
    output.error(text);
  });
}

function verdictOf(
  report: ScoreReport,
  gates: readonly GateResult[] | null,
  error: (text: string) => void,
): 0 | 1 | 2 | 3 {
  for (const { detector, passed, fpr, recall, fprCeiling, recallFloor } of gates ?? []) {
    if (passed === false)
      error(
        `${detector}: FPR ${fpr?.toFixed(4) ?? '–'} (ceiling ${fprCeiling ?? '–'}), recall ` +
          `${recall?.toFixed(4) ?? '–'} (floor ${recallFloor ?? '–'})`,
      );
    if (passed === null)
      error(`${detector}: A gated rate is not defined: there are no entries to count.`);
  }
  for (const { id, reason } of report.notExamined) error(`${id}: It was not examined. ${reason}`);
  return mostSevere([
    gates?.some(({ passed }) => passed === false) ? exitCodes.gateFailed : exitCodes.pass,
    report.notExamined.length > 0 || gates?.some(({ passed }) => passed === null)
      ? exitCodes.incomplete
      : exitCodes.pass,
  ]);
}

/**
 * Scores with a model judge in a temporary workspace, because only the services know how to open
 * models.
 */
async function scoreWithModel(
  io: CommandIo,
  options: SecurityOptions,
  corpus: { content: string; name: string },
  half: ScoreReport['half'],
  rules: readonly RuleDetector[],
): Promise<ScoreReport> {
  if (options.record !== undefined && options.replay !== undefined)
    throw new UsageError(
      'security: --record and --replay exclude each other: what is replayed is recorded ' +
        'already. Choose one.',
    );
  if (
    options.model === undefined ||
    (options.provider === undefined && options.replay === undefined)
  )
    throw new UsageError(`--detector ${modelJudge}: It needs --model, and --provider or --replay.`);
  const runs = Number(options.runs);
  const provider = options.replay === undefined ? options.provider : 'replay';
  const model = modelConfiguration.safeParse({
    provider,
    model: options.model,
    baseUrl: options.replay === undefined ? (options.baseUrl ?? null) : null,
    replayFile: options.replay === undefined ? null : resolve(options.replay),
    temperature: 0,
  });
  if (!model.success || !Number.isInteger(runs) || runs < 1 || runs > 25)
    throw new UsageError(
      `--provider ${provider ?? ''} --runs ${options.runs}: Give a known provider, a model, ` +
        'and 1 to 25 runs.',
    );
  const session = await openTemporarySession(io);
  try {
    const { id } = await session.client.security.importCorpus({
      name: corpus.name.slice(-100),
      content: corpus.content,
    });
    return await session.client.security.score({
      corpusId: id,
      half,
      judge: {
        model: model.data,
        runs,
        recordFile: options.record === undefined ? null : resolve(options.record),
      },
      detectors: rules.length > 0 ? [...rules] : [...ruleDetectors],
    });
  } finally {
    await session.close();
  }
}

async function scan(
  context: CommandContext,
  options: SecurityOptions,
  reports: readonly PlannedReport[],
): Promise<0 | 1 | 2 | 3> {
  for (const [name, value] of [
    ['--verdicts', options.verdicts],
    ['--baseline', options.baseline],
  ])
    if (value !== undefined) throw new UsageError(`security: ${name} needs --corpus.`);
  const { io, output } = context;
  const { rules, judge } = chosenDetectors(options);
  if (judge)
    throw new UsageError(`--detector ${modelJudge}: It judges entries of a corpus; give --corpus.`);
  const failOn = readSeverity(options.failOn);
  const { tools, servers, rejected } =
    options.tools === undefined
      ? await scanServers(context, options.server ?? [], rules)
      : await scanFile(options.tools, io, rules);
  for (const { server, name, reason } of rejected)
    output.note(`rejected ${server}:${name}: ${reason}`);
  const findings = allFindings(tools);
  await writeReports(
    makeReportOf(
      (generated) => scanReport({ tools, servers, failOn, file: options.tools ?? null }, generated),
      options,
    ),
    reports,
    context,
  );
  output.answer(scanShape(tools, servers), () => scanText(tools, servers));
  const grave = findings.some(
    ({ severity, accepted }) =>
      failOn !== null && accepted === null && severityRank[severity] >= severityRank[failOn],
  );
  const incomplete =
    servers.some(({ problem }) => problem !== null) ||
    tools.some(({ problem }) => problem !== null);
  return mostSevere([
    grave ? exitCodes.gateFailed : exitCodes.pass,
    incomplete ? exitCodes.incomplete : exitCodes.pass,
  ]);
}

interface Scanned {
  tools: ScannedTool[];
  servers: { name: string; problem: string | null }[];
  rejected: { server: string; name: string; reason: string }[];
}

async function scanFile(
  file: string,
  io: CommandIo,
  rules: readonly RuleDetector[],
): Promise<Scanned> {
  const read = readToolsFile(await readInput(file, io), file);
  return { tools: await scanToolsFile(read, rules), servers: [], rejected: read.rejected };
}

/**
 * Lists the servers' tools again, to notice changes since the last listing, and scans them as the
 * window does.
 */
async function scanServers(
  context: CommandContext,
  names: readonly string[],
  rules: readonly RuleDetector[],
): Promise<Scanned> {
  const session = await openSession(context, 'write');
  try {
    const listed = await listRegistered(session.client, names);
    const ids = listed.flatMap(({ id, error }) => (error === null ? [id] : []));
    const report: ScanReport =
      ids.length === 0
        ? { servers: [], tools: [] }
        : await session.client.security.scan({ serverIds: ids });
    const tools = report.tools.map((tool) => ({
      ...tool,
      findings: tool.findings.filter(({ detector }) => rules.some((each) => each === detector)),
    }));
    return {
      tools,
      servers: listed.map(({ name, error }) => ({ name, problem: error })),
      rejected: listed.flatMap(({ listing }) => listing?.listing.rejected ?? []),
    };
  } finally {
    await session.close();
  }
}
