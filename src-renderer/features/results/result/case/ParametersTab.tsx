import { useQuery } from '@tanstack/react-query';
import type { ParameterTally } from '../../../../../src-shared/domain/analysis.ts';
import { useApi } from '../../../../api/index.ts';
import { Cut } from '../../../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../../../ui/table/DataTable.tsx';
import { numberColumn } from '../../../../ui/table/columns.tsx';
import { EmptyState } from '../../../../ui/notices/EmptyState.tsx';
import { EstimateText } from '../../../../ui/estimate/EstimateTile.tsx';
import { Loaded } from '../../../../ui/notices/Loaded.tsx';
import { Finding } from '../../../../ui/verdict/Finding.tsx';
import classes from '../../evaluations.module.css';
import { argumentsFinding, mismatches } from './tabFindings.ts';

const count = (
  id: Exclude<keyof ParameterTally, 'toolId' | 'name' | 'accuracy'>,
  header: string,
  hint: string,
  width = 88,
): Column<ParameterTally> => numberColumn(id, header, width, (row) => row[id], { hint });

const columns: Column<ParameterTally>[] = [
  {
    id: 'name',
    header: 'Parameter',
    width: 'minmax(150px, 1fr)',
    sortValue: (row) => `${row.name} ${row.toolId}`,
    cell: (row) => (
      <span className={classes.caseCell}>
        <Cut text={row.name} mono />
        <small>
          <Cut text={row.toolId} mono />
        </small>
      </span>
    ),
  },
  numberColumn('accuracy', 'Matched', 104, (row) => row.accuracy.value, {
    hint: 'Of the calls that should send a certain value, the share that did.',
    text: (_value, row) => <EstimateText estimate={row.accuracy} />,
  }),
  count('n', 'Expected', 'Calls that should send a certain value.', 92),
  count('wrongValue', 'Wrong', 'A value other than the expected one.'),
  count('missing', 'Missing', 'Expected but not sent.'),
  count('unexpected', 'Unexpected', 'Sent although it should be absent.', 108),
  count('unreadable', 'Unreadable', 'The arguments of the call are not a JSON object.', 108),
  count('hallucinated', 'Invented', "Sent, but not in the tool's schema."),
];

/** What is wrong with a parameter; the rows with the most of it come first. */
const problems = (row: ParameterTally): number =>
  mismatches(row) + row.unexpected + row.hallucinated;

/**
 * How each parameter was filled in correct calls: shows where a schema or a description misleads.
 */
export function ParametersTab(props: { evaluationId: string; model: string | null }) {
  const { evaluationId, model } = props;
  const { queries } = useApi();
  const analysis = useQuery(
    queries.results.analysis.queryOptions({ input: { id: evaluationId, modelSettingsId: model } }),
  );
  return (
    <Loaded query={analysis} blocks={[320]} label="Loading the parameters">
      {({ parameters }) => (
        <>
          {parameters.some(({ n, hallucinated }) => n + hallucinated > 0) && (
            <Finding {...argumentsFinding(parameters)} />
          )}
          <DataTable
            label="Parameters"
            rowHeight={46}
            columns={columns}
            rows={parameters.toSorted((a, b) => problems(b) - problems(a))}
            rowKey={(row) => `${row.toolId} ${row.name}`}
            maxHeight="max(300px, calc(100vh - 520px))"
            empty={
              <EmptyState message="No arguments to show: no correct call has expected arguments." />
            }
          />
        </>
      )}
    </Loaded>
  );
}
