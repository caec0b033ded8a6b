import { severityRank, type EntryFinding, type Severity, type ToolFinding } from '../../../src-shared/domain/security.ts';

type Reported = (EntryFinding | ToolFinding) & { accepted?: { reason: string } | null };

const levels: Record<Severity, 'error' | 'warning' | 'note'> = { critical: 'error', high: 'error', medium: 'warning', low: 'note' };
/** What readers of SARIF sort by: 0–10. */
const scores: Record<Severity, string> = { critical: '9.5', high: '8.0', medium: '5.0', low: '2.0' };

export const subjectOf = (finding: EntryFinding | ToolFinding): string => ('id' in finding ? finding.id : `${finding.server}:${finding.tool}`);

/** Findings as SARIF 2.1.0: a rule for each rule of a detector, the tool or entry as logical location, accepted findings as suppressed. */
export function toSarif(findings: readonly Reported[], version: string): string {
  const rules = new Map<string, { index: number; finding: Reported }>();
  for (const finding of findings) {
    const id = ruleId(finding);
    if (!rules.has(id)) rules.set(id, { index: rules.size, finding });
  }
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Touchstone',
            version,
            rules: [...rules].map(([id, { finding }]) => ({
              id,
              shortDescription: { text: finding.detector },
              defaultConfiguration: { level: levels[finding.severity] },
              properties: { tags: ['security', finding.category], 'security-severity': scores[finding.severity] },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => ({
          ruleId: ruleId(finding),
          ruleIndex: rules.get(ruleId(finding))?.index ?? 0,
          level: levels[finding.severity],
          message: { text: finding.why },
          locations: [{ logicalLocations: [{ name: subjectOf(finding), fullyQualifiedName: `${subjectOf(finding)}${finding.place}`, kind: 'function' }] }],
          properties: { id: subjectOf(finding), detector: finding.detector, category: finding.category, severity: finding.severity, rank: severityRank[finding.severity], place: finding.place, span: finding.span, text: finding.text },
          ...('fingerprint' in finding ? { partialFingerprints: { 'touchstone/v1': finding.fingerprint } } : {}),
          ...(finding.accepted ? { suppressions: [{ kind: 'external', status: 'accepted', justification: finding.accepted.reason }] } : {}),
        })),
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const ruleId = ({ detector, rule }: Reported) => `${detector}/${rule}`;
