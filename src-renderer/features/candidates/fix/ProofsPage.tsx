import { Button, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { termTexts } from '../../../../src-shared/display/termTexts.ts';
import type { Candidate } from '../../../../src-shared/domain/candidate.ts';
import { useApi } from '../../../api/index.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Term } from '../../../ui/text/Term.tsx';
import { fixLink } from '../../results/links.ts';
import { candidateStates, flipsText, proofText } from './candidateTexts.ts';
import classes from './fix.module.css';
import { isRunning } from './useFix.ts';

const pollMs = 500;

/** Every candidate of every evaluation, with its estimate and its proof. */
export function ProofsPage() {
  const { queries } = useApi();
  const candidates = useQuery(
    queries.candidates.list.queryOptions({
      input: { evaluationId: null },
      refetchInterval: (query) => (query.state.data?.some(isRunning) === true ? pollMs : false),
    }),
  );
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Improve', to: '/improve' }, { label: 'Proofs' }]}
        title={candidates.data ? headline(candidates.data) : 'Proofs'}
        subtitle="Each edit is estimated on half of the cases or tasks, then verified once on the other half."
      />
      <Loaded query={candidates} blocks={[240]}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState
              message="A proof shows that an edit of a tool helps on cases or tasks it was not written for. Edit a tool and estimate the effect: it appears here."
              action={
                <Button component={Link} to="/improve">
                  Choose a tool to fix
                </Button>
              }
            />
          ) : (
            <div className={classes.scroll}>
              <Table aria-label="Edits">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Tool</Table.Th>
                    <Table.Th>Edit</Table.Th>
                    <Table.Th>State</Table.Th>
                    <Table.Th>
                      <Term meaning="Cases or tasks of the search half that the edit fixed and broke. Estimate as often as you like.">
                        Estimate
                      </Term>
                    </Table.Th>
                    <Table.Th>
                      <Term
                        meaning={`Cases or tasks of the held-out half that the edit fixed and broke, with the p-value of the difference. ${termTexts.pValue.meaning}`}
                      >
                        Proof
                      </Term>
                    </Table.Th>
                    <Table.Th>Evaluation</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((one) => (
                    <Row key={one.id} candidate={one} />
                  ))}
                </Table.Tbody>
              </Table>
            </div>
          )
        }
      </Loaded>
    </>
  );
}

function headline(list: readonly Candidate[]): string {
  const proven = list.filter(({ state }) => state === 'accepted').length;
  return list.length === 0
    ? 'Proofs'
    : `${formatCount(proven)} of ${counted(list.length, 'edit')} proven better`;
}

function Row({ candidate }: { candidate: Candidate }) {
  const { id, baseEvaluationId, modelSettingsId, toolId, name, state } = candidate;
  return (
    <Table.Tr>
      <Table.Td className="ts-mono">
        <Link to={fixLink(baseEvaluationId, toolId, { model: modelSettingsId, candidate: id })}>
          <Foreign text={toolId} />
        </Link>
      </Table.Td>
      <Table.Td>
        <Foreign text={name} />
      </Table.Td>
      <Table.Td>
        <StatusBadge {...candidateStates[state]} />
      </Table.Td>
      <Table.Td>{flipsText(candidate.search)}</Table.Td>
      <Table.Td>{proofText(candidate)}</Table.Td>
      <Table.Td>
        {candidate.unit === 'task' ? 'tasks #' : '#'}
        {candidate.baseNumber} · <Foreign text={candidate.modelName} />
      </Table.Td>
    </Table.Tr>
  );
}
