import {
  modelJudge,
  ruleDetectors,
  type RuleDetector,
  type ScoreReport,
} from '../../../../src-shared/domain/security.ts';
import { severities, type Severity } from '../../../../src-shared/domain/severity.ts';
import { UsageError } from '../exitCodes.ts';
import type { AdditionOptions } from './modelOptions.ts';
import type { ReportOptions } from '../output/reportFiles.ts';

/** The options of `security`, as commander parses them. */
export interface SecurityOptions extends ReportOptions, AdditionOptions<''> {
  corpus?: string;
  private?: boolean;
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

/** The detectors of `--detector`; without it, all rules and no model. */
export function chosenDetectors({ detector }: SecurityOptions): {
  rules: RuleDetector[];
  judge: boolean;
} {
  if (!detector) return { rules: [...ruleDetectors], judge: false };
  for (const name of detector) {
    if (name !== modelJudge && !ruleDetectors.some((each) => each === name))
      throw new UsageError(
        `--detector ${name}: Unknown value. Give one of ` +
          `${[...ruleDetectors, modelJudge].join(', ')}.`,
      );
  }
  return {
    rules: ruleDetectors.filter((each) => detector.includes(each)),
    judge: detector.includes(modelJudge),
  };
}

/** Parses which half of a corpus is scored. */
export function readHalf(text: string): ScoreReport['half'] {
  if (text === 'all' || text === 'development' || text === 'held-out') return text;
  throw new UsageError(`--half ${text}: Give all, development or held-out.`);
}

/** Parses the severity of `--fail-on`. Null if it was not given. */
export function readSeverity(text: string | undefined): Severity | null {
  if (text === undefined) return null;
  const found = severities.find((each) => each === text);
  if (!found) throw new UsageError(`--fail-on ${text}: Give one of ${severities.join(', ')}.`);
  return found;
}
