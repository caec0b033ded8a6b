import { z } from 'zod';

export const lintSeverities = ['high', 'medium', 'low'] as const;
export const lintSeverity = z.enum(lintSeverities);
export type LintSeverity = z.infer<typeof lintSeverity>;

const refusal = z.object({ client: z.string(), source: z.string() });

const lintFinding = z.object({
  toolId: z.string(),
  rule: z.string(),
  severity: lintSeverity,
  message: z.string(),
  /** What to do about it, as one sentence. */
  fix: z.string(),
  /** Offsets in the description, [start, end). */
  span: z.tuple([z.number().int(), z.number().int()]).nullable(),
  /** JSON pointer within the tool, where the rule knows it; `#name` after it means the key itself. */
  place: z.string().optional(),
  /** Programs and providers that refuse it, each with how that is known. */
  refusedBy: z.array(refusal).optional(),
});
export type LintFinding = z.infer<typeof lintFinding>;

/** Mean score of a server's tools, 1–10. */
const lintScore = z.object({
  server: z.string(),
  score: z.number(),
  tools: z.number().int(),
});

/** What one rule takes from a tool's ten points, however often it finds something. */
const lintDeduction = z.object({
  rule: z.string(),
  severity: lintSeverity,
  points: z.number().int(),
  fix: z.string(),
});
export type LintDeduction = z.infer<typeof lintDeduction>;

/** The score of one tool: 10 less its deductions, at least 1. */
const lintToolScore = z.object({
  toolId: z.string(),
  score: z.number(),
  /** The largest first. */
  deductions: z.array(lintDeduction),
});
export type LintToolScore = z.infer<typeof lintToolScore>;

export const lintReport = z.object({
  findings: z.array(lintFinding),
  /** The lowest score first. */
  tools: z.array(lintToolScore),
  servers: z.array(lintScore),
});
export type LintReport = z.infer<typeof lintReport>;

/** A rule for display: what it checks, with a bad and a good example. */
export const lintRuleInfo = z.object({
  id: z.string(),
  severity: lintSeverity,
  what: z.string(),
  fix: z.string(),
  bad: z.string(),
  good: z.string(),
});
export type LintRuleInfo = z.infer<typeof lintRuleInfo>;
