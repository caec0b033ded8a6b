import { Checkbox, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Action, ticked } from '../../../ui/fields/controls.tsx';
import {
  consentText,
  dataText,
  executedByServer,
  programsText,
} from '../../../../src-shared/display/executionTexts.ts';
import type { Agreement, ExecutionPlan } from '../../../../src-shared/domain/taskEvaluation.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice, Notice } from '../../../ui/notices/notices.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import classes from '../evaluations.module.css';

/** What may be executed: another server or tool needs another agreement. */
const coverOf = ({ servers, executes, unlisted, programs }: ExecutionPlan): string =>
  JSON.stringify([servers, executes, unlisted, programs]);

const none: Agreement = { agreedServers: [] };
const needsConsent = ({ mode, programs }: ExecutionPlan): boolean =>
  mode === 'full' || programs.length > 0;

interface Consent {
  /** False until the person agreed where the plan executes every tool or starts programs. */
  given: boolean;
  agreed: Agreement;
  /** What is executed and changed, with the box to agree to it; null where there is no plan. */
  panel: ReactNode;
}

interface ConsentTo {
  /** What the person asks for: an agreement ends when it is another object. */
  about?: object;
  /** True if every run comes from a recording, which executes nothing. */
  replays?: boolean;
}

/** The agreement of a person to what a plan executes. It ends when another plan is shown. */
export function useConsent(
  plan: ExecutionPlan | null | undefined,
  { about, replays = false }: ConsentTo = {},
): Consent {
  const [to, setTo] = useState<{ cover: string; about: object | undefined } | null>(null);
  if (plan == null) return { given: true, agreed: none, panel: null };
  const agreed = to?.cover === coverOf(plan) && to.about === about;
  return {
    given: !needsConsent(plan) || replays || agreed,
    agreed: agreed ? { agreedServers: plan.servers, agreedPrograms: plan.programs } : none,
    panel: (
      <ExecutedTools
        plan={plan}
        agreed={agreed}
        replays={replays}
        onAgree={(agrees) => setTo(agrees ? { cover: coverOf(plan), about } : null)}
      />
    ),
  };
}

interface ExecutedToolsProps {
  plan: ExecutionPlan;
  agreed: boolean;
  onAgree: (agreed: boolean) => void;
  /** True if every run comes from a recording. */
  replays: boolean;
}

/**
 * Whether a plan changes data, which tools it may execute, by server, and the consent to it where
 * that is every tool.
 */
function ExecutedTools({ plan, agreed, onAgree, replays }: ExecutedToolsProps) {
  const data = dataText(plan, replays);
  const sentence = (
    <Notice tone={data.isReal ? 'warning' : 'neutral'}>
      <PlainText text={data.text} />
    </Notice>
  );
  if (replays || (plan.mode === 'stub' && plan.programs.length === 0)) return sentence;
  return (
    <div className={classes.stack} style={{ gap: 10, marginBottom: 12 }}>
      {sentence}
      <ul className={classes.problems} tabIndex={0} aria-label="Tools that may be executed">
        {executedByServer(plan).map(({ server, tools, destructive }) => (
          <li key={server}>
            <Foreign as="b" className="ts-foreign" text={server} limit={80} />:{' '}
            {counted(tools, plan.mode === 'full' ? 'tool' : 'read-only tool')}
            {destructive.length > 0 && (
              <Text size="sm" c={data.isReal ? 'var(--ts-danger-ink)' : 'dimmed'} component="div">
                Destructive: <Foreign text={destructive.join(', ')} limit={300} />
              </Text>
            )}
          </li>
        ))}
      </ul>
      {plan.programs.length > 0 && <Foreign text={programsText(plan.programs)} limit={2_000} />}
      {plan.unlisted.length > 0 && <Unlisted servers={plan.unlisted} />}
      {needsConsent(plan) && <Checkbox label={consentText(plan)} {...ticked(agreed, onAgree)} />}
    </div>
  );
}

/** Servers whose tools nobody has seen yet, and how to list them before anything is executed. */
function Unlisted({ servers }: { servers: readonly string[] }) {
  const { client, queries, reread } = useApi();
  const check = useMutation({
    mutationFn: async () => {
      const known = await client.servers.list();
      for (const { id, name } of known)
        if (servers.includes(name)) await client.servers.refreshTools({ id });
    },
    onSettled: () => reread(queries.servers, queries.evaluations.plan),
  });
  return (
    <>
      <Notice tone="warning">
        The tools of <Foreign text={servers.join(', ')} limit={200} /> are not known yet. Connect{' '}
        {servers.length === 1 ? 'the server' : 'the servers'} to see what may be executed.
      </Notice>
      <div>
        <Action label={`Connect ${counted(servers.length, 'server')}`} size="xs" run={check} />
      </div>
      <ErrorNotice error={check.error} />
    </>
  );
}
