/** Most severe first. A `low` finding is a remark and flags nothing. */
export const severities = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof severities)[number];
export const severityRank: Record<Severity, number> = { critical: 4, high: 3, medium: 2, low: 1 };
