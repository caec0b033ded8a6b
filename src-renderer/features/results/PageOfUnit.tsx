import { Suspense, type ComponentType, type ReactNode } from 'react';
import { useParams } from 'react-router';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { useRead } from '../../api/index.ts';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { LoadingSkeleton } from '../../ui/notices/notices.tsx';
import { evaluationLink, evaluationName, evaluationTitle } from './links.ts';
import type { Listed } from './list/listed.ts';
import { LoadedResult } from './result/ResultPage.tsx';

/** What depends on the unit of the evaluation in the address, which names the evaluation alone. */
export function OfUnit(props: { children: (unit: EvaluationUnit, id: string) => ReactNode }) {
  const { children } = props;
  const { id = '' } = useParams();
  const unit = useRead((ask) => ask.evaluations.unitOf, { input: { id }, staleTime: Infinity });
  return (
    <LoadedResult unit="case" query={unit}>
      {(data) => children(data.unit, id)}
    </LoadedResult>
  );
}

export function PageOfUnit({ pages }: { pages: Readonly<Record<EvaluationUnit, ComponentType>> }) {
  return (
    <OfUnit>
      {(unit) => {
        const Page = pages[unit];
        return (
          <Suspense fallback={<LoadingSkeleton blocks={[24, 160, 30, 360]} />}>
            <Page />
          </Suspense>
        );
      }}
    </OfUnit>
  );
}

/** The evaluation of either unit that a page is about, and its name while it loads and afterwards. */
export function useOneOf(unit: EvaluationUnit, id: string) {
  const query = useRead((ask) => ask.evaluations.get, {
    input: unit === 'task' ? { unit, id } : { id },
  });
  const one = query.data && ({ unit, evaluation: query.data } as Listed);
  return { query, one, name: one ? evaluationName(unit, one.evaluation) : evaluationTitle(unit) };
}

interface ResultPartHeaderProps {
  id: string;
  /** Of the result. */
  name: string;
  crumb: string;
  title: string;
  subtitle: string;
}

export const ResultPartHeader = ({ id, name, crumb, title, subtitle }: ResultPartHeaderProps) => (
  <PageHeader
    crumbs={[
      { label: 'Results', to: '/results' },
      { label: name, to: evaluationLink(id) },
      { label: crumb },
    ]}
    title={title}
    subtitle={subtitle}
  />
);
