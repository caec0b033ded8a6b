import type { EvaluationOrigin } from '../domain/evaluationOrigin.ts';

type OriginKind = EvaluationOrigin['kind'];

const texts: Readonly<
  Record<OriginKind, { badge: string; singular: string; plural: string; meaning: string }>
> = {
  what_if: {
    badge: 'What-if',
    singular: 'what-if run',
    plural: 'what-if runs',
    meaning: 'The same cases with changed tools.',
  },
  case_rerun: {
    badge: 'Case rerun',
    singular: 'case rerun',
    plural: 'case reruns',
    meaning: 'One case with the same model and tools.',
  },
  proof_half: {
    badge: 'Fix run',
    singular: 'fix run',
    plural: 'fix runs',
    meaning: 'An edited tool, tried on half of the cases.',
  },
  optimizer_step: {
    badge: 'Optimizer step',
    singular: 'optimizer step',
    plural: 'optimizer steps',
    meaning: 'A candidate of an optimization, tried on some of the cases.',
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
