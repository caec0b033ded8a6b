import { z } from 'zod';
import { proportionOf, ratioOf, type Interval } from './intervals.ts';
import { reasons } from './reasons.ts';
import type { Path, Recount } from './recount.ts';

const rated = z.looseObject({ n: z.number() });
const detector = z.looseObject({
  detector: z.string(),
  tp: z.number(),
  fp: z.number(),
  tn: z.number(),
  fn: z.number(),
  hard_negatives: z.object({ flagged: z.number(), fpr: rated }),
  categories: z.array(z.looseObject({ flagged: z.number(), rate: rated })),
});
const limits = z.looseObject({
  detector: z.string(),
  fpr_ceiling: z.number().nullable(),
  recall_floor: z.number().nullable(),
  fpr: z.number().nullable(),
  recall: z.number().nullable(),
});
const scoreRows = z.looseObject({
  entries: z.number(),
  per_detector: z.array(detector),
  combined: detector,
  false_alarms: z.array(z.string()),
  missed: z.array(z.string()),
  gate: z
    .object({ detectors: z.array(limits) })
    .loose()
    .nullable(),
});
const scanRows = z.looseObject({ combined: z.null(), tools: z.number() });

type Detector = z.infer<typeof detector>;

/** A scan lists what it found; a score is counted again from the table of each detector. */
export function recountSecurity(document: unknown, recount: Recount): void {
  recount.rows('version');
  recount.notChecked('generated', reasons.times);
  recount.notCheckedAll(reasons.tools, ['findings', 'changes', 'not_examined', 'servers']);
  if (scanRows.safeParse(document).success) {
    recount.notChecked('tools', 'tools without a finding are not listed');
    recount.notChecked('items', 'items without a finding are not listed');
    recount.notChecked('runs_averaged', 'a constant of scans');
    recount.rows('combined');
    recount.compare(['per_detector'], []);
    recount.compare(['gate'], null);
    return;
  }
  const { per_detector: detectors, combined, gate, ...report } = scoreRows.parse(document);
  const unlisted = 'the entries of the corpus are not in the report';
  recount.notCheckedAll(unlisted, ['corpus_version', 'half', 'warnings', 'false_alarms', 'missed']);
  recount.notCheckedAll(
    unlisted,
    ['false_alarms', 'missed'].map((name) => `gate.detectors[*].${name}`),
  );
  recount.notCheckedAll(
    reasons.settings,
    ['detector', 'fpr_ceiling', 'recall_floor'].map((name) => `gate.detectors[*].${name}`),
  );
  for (const prefix of ['per_detector[*]', 'combined']) {
    for (const name of ['tp', 'fp', 'tn', 'fn'])
      recount.notChecked(`${prefix}.${name}`, `${unlisted}, only their sum is`);
    recount.notChecked(`${prefix}.hard_negatives.flagged`, unlisted);
    recount.notChecked(`${prefix}.hard_negatives.fpr.n`, unlisted);
    recount.notChecked(`${prefix}.categories[*].flagged`, unlisted);
    recount.notChecked(`${prefix}.categories[*].rate.n`, unlisted);
    recount.notChecked(`${prefix}.curve`, unlisted);
    recount.notCheckedAll(reasons.ids, [`${prefix}.detector`, `${prefix}.categories[*].category`]);
    recount.notChecked(`${prefix}.spread`, 'the runs of the model are not in the report');
  }
  recount.notChecked('runs_averaged', 'the runs of the model are not in the report');
  recount.compare(['combined', 'fp'], report.false_alarms.length);
  recount.compare(['combined', 'fn'], report.missed.length);
  recount.compare(['entries'], combined.tp + combined.fp + combined.tn + combined.fn);
  compareDetector(['combined'], combined, report.entries, recount);
  for (const [at, each] of detectors.entries())
    compareDetector(['per_detector', at], each, report.entries, recount);
  if (!gate) return;
  const all = new Map([...detectors, combined].map((each) => [each.detector, ratesOf(each)]));
  for (const [at, limit] of gate.detectors.entries()) {
    const rates = all.get(limit.detector);
    const [fpr, recall] = [rates?.fpr.value ?? null, rates?.recall.value ?? null];
    const path = ['gate', 'detectors', at];
    if (rates) recount.compare(path, { fpr, recall });
    else recount.notChecked('gate.detectors[*]', 'where the detector is not in the report');
    recount.compare([...path, 'passed'], passes(limit));
  }
  const named = (passed: boolean | null) =>
    gate.detectors.filter((limit) => passes(limit) === passed).map((limit) => limit.detector);
  recount.compare(['gate', 'failed'], named(false));
  recount.compare(['gate', 'not_decided'], named(null));
  recount.compare(['gate', 'passed'], named(true).length === gate.detectors.length);
}

function passes({
  fpr,
  recall,
  fpr_ceiling: ceiling,
  recall_floor: floor,
}: z.infer<typeof limits>): boolean | null {
  if ((ceiling !== null && fpr === null) || (floor !== null && recall === null)) return null;
  const isLow = ceiling === null || (fpr ?? 0) <= ceiling + 1e-9;
  return isLow && (floor === null || (recall ?? 0) >= floor - 1e-9);
}

/** Precision, recall and FPR by Wilson; in F1 a hit adds 2 of 2, an error 0 of 1. */
function ratesOf({
  tp,
  fp,
  tn,
  fn,
}: Detector): Record<'precision' | 'recall' | 'f1' | 'fpr', Interval> {
  const entries = [
    ...Array.from({ length: tp }, () => ({ y: 2, x: 2 })),
    ...Array.from({ length: fp + fn }, () => ({ y: 0, x: 1 })),
    ...Array.from({ length: tn }, () => ({ y: 0, x: 0 })),
  ];
  return {
    precision: proportionOf(tp, tp + fp),
    recall: proportionOf(tp, tp + fn),
    f1: ratioOf(entries, tp + fp + fn),
    fpr: proportionOf(fp, fp + tn),
  };
}

function compareDetector(path: Path, own: Detector, entries: number, recount: Recount): void {
  const rates = ratesOf(own);
  recount.compare([...path, 'intervals'], rates);
  for (const name of ['precision', 'recall', 'f1', 'fpr'] as const)
    recount.compare([...path, name], rates[name].value);
  recount.compareRange(
    [...path, 'tn'],
    entries - own.tp - own.fp - own.fn,
    entries - own.tp - own.fp - own.fn,
  );
  const { flagged, fpr } = own.hard_negatives;
  recount.compare([...path, 'hard_negatives', 'fpr'], proportionOf(flagged, fpr.n));
  for (const [at, { flagged: hits, rate }] of own.categories.entries())
    recount.compare([...path, 'categories', at, 'rate'], proportionOf(hits, rate.n));
}
