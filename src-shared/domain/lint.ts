import { z } from 'zod';

export const lintSeverities = ['high', 'medium', 'low'] as const;
export const lintSeverity = z.enum(lintSeverities);
export type LintSeverity = z.infer<typeof lintSeverity>;

export const lintFinding = z.object({
  toolId: z.string(),
  rule: z.string(),
  severity: lintSeverity,
  message: z.string(),
  /** Offsets in the description, [start, end). */
  span: z.tuple([z.number().int(), z.number().int()]).nullable(),
});
export type LintFinding = z.infer<typeof lintFinding>;

/** Mean score of a server's tools, 1–10. */
export const lintScore = z.object({
  server: z.string(),
  score: z.number(),
  tools: z.number().int(),
});

export const lintReport = z.object({ findings: z.array(lintFinding), servers: z.array(lintScore) });
export type LintReport = z.infer<typeof lintReport>;

/** A rule for display: what it checks, with a bad and a good example. */
export const lintRuleInfo = z.object({
  id: z.string(),
  severity: lintSeverity,
  what: z.string(),
  bad: z.string(),
  good: z.string(),
});
export type LintRuleInfo = z.infer<typeof lintRuleInfo>;
