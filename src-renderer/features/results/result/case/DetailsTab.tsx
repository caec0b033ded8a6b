import type { UseQueryResult } from '@tanstack/react-query';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import type { OutcomeCounts } from '../../../../../src-shared/domain/outcome.ts';
import type { ToolSnapshot } from '../../../../../src-shared/domain/tool.ts';
import { ErrorNotice } from '../../../../ui/notices/ErrorNotice.tsx';
import { Section } from '../../../../ui/panels/Section.tsx';
import { Counts } from '../../Counts.tsx';
import type { ResultNumbers } from '../../live/liveNumbers.ts';
import { SentToolsOfModels } from '../../SentToolsList.tsx';
import { SettingsTab } from './FactTabs.tsx';
import { useSentTools } from './SentToolsNotice.tsx';
import { SnapshotTab } from './SnapshotTab.tsx';

interface DetailsTabProps {
  evaluation: Evaluation;
  numbers: ResultNumbers;
  outcomes: OutcomeCounts;
  snapshot: UseQueryResult<ToolSnapshot | null>;
}

/** What was run and how: the four classes, the settings and the tools as they were frozen. */
export function DetailsTab({ evaluation, numbers, outcomes, snapshot }: DetailsTabProps) {
  const sent = useSentTools(evaluation.id, snapshot.data?.id ?? null) ?? [];
  return (
    <>
      <Section title="Runs by class">
        <Counts counts={numbers.counts} outcomes={outcomes} />
      </Section>
      <SettingsTab evaluation={evaluation} />
      <Section title="Tools offered">
        <SentToolsOfModels accounts={sent} />
        {snapshot.error === null ? (
          <SnapshotTab evaluationId={evaluation.id} snapshot={snapshot.data ?? null} />
        ) : (
          <ErrorNotice error={snapshot.error} onRetry={() => void snapshot.refetch()} />
        )}
      </Section>
    </>
  );
}
