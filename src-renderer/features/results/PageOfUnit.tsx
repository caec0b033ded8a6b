import { useQuery } from '@tanstack/react-query';
import { Suspense, type ComponentType } from 'react';
import { useParams } from 'react-router';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { useApi } from '../../api/index.ts';
import { LoadingSkeleton } from '../../ui/notices/LoadingSkeleton.tsx';
import { LoadedResult } from './result/ResultPage.tsx';

interface PageOfUnitProps {
  pages: Readonly<Record<EvaluationUnit, ComponentType>>;
}

/** The page for an evaluation's unit: its address names the evaluation alone. */
export function PageOfUnit({ pages }: PageOfUnitProps) {
  const { id = '' } = useParams();
  const { queries } = useApi();
  const unit = useQuery(
    // An evaluation never becomes one of the other unit.
    queries.evaluations.unitOf.queryOptions({ input: { id }, staleTime: Infinity }),
  );
  return (
    <LoadedResult unit="case" query={unit}>
      {(data) => {
        const Page = pages[data.unit];
        return (
          <Suspense fallback={<LoadingSkeleton blocks={[24, 160, 30, 360]} />}>
            <Page />
          </Suspense>
        );
      }}
    </LoadedResult>
  );
}
