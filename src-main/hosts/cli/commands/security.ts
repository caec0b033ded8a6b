import type { Command } from 'commander';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { modelJudge, ruleDetectors } from '../../../../src-shared/domain/security.ts';
import { severities } from '../../../../src-shared/domain/severity.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import type { SecurityOptions } from '../input/securityOptions.ts';
import { addReportOptions, plannedReports } from '../output/reportFiles.ts';
import { scanTools } from './securityScan.ts';
import { addAdditionOptions, rejectAdditionOptions } from '../input/modelOptions.ts';
import { scoreDetectors } from './securityScore.ts';

export function addSecurity(security: Command, io: CommandIo): void {
  security
    .option('--corpus <file>', 'score on this labeled corpus')
    .option('--private', 'accept texts of any license in the corpus; it is not kept or passed on')
    .option('--tools <file>', 'scan the tools of this file, or a folder of skills')
    .option('--server <name...>', 'scan the current tools of these servers')
    .option('--detector <name...>', `only these: ${[...ruleDetectors, modelJudge].join(', ')}`)
    .option('--half <half>', 'all, development or held-out entries', 'all')
    .option('--verdicts <file>', 'score verdicts of another detector (JSON or SARIF)')
    .option('--baseline <file>', 'exit with 1 if a false-alarm ceiling or a recall floor is missed')
    .option(
      '--fail-on <severity>',
      `scans: exit with 1 from this severity on (${severities.join(', ')})`,
    )
    .option('--provider <provider>', 'provider of the model that judges')
    .option('--model <model>', 'model that judges')
    .option('--base-url <url>', 'address of a compatible endpoint')
    .option('--runs <n>', 'how many times the model judges each entry', '3')
    .option('--record <file>', 'append every answer of the model that judges to this file')
    .option('--replay <file>', 'use the answers in this file instead of asking a model');
  addAdditionOptions(security, '');
  addReportOptions(security, formatsBySubject.security)
    .addHelpText(
      'after',
      '\nExample:\n  touchstone security --tools tools.json --fail-on high --report ' +
        'scan.sarif\n  touchstone security --corpus datasets/security_corpus_v1.json --half ' +
        'held-out --baseline datasets/baseline_v4.json',
    )
    .action(async (options: SecurityOptions, command: Command) => {
      const context = contextOf(command, io);
      const sources = [options.corpus, options.tools, options.server].filter(
        (value) => value !== undefined,
      );
      if (sources.length !== 1)
        throw new UsageError('security: Give one of --corpus, --tools and --server.');
      if (options.corpus === undefined || options.detector?.includes(modelJudge) !== true)
        rejectAdditionOptions(options, '', `--corpus and --detector ${modelJudge}`);
      const reports = await plannedReports(options, io, formatsBySubject.security, {
        given: options.corpus === undefined || options.baseline !== undefined,
        option: '--baseline',
      });
      io.setExitCode(
        options.corpus === undefined
          ? await scanTools(context, options, reports)
          : await scoreDetectors(context, options, options.corpus, reports),
      );
    });
}
