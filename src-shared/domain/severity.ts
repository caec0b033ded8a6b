/** The gravest first. A finding of `low` is a remark: it flags nothing. */
export const severities = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof severities)[number];
export const severityRank: Record<Severity, number> = { critical: 4, high: 3, medium: 2, low: 1 };
