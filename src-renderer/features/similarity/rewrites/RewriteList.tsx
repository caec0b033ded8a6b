import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ProofResult, Rewrite, RewriteState } from '../../../../src-shared/domain/rewrite.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { StatusBadge, type StatusTone } from '../../../ui/badges/StatusBadge.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../similarity.module.css';

const states: Record<RewriteState, { tone: StatusTone; label: string }> = {
  draft: { tone: 'idle', label: 'not tried' },
  searching: { tone: 'busy', label: 'searching' },
  searched: { tone: 'idle', label: 'searched' },
  proving: { tone: 'busy', label: 'proving' },
  accepted: { tone: 'good', label: 'accepted' },
  rejected: { tone: 'bad', label: 'rejected' },
  cannot_tell: { tone: 'warning', label: 'cannot tell' },
};

const active = ({ state }: Rewrite): boolean => state === 'searching' || state === 'proving';

/** Every candidate that was tried on these cases, including rejected ones. */
export function RewriteList({ evaluationId }: { evaluationId: string }) {
  const { queries } = useApi();
  const rewrites = useQuery(
    queries.rewrites.list.queryOptions({
      input: { evaluationId },
      refetchInterval: (query) =>
        query.state.data?.some((one) => active(one)) === true ? 500 : false,
    }),
  );
  return (
    <Section title="Candidates">
      <Loaded query={rewrites} blocks={[100]}>
        {(list) =>
          list.length === 0 ? (
            <Text size="sm" c="dimmed">
              None was tried on the cases of this evaluation yet.
            </Text>
          ) : (
            list.map((one) => <Entry key={one.id} rewrite={one} />)
          )
        }
      </Loaded>
    </Section>
  );
}

function Entry({ rewrite }: { rewrite: Rewrite }) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const refresh = (): Promise<void> =>
    cache.invalidateQueries({ queryKey: queries.rewrites.key() });
  const { id, state, search, proof } = rewrite;
  const start = useMutation({
    mutationFn: (what: 'search' | 'prove') => client.rewrites[what]({ id }),
    onSettled: refresh,
  });
  const save = useMutation({
    mutationFn: async () => {
      const { fileName, text } = await client.rewrites.export({ id });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
      link.download = fileName;
      link.click();
      URL.revokeObjectURL(link.href);
    },
  });
  const error = start.error ?? save.error;
  return (
    <article
      className={`ts-panel ${classes.entry ?? ''}`}
      aria-label={`Rewrite of ${rewrite.toolId}`}
    >
      <Group justify="space-between">
        <Group gap="sm">
          <StatusBadge {...states[state]} />
          <bdi className="ts-mono">{rewrite.toolId}</bdi>
          <span className={classes.quiet}>
            {rewrite.source === 'model'
              ? 'by a model'
              : rewrite.source === 'rule'
                ? 'by a rule'
                : 'by hand'}{' '}
            · #{rewrite.baseNumber} · {rewrite.modelName}
          </span>
        </Group>
        <Group gap="xs">
          {(state === 'draft' || state === 'searched') && (
            <Button
              size="compact-sm"
              variant="default"
              loading={start.isPending}
              onClick={() => {
                start.mutate('search');
              }}
            >
              {state === 'draft' ? 'Search' : 'Search again'}
            </Button>
          )}
          {(state === 'draft' || state === 'searched') && (
            <Button
              size="compact-sm"
              loading={start.isPending}
              onClick={() => {
                start.mutate('prove');
              }}
            >
              Prove (once)
            </Button>
          )}
          {proof !== null && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                save.mutate();
              }}
            >
              Save patch and evidence
            </Button>
          )}
        </Group>
      </Group>
      <p className={classes.text}>
        <Foreign text={rewrite.description} limit={1000} />
      </p>
      {rewrite.stopped !== null && <Text size="sm">{rewrite.stopped}</Text>}
      {search !== null && (
        <p className={classes.facts}>
          Search half: {search.won} fixed and {search.lost} broken of{' '}
          {counted(search.cases, 'case')}
          {rewrite.searchEvaluationId !== null && (
            <>
              {' '}
              · <Link to={`/evaluations/${rewrite.searchEvaluationId}`}>its runs</Link>
            </>
          )}
        </p>
      )}
      {proof !== null && (
        <Proof proof={proof} evaluationId={rewrite.proofEvaluationId} toolId={rewrite.toolId} />
      )}
      {error !== null && <ErrorNotice error={error} />}
    </article>
  );
}

const points = (value: number | null): string => (value === null ? '–' : value.toFixed(2));

function Proof({
  proof,
  evaluationId,
  toolId,
}: {
  proof: ProofResult;
  evaluationId: string | null;
  toolId: string;
}) {
  return (
    <>
      <p className={classes.facts}>
        Held-out half: {proof.won} fixed and {proof.lost} broken of {counted(proof.cases, 'case')} ·
        p = {proof.pValue.toFixed(4)}, needed p ≤ {proof.level.toFixed(4)} · recall of the other
        tools {points(proof.recallBefore)} → {points(proof.recallAfter)} over{' '}
        {counted(proof.otherCalls.expected, 'call')}
        {evaluationId !== null && (
          <>
            {' '}
            · <Link to={`/evaluations/${evaluationId}`}>its runs</Link>
          </>
        )}
      </p>
      {proof.reasons.map((reason) => (
        <Text key={reason} size="sm">
          <Foreign text={reason} />
        </Text>
      ))}
      {proof.moreCases !== null && (
        <Text size="sm">
          About {counted(proof.moreCases, 'more case')} for <bdi>{toolId}</bdi> would decide it.
        </Text>
      )}
    </>
  );
}
