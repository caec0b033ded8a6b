import {
  modelJudge,
  type RuleDetector,
  type ScannedTool,
  type ScanReport,
} from '../../../../src-shared/domain/security.ts';
import { severityRank } from '../../../../src-shared/domain/severity.ts';
import { scanReport } from '../../../services/reports/subjects/scanReport.ts';
import { allFindings } from '../../../services/security/scannedTools.ts';
import { scanToolsFile } from '../../../services/security/fileScans.ts';
import { placesInSkills } from '../../../services/servers/skillsFolder.ts';
import type { FindPlace } from '../../../services/servers/toolsFilePlaces.ts';
import type { CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { inSession } from '../declare.ts';
import { exitCodes, mostSevere, UsageError, type ExitCode } from '../exitCodes.ts';
import { readToolsAt } from '../input/toolsAt.ts';
import { listRegistered } from '../input/listTools.ts';
import { chosenDetectors, type SecurityOptions } from '../input/securityOptions.ts';
import { makeReportOf, writeReports, type PlannedReport } from '../output/reportFiles.ts';
import { scanText } from '../output/securityText.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { scanDocument } from '../../../services/reports/documents/securityDocument.ts';

export async function scanTools(
  context: CommandContext,
  options: SecurityOptions,
  reports: readonly PlannedReport[],
): Promise<ExitCode> {
  for (const [name, value] of [
    ['--verdicts', options.verdicts],
    ['--baseline', options.baseline],
  ])
    if (value !== undefined) throw new UsageError(`security: ${name} needs --corpus.`);
  const { io, output } = context;
  const { rules, judge } = chosenDetectors(options);
  if (judge)
    throw new UsageError(`--detector ${modelJudge}: It judges entries of a corpus; give --corpus.`);
  const { failOn = null } = options;
  const { tools, servers, rejected, findPlace } =
    options.tools === undefined
      ? await scanServers(context, options.server ?? [], rules)
      : await scanFile(options.tools, io, rules);
  for (const { server, name, reason } of rejected)
    output.note(`rejected ${server}:${name}: ${reason}`);
  const findings = allFindings(tools);
  await writeReports(
    makeReportOf(
      (generated) =>
        scanReport(
          { tools, servers, failOn, file: options.tools ?? null, ...(findPlace && { findPlace }) },
          generated,
        ),
      options,
    ),
    reports,
    context,
  );
  output.answer(publish(scanDocument, { tools, servers }), () => scanText(tools, servers));
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
  /** Finds a part of a tool in the file that was scanned. */
  findPlace?: FindPlace;
}

async function scanFile(
  file: string,
  io: CommandIo,
  rules: readonly RuleDetector[],
): Promise<Scanned> {
  const read = await readToolsAt(file, io);
  return {
    tools: await scanToolsFile(read, rules),
    servers: [],
    rejected: read.rejected,
    findPlace: read.findPlace,
  };
}

/**
 * Lists the servers' tools again, to notice changes since the last listing, and scans them as the
 * window does.
 */
function scanServers(
  context: CommandContext,
  names: readonly string[],
  rules: readonly RuleDetector[],
): Promise<Scanned> {
  return inSession(context, 'write', async ({ client }) => {
    const listed = await listRegistered(client, names);
    const ids = listed.flatMap(({ id, error }) => (error === null ? [id] : []));
    const report: ScanReport =
      ids.length === 0
        ? { servers: [], tools: [] }
        : await client.security.scan({ serverIds: ids });
    const tools = report.tools.map((tool) => ({
      ...tool,
      findings: tool.findings.filter(({ detector }) => rules.some((each) => each === detector)),
    }));
    return {
      tools,
      servers: listed.map(({ name, error }) => ({ name, problem: error })),
      rejected: listed.flatMap(({ listing }) => listing?.listing.rejected ?? []),
      findPlace: placesInSkills(
        listed.flatMap(({ listing }) => listing?.tools ?? []),
        new Map(
          (await client.servers.list()).flatMap(({ name, config }) =>
            'folder' in config ? [[name, config.folder]] : [],
          ),
        ),
      ),
    };
  });
}
