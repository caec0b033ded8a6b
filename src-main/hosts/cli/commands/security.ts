import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { modelJudge } from '../../../../src-shared/domain/security.ts';
import { define } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { securityFlags } from '../input/securityOptions.ts';
import { plannedReports } from '../output/reportFiles.ts';
import { scanTools } from './securityScan.ts';
import { rejectAdditionOptions } from '../input/modelOptions.ts';
import { scoreDetectors } from './securityScore.ts';

export const security = define({
  flags: securityFlags,
  example:
    'security --tools tools.json --fail-on high --report ' +
    'scan.sarif\n  touchstone security --corpus datasets/security_corpus_v1.json --half ' +
    'held-out --baseline datasets/baseline_v6.json',
  async run({ options, ...context }) {
    const { corpus, tools, server, detector, baseline } = options;
    if ([corpus, tools, server].filter((value) => value !== undefined).length !== 1)
      throw new UsageError('security: Give one of --corpus, --tools and --server.');
    if (corpus === undefined || detector?.includes(modelJudge) !== true)
      rejectAdditionOptions(options, '', `--corpus and --detector ${modelJudge}`);
    const reports = await plannedReports(options, context.io, formatsBySubject.security, {
      given: corpus === undefined || baseline !== undefined,
      option: '--baseline',
    });
    context.io.setExitCode(
      corpus === undefined
        ? await scanTools(context, options, reports)
        : await scoreDetectors(context, options, corpus, reports),
    );
  },
});
