import type { LintRuleInfo } from '../../../src-shared/domain/lint.ts';
import { lintTools, ruleInfos } from '../../analysis/lint/lintTools.ts';

export type { LintReport } from '../../../src-shared/domain/lint.ts';
export { lintTools };

/** Every rule of the lint, by its name. */
export const lintRulesById: ReadonlyMap<string, LintRuleInfo> = new Map(
  ruleInfos().map((rule) => [rule.id, rule]),
);
