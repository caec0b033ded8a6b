import type { ReactNode } from 'react';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { evaluationLink, evaluationTitle } from '../links.ts';

interface RunPageProps<Detail> {
  unit: EvaluationUnit;
  evaluationId: string;
  /** Undefined until it has loaded. */
  evaluation: { number: number; suiteName: string } | undefined;
  /** The list that the run was opened from. */
  list?: { label: string; to: string };
  run: { data: Detail | undefined; error: unknown; refetch: () => unknown };
  /** The case or task of the run. */
  nameOf: (detail: Detail) => string;
  /** What happened in it. */
  titleOf: (detail: Detail) => ReactNode;
  facts: string;
  actions: ReactNode;
  /** What a notice says above the run. */
  above?: ReactNode;
  children: (detail: Detail) => ReactNode;
}

/** One run of a case or task: what happened in a sentence, the evidence, and what to do next. */
export function RunPage<Detail>(props: RunPageProps<Detail>) {
  const { unit, evaluationId, evaluation, list, run, facts, actions, above, children } = props;
  const word = unit === 'task' ? 'Run' : 'Case';
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Results', to: '/results' },
          {
            label: evaluation
              ? `#${evaluation.number} ${evaluation.suiteName}`
              : evaluationTitle(unit),
            to: evaluationLink(evaluationId),
          },
          ...(list === undefined ? [] : [list]),
          { label: run.data === undefined ? word : props.nameOf(run.data) },
        ]}
        title={run.data === undefined ? word : props.titleOf(run.data)}
        {...(facts !== '' && { subtitle: facts })}
        actions={actions}
      />
      {above}
      <Loaded query={run} blocks={[120, 280, 80]} label={`Loading the ${word.toLowerCase()}`}>
        {children}
      </Loaded>
    </>
  );
}
