import { z } from 'zod';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { EntryFinding, SecurityCorpus } from '../../../src-shared/domain/security.ts';
import type { Severity } from '../../../src-shared/domain/severity.ts';
import { attackCategories } from '../../../src-shared/domain/security.ts';
import type { Verdict } from '../../../src-shared/metrics/detection.ts';

/** What detectors of other programs said about a corpus. */
export interface ExternalVerdicts {
  detectors: { detector: string; verdicts: Map<string, Verdict> }[];
  findings: EntryFinding[];
}

const plainVerdicts = z.object({
  detector: z.string().min(1),
  verdicts: z.record(z.string(), z.boolean()),
});
const entryVerdicts = z.object({
  detectors: z.array(z.string()).min(1),
  entries: z.array(
    z.object({
      id: z.string(),
      verdicts: z.array(z.object({ detector: z.string(), flagged: z.boolean() })),
    }),
  ),
});
const location = z.object({
  logicalLocations: z
    .array(z.object({ fullyQualifiedName: z.string().optional(), name: z.string().optional() }))
    .optional(),
  physicalLocation: z
    .object({ artifactLocation: z.object({ uri: z.string().optional() }).optional() })
    .optional(),
});
const sarifLog = z.object({
  version: z.string().startsWith('2.'),
  runs: z.array(
    z.object({
      tool: z.object({ driver: z.object({ name: z.string().min(1) }) }),
      results: z
        .array(
          z.object({
            ruleId: z.string().optional(),
            level: z.string().optional(),
            kind: z.string().optional(),
            message: z.object({ text: z.string().optional() }).optional(),
            locations: z.array(location).optional(),
            properties: z.record(z.string(), z.unknown()).optional(),
          }),
        )
        .optional(),
    }),
  ),
});

const flaggedVerdict: Verdict = { flagged: true, score: 1 };
const benignVerdict: Verdict = { flagged: false, score: 0 };

/**
 * Reads the verdicts of another detector: `{"detector","verdicts":{"<id>":true|false}}`, the form
 * by entries with several detectors, or SARIF, where a result names its entry by a logical location
 * or `properties.id`. Rejects a verdict for an id that the corpus does not have.
 */
export function readVerdicts(
  content: string,
  name: string,
  corpus: SecurityCorpus,
): ExternalVerdicts {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw invalidVerdicts(name, `They aren't valid JSON (${errorText(error)}).`);
  }
  const known = new Set(corpus.entries.map(({ id }) => id));
  const requireEntry = (id: string) => {
    if (!known.has(id))
      throw new ServiceError('INVALID', {
        thing: `The verdict for ${id} in ${name}`,
        cause: 'The corpus has no entry with this ID.',
        nextStep: 'Provide verdicts for this corpus, or choose the corpus they were made for.',
      });
    return id;
  };
  const asSarif = sarifLog.safeParse(parsed);
  if (asSarif.success) return readSarif(asSarif.data, known, requireEntry);
  const asPlain = plainVerdicts.safeParse(parsed);
  if (asPlain.success) {
    const verdicts = new Map(
      Object.entries(asPlain.data.verdicts).map(([id, flagged]) => [
        requireEntry(id),
        flagged ? flaggedVerdict : benignVerdict,
      ]),
    );
    return { detectors: [{ detector: asPlain.data.detector, verdicts }], findings: [] };
  }
  const asScanned = entryVerdicts.safeParse(parsed);
  if (!asScanned.success) throw invalidVerdicts(name, 'Their format is not supported.');
  const detectors = asScanned.data.detectors.map((detector) => ({
    detector,
    verdicts: new Map<string, Verdict>(),
  }));
  for (const { id, verdicts } of asScanned.data.entries) {
    for (const { detector, flagged } of verdicts)
      detectors
        .find((each) => each.detector === detector)
        ?.verdicts.set(requireEntry(id), flagged ? flaggedVerdict : benignVerdict);
  }
  return { detectors, findings: [] };
}

const invalidVerdicts = (name: string, cause: string) =>
  new ServiceError('INVALID', {
    thing: `The verdicts ${name}`,
    cause,
    nextStep: 'Give {"detector","verdicts":{"<entry id>":true}}, or SARIF 2.1.0.',
  });

const severityByLevel: Record<string, Severity> = { error: 'high', warning: 'medium', note: 'low' };

function readSarif(
  { runs }: z.infer<typeof sarifLog>,
  known: ReadonlySet<string>,
  requireEntry: (id: string) => string,
): ExternalVerdicts {
  const findings: EntryFinding[] = [];
  const detectors = runs.map(({ tool: { driver }, results = [] }) => {
    const verdicts = new Map<string, Verdict>();
    for (const result of results) {
      if (result.kind !== undefined && result.kind !== 'fail') continue;
      const level = result.level ?? 'warning';
      if (level === 'none') continue;
      const names = [
        result.properties?.['id'],
        ...(result.locations ?? []).flatMap(({ logicalLocations = [], physicalLocation }) => [
          ...logicalLocations.flatMap((each) => [each.fullyQualifiedName, each.name]),
          physicalLocation?.artifactLocation?.uri,
        ]),
      ].filter((each) => typeof each === 'string');
      const id = requireEntry(
        names.find((each) => known.has(each)) ?? names[0] ?? '(no entry named)',
      );
      const severity = severityByLevel[level] ?? 'medium';
      if (severity !== 'low') verdicts.set(id, flaggedVerdict);
      const text = result.message?.text ?? '';
      findings.push({
        id,
        detector: driver.name,
        rule: result.ruleId ?? 'result',
        category: attackCategories[0],
        severity,
        place: '',
        span: [0, 0],
        text: '',
        why: text,
      });
    }
    return { detector: driver.name, verdicts };
  });
  return { detectors, findings };
}
