import { relative } from 'node:path';
import { sha256 } from '../../../runtime/sha256.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { severityRank, type Severity } from '../../../../src-shared/domain/severity.ts';
import { stringifyVisible } from '../../../../src-shared/display/visibleText.ts';
import type { ReportFinding, WriteFormat } from '../report.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
};
/** GitHub sorts findings by this score, from 0 to 10. */
const scores: Readonly<Record<Severity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.0',
  low: '2.0',
};

/**
 * Findings as SARIF 2.1.0: one SARIF rule per rule, the tool or entry as logical location, accepted
 * findings as suppressed.
 */
export const writeSarif: WriteFormat = async function* ({ subject, title, generated, findings }) {
  if (!findings)
    throw new ServiceError('INVALID', {
      thing: `${title} as sarif`,
      cause: `A report of ${subject} holds no findings about tools.`,
      nextStep: 'Choose another format.',
      field: 'format',
    });
  const rules = new Map<string, { index: number; finding: ReportFinding }>();
  for (const finding of findings)
    if (!rules.has(finding.rule)) rules.set(finding.rule, { index: rules.size, finding });
  const driver = {
    name: 'Touchstone',
    rules: [...rules].map(([id, { finding }]) => ruleOf(id, finding)),
  };
  yield (
    '{\n"$schema": "https://json.schemastore.org/sarif-2.1.0.json",\n"version": ' +
    `"2.1.0",\n"runs": [{\n"tool": ${stringifyVisible({ driver })},\n`
  );
  yield (
    `"properties": ${stringifyVisible({ generated })},\n"columnKind": ` +
    '"utf16CodeUnits",\n"results": ['
  );
  const seen = new Map<string, number>();
  let before = '\n';
  for (const finding of findings) {
    yield `${before}${stringifyVisible(resultOf(finding, rules.get(finding.rule)?.index ?? 0, uniqueFingerprint(finding.fingerprint, seen)))}`;
    before = ',\n';
  }
  yield '\n]\n}]\n}\n';
};

/** A SARIF rule; it takes its severity from the first finding. */
function ruleOf(id: string, { about, severity, tags }: ReportFinding) {
  return {
    id,
    shortDescription: { text: about },
    defaultConfiguration: { level: levels[severity] },
    properties: {
      tags,
      ...(tags.includes('security') ? { 'security-severity': scores[severity] } : {}),
    },
  };
}

/** A SARIF result; accepted findings are marked as suppressed instead of left out. */
function resultOf(
  {
    rule,
    severity,
    message,
    subject,
    place,
    artifact,
    region,
    accepted,
    properties,
  }: ReportFinding,
  ruleIndex: number,
  fingerprint: string,
) {
  const found = region();
  return {
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: message },
    // GitHub shows no finding without a file. For tools from a server, the server's name stands in
    // for it.
    locations: [
      {
        physicalLocation: {
          artifactLocation: {
            uri: found?.file === undefined ? artifact : artifactOf(found.file, ''),
          },
          region: found ? { startLine: found.line, startColumn: found.column } : { startLine: 1 },
        },
        logicalLocations: [
          { name: subject, fullyQualifiedName: `${subject}${place}`, kind: 'function' },
        ],
      },
    ],
    properties: { id: subject, severity, rank: severityRank[severity], place, ...properties },
    partialFingerprints: { 'touchstone/v1': fingerprint },
    ...(accepted === null
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: accepted }] }),
  };
}

/** Numbers repeated fingerprints, so that readers do not merge separate findings. */
function uniqueFingerprint(fingerprint: string, seen: Map<string, number>): string {
  const before = seen.get(fingerprint) ?? 0;
  seen.set(fingerprint, before + 1);
  return before === 0 ? fingerprint : `${fingerprint}:${before + 1}`;
}

/** The relative URI of a file in this folder, or of the server that the tools came from. */
export function artifactOf(file: string | null, server: string): string {
  const path =
    file === null
      ? `servers/${server}`
      : file === '-'
        ? 'standard-input'
        : relative(process.cwd(), file);
  return path.toWellFormed().split(/[\\/]/).map(encodeURIComponent).join('/');
}

/**
 * A fingerprint of what a finding says, not of its position: text that moves keeps it. Lengths are
 * included so that parts can't run into each other.
 */
export const fingerprintOf = (...parts: readonly string[]): string =>
  sha256(parts.map((part) => `${part.length}:${part}`).join('')).slice(0, 32);
