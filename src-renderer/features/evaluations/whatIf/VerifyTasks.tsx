import { Button, Group, Modal } from '@mantine/core';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  counted,
  formatCount,
  formatPValue,
  formatUsd,
} from '../../../../src-shared/display/numbers.ts';
import {
  optimizationSettings,
  type OptimizationPlan,
} from '../../../../src-shared/domain/optimization.ts';
import type { TextEdit } from '../../../../src-shared/domain/textEdit.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { useConsent } from '../new/useConsent.tsx';

interface VerifyTasksProps {
  evaluationId: string;
  modelSettingsId: string | null;
  edits: readonly TextEdit[];
  /** Only descriptions can be proved and exported. */
  hasOtherChanges: boolean;
}

/** Proves new descriptions on the held-out tasks; the proof leads to the patch. */
export function VerifyTasks({
  evaluationId,
  modelSettingsId,
  edits,
  hasOtherChanges,
}: VerifyTasksProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const request = {
    ...optimizationSettings.parse({ tasks: {} }),
    proposer: { kind: 'given' as const, edits: [...edits] },
    evaluationId,
    modelSettingsId,
  };
  const plan = useQuery(
    queries.optimizations.plan.queryOptions({ input: asked ? request : skipToken }),
  );
  const consent = useConsent(plan.data?.execution);
  const start = useMutation({
    mutationFn: () =>
      client.optimizations.start({
        ...request,
        tasks: { agreedServers: consent.agreedServers },
      }),
    onSuccess: async ({ id }) => {
      await cache.invalidateQueries({ queryKey: queries.optimizations.key() });
      await navigate(`/improve/optimizer/${id}`);
    },
  });
  if (edits.length === 0 || hasOtherChanges) return null;
  return (
    <div style={{ marginTop: 20 }}>
      <Section title="Verify on held-out tasks">
        <p>Proves the new texts on the tasks of the other half and gives you the patch.</p>
        <Button
          variant="default"
          fullWidth
          mt="xs"
          onClick={() => {
            setAsked(true);
          }}
        >
          Verify…
        </Button>
        <Modal
          opened={asked}
          onClose={() => {
            setAsked(false);
          }}
          title="Use up one proof?"
        >
          {plan.error !== null && <ErrorNotice error={plan.error} />}
          {plan.data !== undefined && <p>{sentence(plan.data)}</p>}
          {consent.panel}
          {start.error !== null && <ErrorNotice error={start.error} />}
          <Group mt="md">
            <Button
              disabled={plan.data === undefined || !consent.given}
              loading={start.isPending}
              onClick={() => {
                start.mutate();
              }}
            >
              Verify now
            </Button>
            <Button
              variant="default"
              onClick={() => {
                setAsked(false);
              }}
            >
              Not yet
            </Button>
          </Group>
        </Modal>
      </Section>
    </div>
  );
}

function sentence({ proofCases, flipsNeeded, level, estimate }: OptimizationPlan): string {
  const cost =
    estimate.usd === null
      ? 'The cost is unknown.'
      : estimate.usd === 0
        ? 'It is free.'
        : `It costs about ${formatUsd(estimate.usd)}.`;
  return `Runs ${counted(proofCases, 'held-out task')}. At least ${formatCount(flipsNeeded)} must be fixed and none broken (p ≤ ${formatPValue(level)}). Each proof on the suite raises the bar for the next. ${cost}`;
}
