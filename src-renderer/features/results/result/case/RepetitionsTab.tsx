import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Action, options } from '../../../../ui/fields/controls.tsx';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import type { PassedWhen } from '../../../../../src-shared/domain/comparison.ts';
import type {
  EvaluationAnalysis,
  FlakyCase,
  RepeatedNumbers,
} from '../../../../../src-shared/domain/analysis.ts';
import { useRead } from '../../../../api/index.ts';
import {
  type Column,
  DataTable,
  numberColumn,
  textColumn,
} from '../../../../ui/table/DataTable.tsx';
import { Term } from '../../../../ui/text/Term.tsx';
import { EmptyState, Loaded } from '../../../../ui/notices/notices.tsx';
import { formatCount, counted } from '../../../../../src-shared/display/numbers.ts';
import { repeatedRateTexts } from '../../../../../src-shared/display/repeatedRates.ts';
import { Section } from '../../../../ui/panels/panels.tsx';
import { Finding } from '../../../../ui/verdict/Finding.tsx';
import { nameModels } from '../../modelNames.ts';
import { RunAgainDialog, suggestedRepetitions, whyNoRerun } from './CaseActions.tsx';
import { repetitionsFinding } from './tabFindings.ts';
import type { CaseActs } from './useCaseActions.ts';
import { PlainTable } from '../../../../ui/table/PlainTable.tsx';

interface RepetitionsTabProps {
  evaluation: Evaluation;
  model: string | null;
  acts: CaseActs;
}

/** What repetitions show: cases with different outcomes. */
export function RepetitionsTab({ evaluation, model, acts }: RepetitionsTabProps) {
  const analysis = useRead((ask) => ask.results.analysis, {
    input: { id: evaluation.id, modelSettingsId: model },
  });
  if (evaluation.settings.repetitions < 2)
    return <NoRepetitions evaluation={evaluation} acts={acts} />;
  return (
    <Loaded query={analysis} blocks={[120, 260]} label="Loading the repetitions">
      {(data) => <Repetitions evaluation={evaluation} repeated={data.repeated} />}
    </Loaded>
  );
}

function Repetitions(props: Pick<EvaluationAnalysis, 'repeated'> & { evaluation: Evaluation }) {
  const { evaluation, repeated } = props;
  const [when, setWhen] = useState<PassedWhen>('selection_and_parameters');
  const numbers = repeated[when];
  if (repeated.selection.repetitions < 2)
    return (
      <EmptyState message="No case has two scored repetitions, so none can be called flaky." />
    );
  return (
    <>
      <SegmentedControl
        mb="sm"
        aria-label="What counts as passed"
        data={options({ selection_and_parameters: 'Pass rate', selection: 'Tools only' })}
        value={when}
        onChange={setWhen}
      />
      <Finding {...repetitionsFinding(numbers, when)} />
      <FlakyCases evaluation={evaluation} numbers={numbers} when={when} />
      <PassRates rates={numbers.passRates} when={when} />
    </>
  );
}

function NoRepetitions({ evaluation, acts }: Pick<RepetitionsTabProps, 'evaluation' | 'acts'>) {
  const [asking, setAsking] = useState(false);
  const reason = whyNoRerun(evaluation);
  return (
    <>
      <EmptyState
        message={`Each case ran once. Repetitions show which cases are flaky. ${reason ?? ''}`.trim()}
        {...(reason === null
          ? {
              action: <Action label="Run again with repetitions" onClick={() => setAsking(true)} />,
            }
          : {})}
      />
      {asking && (
        <RunAgainDialog
          evaluation={evaluation}
          acts={acts}
          repetitions={suggestedRepetitions}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function FlakyCases(props: { evaluation: Evaluation; numbers: RepeatedNumbers; when: PassedWhen }) {
  const {
    evaluation,
    numbers: { flaky, flakyTotal },
    when,
  } = props;
  const navigate = useNavigate();
  if (flakyTotal === 0) return null;
  return (
    <>
      <DataTable
        label="Flaky cases"
        columns={flakyColumns(nameModels(evaluation.models), evaluation.models.length > 1, when)}
        rows={flaky}
        rowKey={(row) => row.runId}
        onOpen={(row) => void navigate(`/results/${evaluation.id}/runs/${row.runId}`)}
        maxHeight="max(220px, calc(100vh - 640px))"
      />
      {flakyTotal > flaky.length && (
        <p className="ts-hint">Shows the {counted(flaky.length, 'most evenly split case')}.</p>
      )}
    </>
  );
}

/** The chance to pass in k repetitions, at least once and every time. */
function PassRates({ rates, when }: { rates: RepeatedNumbers['passRates']; when: PassedWhen }) {
  const what = when === 'selection' ? 'Right tools' : 'Pass rate';
  return (
    <Section title={`${what} by number of repetitions`}>
      <PlainTable
        heads={[
          'Repetitions (k)',
          <>
            At least once (<Term name="passAtK" />)
          </>,
          <>
            Every time (<Term name="passAllK" />)
          </>,
          'Cases',
        ]}
        numeric={[0, 1, 2, 3]}
        rows={rates.map((row) => ({
          key: row.k,
          cells: [formatCount(row.k), ...repeatedRateTexts(row), formatCount(row.cases)],
        }))}
      />
    </Section>
  );
}

function flakyColumns(
  models: ReadonlyMap<string, string>,
  several: boolean,
  when: PassedWhen,
): Column<FlakyCase>[] {
  return [
    textColumn('name', 'Case', 'minmax(160px, 1fr)', (row) => row.name),
    ...(several
      ? [
          textColumn(
            'model',
            'Model',
            180,
            (row: FlakyCase) => models.get(row.modelSettingsId) ?? '',
            { sorts: false },
          ),
        ]
      : []),
    numberColumn(
      'passed',
      when === 'selection' ? 'Right tools' : 'Passed',
      110,
      (row) => row.passed / row.n,
      { text: (_share, row) => `${formatCount(row.passed)} of ${formatCount(row.n)}` },
    ),
  ];
}
