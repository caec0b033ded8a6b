import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { Button, MultiSelect, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import type { WhatIfChange } from '../../../../src-shared/domain/whatIf.ts';
import { tooFewToCompare } from '../../../../src-shared/display/comparisonAnswer.ts';
import { describePlanned } from '../../../../src-shared/display/whatIfTexts.ts';
import { useApi } from '../../../api/index.ts';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';
import { AddedTools } from './AddedTools.tsx';
import { ToolEditor } from './ToolEditor.tsx';
import { changesOf, emptyForm, offeredIds, type WhatIfForm } from './whatIfForm.ts';

/** Number of tools to show at once; the search finds the others. */
const maxShown = 60;

export function WhatIfPage() {
  const { id = '' } = useParams();
  const { queries } = useApi();
  const evaluation = useQuery(queries.evaluations.get.queryOptions({ input: { id } }));
  const snapshot = useQuery(
    queries.evaluations.snapshot.queryOptions({
      input: { id },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  const name =
    evaluation.data === undefined
      ? 'Evaluation'
      : `#${evaluation.data.number} ${evaluation.data.suiteName}`;
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Improve', to: '/improve' },
          { label: 'What-if', to: '/improve/what-if' },
          { label: name, to: `/evaluations/${id}` },
          { label: 'Change tools' },
        ]}
        title={`What-if on ${name}`}
        subtitle="Runs the same cases with other tools. No tool is executed, and no definition on a server changes."
      />
      <Loaded query={snapshot} blocks={[360]}>
        {(data) =>
          data === null || evaluation.data === undefined ? (
            <EmptyState message="This evaluation stored no tools: its servers listed none." />
          ) : (
            <Editor evaluation={evaluation.data} snapshot={data} />
          )
        }
      </Loaded>
    </>
  );
}

function Editor({ evaluation, snapshot }: { evaluation: Evaluation; snapshot: ToolSnapshot }) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [form, setForm] = useState<WhatIfForm>(emptyForm);
  const [search, setSearch] = useState(params.get('tool') ?? '');
  const servers = useQuery(queries.servers.list.queryOptions());
  const model =
    evaluation.models.find(({ id }) => id === params.get('model')) ?? evaluation.models[0];
  const changes = useMemo(() => changesOf(form, snapshot.tools), [form, snapshot.tools]);
  const offered = useMemo(() => offeredIds(form, snapshot.tools), [form, snapshot.tools]);
  const stillOffered = snapshot.tools.filter(({ server, name }) =>
    offered.has(toolId(server, name)),
  ).length;
  const known = snapshot.servers.map(({ server }) => server);
  const run = useMutation({
    mutationFn: (asked: WhatIfChange[]) =>
      client.evaluations.whatIf({
        id: evaluation.id,
        modelSettingsId: model?.id ?? null,
        changes: asked,
      }),
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
  const { counts, models, settings } = evaluation;
  const cases = Math.round(counts.total / (models.length * settings.repetitions));
  const tooFew = tooFewToCompare('case', cases);
  const wanted = search.trim().toLowerCase();
  const found = snapshot.tools.filter(({ server, name, description }) =>
    `${server}:${name} ${description}`.toLowerCase().includes(wanted),
  );
  const start = (): void => {
    run.mutate(changes);
  };
  return (
    <div className={classes.form}>
      <div>
        <Section title="Servers">
          <div className={classes.modelRow}>
            <MultiSelect
              label="Leave out these servers"
              description="With all of their tools."
              data={known}
              value={[...form.removedServers]}
              onChange={(removedServers) => {
                setForm({ ...form, removedServers });
              }}
              miw={260}
            />
            <MultiSelect
              label="Add these servers"
              description="With their tools as last listed."
              data={(servers.data ?? [])
                .filter(({ name, toolCount }) => !known.includes(name) && toolCount !== null)
                .map(({ name }) => name)}
              nothingFoundMessage="No other server has listed tools."
              value={[...form.addedServers]}
              onChange={(addedServers) => {
                setForm({ ...form, addedServers });
              }}
              miw={260}
            />
          </div>
        </Section>
        <AddedTools
          added={form.added}
          offered={offered}
          onChange={(added) => {
            setForm((now) => ({ ...now, added }));
          }}
        />
        <Section
          title={`Tools offered (${formatCount(stillOffered)} of ${formatCount(snapshot.tools.length)})`}
          aside={<SearchField label="Search tools" value={search} onChange={setSearch} />}
        >
          <Text size="sm" c="dimmed" mb="xs">
            A checked tool is offered to the model. Clear its box to leave it out.
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
      <aside
        className={`ts-panel ${classes.box ?? ''} ${classes.aside ?? ''}`}
        aria-label="What changes"
      >
        <Section
          title={changes.length === 0 ? 'No changes yet' : counted(changes.length, 'change')}
        >
          <ul className={classes.list}>
            {changes.map((change) => (
              <li key={JSON.stringify(change)}>{describePlanned(change)}</li>
            ))}
          </ul>
        </Section>
        {tooFew !== null && (
          <Text size="sm" mt="xs">
            {tooFew}
          </Text>
        )}
        {run.error !== null && <ErrorNotice error={run.error} />}
        <Button
          fullWidth
          mt="md"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          disabled={changes.length === 0}
          loading={run.isPending}
          onClick={start}
        >
          Run what-if
        </Button>
        <Text size="sm" c="dimmed" mt="xs">
          {changes.length === 0
            ? 'Change something first: leave out a tool or a server, or change a name or description.'
            : `Runs ${counted(evaluation.counts.total, 'run')} with these changes and compares them with #${evaluation.number}.`}
        </Text>
      </aside>
    </div>
  );
}
