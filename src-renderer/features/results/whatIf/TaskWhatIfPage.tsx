import { Button, MultiSelect, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ExecutionMode } from '../../../../src-shared/domain/task.ts';
import {
  taskWhatIfChange,
  type TaskEvaluation,
  type TaskWhatIfRequest,
} from '../../../../src-shared/domain/taskEvaluation.ts';
import type { ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { describePlanned } from '../../../../src-shared/display/whatIfTexts.ts';
import { useApi } from '../../../api/index.ts';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';
import { ModeFields } from '../new/ModeFields.tsx';
import { PlanProblems } from '../new/PlanParts.tsx';
import { useConsent } from '../new/useConsent.tsx';
import { evaluationLink } from '../links.ts';
import { ToolEditor } from './ToolEditor.tsx';
import { changesOf, emptyForm, offeredIds, type WhatIfForm } from './whatIfForm.ts';

/** Number of tools to show at once; the search finds the others. */
const maxShown = 60;

/** The tasks of an evaluation with other texts of its tools, or without some. */
export function TaskWhatIfPage() {
  const { id = '' } = useParams();
  const { queries } = useApi();
  const evaluation = useQuery(
    queries.evaluations.get.queryOptions({ input: { unit: 'task', id } }),
  );
  const snapshot = useQuery(
    queries.evaluations.snapshot.queryOptions({
      input: { unit: 'task', id },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  const name =
    evaluation.data === undefined
      ? 'Task evaluation'
      : `#${evaluation.data.number} ${evaluation.data.suiteName} (tasks)`;
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Improve', to: '/improve' },
          { label: 'What-if', to: '/improve/what-if' },
          { label: name, to: evaluationLink('task', id) },
          { label: 'Change tools' },
        ]}
        title={`What-if on ${name}`}
        subtitle="Runs the same tasks with other descriptions of their tools. No definition on a server changes."
      />
      <Loaded query={snapshot} blocks={[360]}>
        {(data) =>
          data === null || data.tools.length === 0 || evaluation.data === undefined ? (
            <EmptyState message="This evaluation stored no tools: its servers listed none." />
          ) : (
            <Editor evaluation={evaluation.data} snapshot={data} />
          )
        }
      </Loaded>
    </>
  );
}

function Editor({ evaluation, snapshot }: { evaluation: TaskEvaluation; snapshot: ToolSnapshot }) {
  const [form, setForm] = useState<WhatIfForm>(emptyForm);
  const [search, setSearch] = useState('');
  const offered = useMemo(() => offeredIds(form, snapshot.tools), [form, snapshot.tools]);
  const wanted = search.trim().toLowerCase();
  const found = snapshot.tools.filter(({ server, name, description }) =>
    `${server}:${name} ${description}`.toLowerCase().includes(wanted),
  );
  return (
    <div className={classes.form}>
      <div>
        {snapshot.servers.length > 1 && (
          <Section title="Servers">
            <MultiSelect
              label="Leave out these servers"
              description="With all of their tools."
              data={snapshot.servers.map(({ server }) => server)}
              value={[...form.removedServers]}
              onChange={(removedServers) => {
                setForm({ ...form, removedServers });
              }}
            />
          </Section>
        )}
        <Section
          title={`Tools offered (${formatCount(offered.size)} of ${formatCount(snapshot.tools.length)})`}
          aside={<SearchField label="Search tools" value={search} onChange={setSearch} />}
        >
          <Text size="sm" c="dimmed" mb="xs">
            A checked tool is offered to the model. Names can’t change, because servers execute
            tools by name.
          </Text>
          <ul className={classes.toolList}>
            {found.slice(0, maxShown).map((tool) => {
              const key = toolId(tool.server, tool.name);
              return (
                <ToolEditor
                  key={key}
                  tool={tool}
                  edit={form.tools[key] ?? {}}
                  gone={form.removedServers.includes(tool.server)}
                  isNameFixed
                  onChange={(edit) => {
                    setForm((now) => ({ ...now, tools: { ...now.tools, [key]: edit } }));
                  }}
                />
              );
            })}
          </ul>
          {found.length > maxShown && (
            <Text size="xs" c="dimmed">
              {counted(found.length - maxShown, 'more tool')}. Search to see them.
            </Text>
          )}
        </Section>
      </div>
      <Changes evaluation={evaluation} form={form} snapshot={snapshot} />
    </div>
  );
}

/** What changes, what may be executed, and the start. */
function Changes({
  evaluation,
  form,
  snapshot,
}: {
  evaluation: TaskEvaluation;
  form: WhatIfForm;
  snapshot: ToolSnapshot;
}) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [mode, setMode] = useState<ExecutionMode>('stub');
  const changes = useMemo(
    () =>
      changesOf(form, snapshot.tools).flatMap((change) => {
        const known = taskWhatIfChange.safeParse(change);
        return known.success ? [known.data] : [];
      }),
    [form, snapshot.tools],
  );
  const model =
    evaluation.models.find(({ id }) => id === params.get('model')) ?? evaluation.models[0];
  const request: TaskWhatIfRequest = {
    id: evaluation.id,
    changes,
    modelSettingsId: model?.id ?? null,
    mode,
    agreedServers: [],
  };
  const [asked] = useDebouncedValue(JSON.stringify(request), 300);
  // Also before the first change: what would be executed and changed is known then.
  const plan = useQuery(
    queries.evaluations.planWhatIf.queryOptions({
      input: JSON.parse(asked) as TaskWhatIfRequest,
      placeholderData: keepPreviousData,
    }),
  );
  const isCurrent = asked === JSON.stringify(request) && !plan.isPlaceholderData;
  const current = isCurrent ? plan.data : undefined;
  const consent = useConsent(current);
  const run = useMutation({
    mutationFn: (wanted: TaskWhatIfRequest) =>
      client.evaluations.whatIf({ unit: 'task', ...wanted, agreedServers: consent.agreedServers }),
    onSuccess: async (made) => {
      void cache.invalidateQueries({ queryKey: queries.evaluations.key() });
      const base =
        evaluation.models.length > 1 && model !== undefined
          ? `${evaluation.id}/${model.id}`
          : evaluation.id;
      await navigate(
        `/evaluations/compare?${new URLSearchParams({ base, with: made.id }).toString()}`,
      );
    },
  });
  const isRefused =
    changes.length === 0 ||
    current === undefined ||
    current.problems.some(({ severity }) => severity === 'error');
  return (
    <aside
      className={`ts-panel ${classes.box ?? ''} ${classes.aside ?? ''}`}
      aria-label="What changes"
    >
      <Section title={changes.length === 0 ? 'No changes yet' : counted(changes.length, 'change')}>
        <ul className={classes.list}>
          {changes.map((change) => (
            <li key={JSON.stringify(change)}>{describePlanned(change)}</li>
          ))}
        </ul>
      </Section>
      <Section title="Execution mode">
        <ModeFields mode={mode} onChange={setMode} />
        {mode === 'stub' && evaluation.settings.mode !== 'stub' && (
          <Text size="sm" c="dimmed" mt="xs">
            What the evaluation recorded answers calls with the same arguments. Tasks with a state
            check are not scored.
          </Text>
        )}
      </Section>
      {plan.error !== null && <ErrorNotice error={plan.error} />}
      {current !== undefined && <PlanProblems problems={current.problems} />}
      <div style={{ marginTop: 16 }}>{consent.panel}</div>
      {run.error !== null && <ErrorNotice error={run.error} />}
      <Button
        fullWidth
        mt="md"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        disabled={isRefused || !consent.given}
        loading={run.isPending}
        onClick={() => {
          run.mutate(request);
        }}
      >
        Run what-if
      </Button>
      <Text size="sm" c="dimmed" mt="xs">
        {changes.length === 0
          ? 'Change something first: leave out a tool, or change a description.'
          : `Runs ${counted(plan.data?.runs ?? 0, 'task')} with these changes and compares them with #${evaluation.number}.`}
      </Text>
    </aside>
  );
}
