import { z } from 'zod';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import {
  modelJudge,
  ruleDetectors,
  type RuleDetector,
} from '../../../../src-shared/domain/security.ts';
import { severities } from '../../../../src-shared/domain/severity.ts';
import { providers } from '../../../../src-shared/domain/provider.ts';
import { reportFlags } from '../output/reportFiles.ts';
import type { OptionsOf } from '../declare.ts';
import { additionFlags } from './modelOptions.ts';

const detectors = [...ruleDetectors, modelJudge] as const;

export const securityFlags = [
  {
    '--corpus <file>': 'score on this labeled corpus',
    '--private': 'accept texts of any license in the corpus; it is not kept or passed on',
    '--tools <file>': 'scan the tools of this file, or a folder of skills',
    '--server <name...>': 'scan the current tools of these servers',
    '--detector <name...>': { about: `only these: ${detectors.join(', ')}`, of: z.enum(detectors) },
    '--half <half>': {
      about: 'all, development or held-out entries',
      default: 'all',
      of: z.enum(['all', 'development', 'held-out']),
    },
    '--verdicts <file>': 'score verdicts of another detector (JSON or SARIF)',
    '--baseline <file>': 'exit with 1 if a false-alarm ceiling or a recall floor is missed',
    '--fail-on <severity>': {
      about: `scans: exit with 1 from this severity on (${severities.join(', ')})`,
      of: z.enum(severities),
    },
    '--provider <provider>': { about: 'provider of the model that judges', words: providers },
    '--model <model>': 'model that judges',
    '--base-url <url>': 'address of a compatible endpoint',
    '--runs <n>': { about: 'how many times the model judges each entry', default: '3' },
    '--record <file>': 'append every answer of the model that judges to this file',
    '--replay <file>': 'use the answers in this file instead of asking a model',
  },
  additionFlags(''),
  reportFlags(formatsBySubject.security),
] as const;
export type SecurityOptions = OptionsOf<typeof securityFlags>;

/** The detectors of `--detector`; without it, all rules and no model. */
export const chosenDetectors = ({
  detector,
}: SecurityOptions): { rules: RuleDetector[]; judge: boolean } => ({
  rules: ruleDetectors.filter((each) => detector?.includes(each) ?? true),
  judge: detector?.includes(modelJudge) ?? false,
});
