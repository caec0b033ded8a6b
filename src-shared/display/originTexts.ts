import type { EvaluationOrigin } from '../domain/evaluationOrigin.ts';

type OriginKind = EvaluationOrigin['kind'];

const texts: Readonly<
  Record<OriginKind, { badge: string; singular: string; plural: string; meaning: string }>
> = {
  what_if: {
    badge: 'Estimate',
    singular: 'estimate',
    plural: 'estimates',
    meaning: 'The same cases with changed tools.',
  },
  case_rerun: {
    badge: 'Case rerun',
    singular: 'case rerun',
    plural: 'case reruns',
    meaning: 'One case with the same model and tools.',
  },
  asked_again: {
    badge: 'Asked again',
    singular: 'repetition of cases that disagree',
    plural: 'repetitions of cases that disagree',
    meaning: 'The cases of a check that disagree with its baseline, with the same model and tools.',
  },
  proof_half: {
    badge: 'Candidate',
    singular: 'run of a candidate',
    plural: 'runs of candidates',
    meaning: 'A candidate, estimated or proved on half of the cases.',
  },
  optimizer_step: {
    badge: 'Search step',
    singular: 'search step',
    plural: 'search steps',
    meaning: 'A candidate of a search, tried on some of the cases.',
  },
  accuracy_step: {
    badge: 'Accuracy step',
    singular: 'accuracy step',
    plural: 'accuracy steps',
    meaning: 'One step of accuracy vs. tokens: the same cases with fewer tools shown.',
  },
};

/** The badge of a derived evaluation with its meaning: `What-if`, `The same cases … (#13)`. */
export function originBadge({ kind, number }: EvaluationOrigin): { label: string; title: string } {
  const { badge, meaning } = texts[kind];
  return {
    label: badge,
    title: number === null ? meaning : `${meaning} Started from #${number}.`,
  };
}

/** Derived evaluations by kind: `2 what-if runs, 1 case rerun`. */
export function derivedText(origins: readonly EvaluationOrigin[]): string {
  return (Object.keys(texts) as OriginKind[])
    .map((kind) => ({ kind, n: origins.filter((origin) => origin.kind === kind).length }))
    .filter(({ n }) => n > 0)
    .map(({ kind, n }) => `${n} ${n === 1 ? texts[kind].singular : texts[kind].plural}`)
    .join(', ');
}
