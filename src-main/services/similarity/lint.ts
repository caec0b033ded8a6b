import type { LintRuleInfo } from '../../../src-shared/domain/lint.ts';
import { lintTools, ruleInfos } from '../../analysis/lint/lintTools.ts';
import { toolsWithTwins } from '../../analysis/lint/twinAdvice.ts';

export type { LintReport } from '../../../src-shared/domain/lint.ts';
export { lintTools, toolsWithTwins };

/** The lint rules by id. */
export const lintRulesById: ReadonlyMap<string, LintRuleInfo> = new Map(
  ruleInfos().map((rule) => [rule.id, rule]),
);
