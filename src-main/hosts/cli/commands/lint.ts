import { counted, formatDecimal } from '../../../../src-shared/display/numbers.ts';
import { qualityHeadline } from '../../../../src-shared/display/qualityTexts.ts';
import { z } from 'zod';
import { lintSeverities } from '../../../../src-shared/domain/lint.ts';
import {
  lintRulesById,
  lintWithClients,
  toolsWithTwins,
  type LintReport,
} from '../../../services/similarity/lint.ts';
import { openSignalsIn } from '../../../services/similarity/openSignals.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { lintDocument } from '../../../services/reports/documents/lintDocument.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { isAtLeast, lintReport } from '../../../services/reports/subjects/lintReport.ts';
import { define, inSession } from '../declare.ts';
import { exitCodes } from '../exitCodes.ts';
import { examineWith } from '../input/examineTools.ts';
import { table } from '../output/output.ts';
import { makeReportOf, plannedReports, reportFlags, writeReports } from '../output/reportFiles.ts';
import { toolsOfSources } from '../input/toolsOfSources.ts';

const rules = [...lintRulesById().keys()];

export const lint = define({
  flags: [
    {
      '--tools <file>': 'tools from a file, or a folder of skills (- reads standard input)',
      '--server <name...>': 'registered servers',
      '--off <rule...>': {
        about: 'rules to turn off (default: none; of registered servers, those of the settings)',
        of: z.enum(rules),
      },
      '--fail-on <severity>': {
        about:
          'exits with 1 if something of this severity or above is found: ' +
          lintSeverities.join(', '),
        of: z.enum(lintSeverities),
      },
    },
    reportFlags(formatsBySubject.lint),
  ],
  notes: `Rules: ${rules.join(', ')}.`,
  example: 'lint ' + '--tools tools.json --off many-parameters --fail-on high',
  async run({ options, ...context }) {
    const { io, output } = context;
    const { failOn = null } = options;
    const ofSettings =
      options.off !== undefined || options.server === undefined
        ? []
        : (
            await inSession(context, 'read', ({ client }) => client.settings.get())
          ).qualityRulesOff.filter((id) => lintRulesById().has(id));
    const off = new Set<string>(options.off ?? ofSettings);
    const reports = await plannedReports(options, io, formatsBySubject.lint, {
      given: failOn !== null,
      option: '--fail-on',
    });
    const { tools, rejected, failed, instructions, findPlace } = await toolsOfSources(
      'lint',
      context,
      options,
    );
    for (const { server, name, reason } of rejected)
      output.note(`rejected ${server}:${name}: ${reason}`);
    for (const { server, reason } of failed) output.error(`${server}: ${reason}`);
    // An interrupt ends the command between two steps.
    const { signal } = new AbortController();
    const concerned = await toolsWithTwins(tools, signal);
    const examine = examineWith(context, { tools, registered: options.server !== undefined });
    const openSignals =
      concerned.length === 0 ? new Set<string>() : openSignalsIn(await examine(concerned, signal));
    const report = await lintWithClients(
      tools,
      { off, openSignals, rejected, ...(instructions && { instructions }) },
      signal,
    );
    if (ofSettings.length > 0)
      output.note(
        `The settings turn ${counted(ofSettings.length, 'rule')} off: ${ofSettings.join(', ')}.`,
      );
    output.answer(publish(lintDocument, report), () => text(report));
    const subject = {
      report,
      failOn,
      file: options.tools ?? null,
      ...(findPlace && { findPlace }),
    };
    await writeReports(
      makeReportOf((generated) => lintReport(subject, generated), options),
      reports,
      context,
    );
    if (failed.length > 0) io.setExitCode(exitCodes.incomplete);
    else if (failOn !== null && report.findings.some(({ severity }) => isAtLeast(severity, failOn)))
      io.setExitCode(exitCodes.gateFailed);
  },
});

function text(report: LintReport): string {
  const { findings, tools, servers } = report;
  const deducted = tools.flatMap(({ toolId, score, deductions: [largest] }) =>
    largest ? [[String(score), toolId, `${largest.rule} −${largest.points}`, largest.fix]] : [],
  );
  return [
    ...(tools.length > 0 ? [qualityHeadline(report), ''] : []),
    ...(findings.length > 0
      ? [
          table([
            ['severity', 'rule', 'tool', 'finding'],
            ...findings.map(({ severity, rule, toolId, message }) => [
              severity,
              rule,
              toolId,
              message,
            ]),
          ]),
          '',
        ]
      : []),
    ...(deducted.length > 0
      ? [table([['score', 'tool', 'largest deduction', 'fix'], ...deducted]), '']
      : []),
    table([
      ['server', 'score (1–10)', 'tools'],
      ...servers.map(({ server, score, tools }) => [
        server,
        formatDecimal(score, 1),
        String(tools),
      ]),
    ]),
    `${counted(findings.length, 'finding')}.`,
  ].join('\n');
}
