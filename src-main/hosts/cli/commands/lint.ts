import { counted, formatDecimal } from '../../../../src-shared/display/numbers.ts';
import { qualityHeadline } from '../../../../src-shared/display/qualityTexts.ts';
import type { Command } from 'commander';
import { lintSeverities } from '../../../../src-shared/domain/lint.ts';
import {
  lintRulesById,
  lintTools,
  toolsWithTwins,
  type LintReport,
} from '../../../services/similarity/lint.ts';
import { openSignalsIn } from '../../../services/similarity/openSignals.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { lintDocument } from '../../../services/reports/documents/lintDocument.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { isAtLeast, lintReport } from '../../../services/reports/subjects/lintReport.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes } from '../exitCodes.ts';
import { examineWith } from '../input/examineTools.ts';
import { oneOf } from '../input/optionValues.ts';
import { table } from '../output/output.ts';
import {
  addReportOptions,
  makeReportOf,
  plannedReports,
  writeReports,
  type ReportOptions,
} from '../output/reportFiles.ts';
import { toolsOfSources, type SourceOptions } from '../input/toolsOfSources.ts';

interface LintOptions extends SourceOptions, ReportOptions {
  off?: string[];
  failOn?: string;
}

export function addLint(lint: Command, io: CommandIo): void {
  lint
    .option('--tools <file>', 'tools from a file, or a folder of skills (- reads standard input)')
    .option('--server <name...>', 'registered servers')
    .option('--off <rule...>', 'rules to turn off')
    .option(
      '--fail-on <severity>',
      'exits with 1 if something of this severity or above is found: ' + lintSeverities.join(', '),
    );
  addReportOptions(lint, formatsBySubject.lint)
    .addHelpText(
      'after',
      `\nRules: ${[...lintRulesById.keys()].join(', ')}.\n\nExample:\n  touchstone lint ` +
        '--tools tools.json --off many-parameters --fail-on high',
    )
    .action(async (options: LintOptions, command: Command) => {
      const context = contextOf(command, io);
      const { output } = context;
      const off = new Set(
        (options.off ?? []).map((rule) => oneOf(rule, '--off', [...lintRulesById.keys()])),
      );
      const failOn =
        options.failOn === undefined ? null : oneOf(options.failOn, '--fail-on', lintSeverities);
      const reports = await plannedReports(options, io, formatsBySubject.lint, {
        given: failOn !== null,
        option: '--fail-on',
      });
      const found = await toolsOfSources('lint', context, options);
      for (const { server, name, reason } of found.rejected)
        output.note(`rejected ${server}:${name}: ${reason}`);
      for (const { server, reason } of found.failed) output.error(`${server}: ${reason}`);
      const concerned = toolsWithTwins(found.tools);
      const examine = examineWith(context, {
        tools: found.tools,
        registered: options.server !== undefined,
      });
      const openSignals =
        concerned.length === 0
          ? new Set<string>()
          : openSignalsIn(await examine(concerned, new AbortController().signal));
      const report = lintTools(found.tools, { off, openSignals, rejected: found.rejected });
      output.answer(publish(lintDocument, report), () => text(report));
      await writeReports(
        makeReportOf(
          (generated) =>
            lintReport(
              {
                report,
                failOn,
                file: options.tools ?? null,
                ...(found.findPlace && { findPlace: found.findPlace }),
              },
              generated,
            ),
          options,
        ),
        reports,
        context,
      );
      if (found.failed.length > 0) io.setExitCode(exitCodes.incomplete);
      else if (
        failOn !== null &&
        report.findings.some(({ severity }) => isAtLeast(severity, failOn))
      )
        io.setExitCode(exitCodes.gateFailed);
    });
}

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
