import { MultiSelect, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ToolSnapshot, RejectedTool } from '../../../../src-shared/domain/tool.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { Action } from '../../../ui/fields/controls.tsx';
import { SearchField } from '../../../ui/fields/choices.tsx';
import { FilterChips } from '../../../ui/fields/FilterChips.tsx';
import {
  EmptyState,
  ErrorNotice,
  Loaded,
  LoadingSkeleton,
  Notice,
} from '../../../ui/notices/notices.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import classes from '../evaluations.module.css';
import type { Listed } from '../list/listed.ts';
import { OfUnit, ResultPartHeader, useOneOf } from '../PageOfUnit.tsx';
import {
  failedInCases,
  failedInTasks,
  type FailedTools,
} from '../../../../src-shared/metrics/failedTools.ts';
import { usePresetModel } from '../result/usePresetModel.ts';
import { ToolEditor } from './ToolEditor.tsx';
import {
  changesOf,
  emptyForm,
  offeredIds,
  type WhatIfForm,
  type AddedTool,
  joinAdded,
} from './whatIfForm.ts';
import { PresentAsField } from '../../../models/PresentAsField.tsx';
import { CaseStart, TaskStart } from './WhatIfStart.tsx';
import { useMutation } from '@tanstack/react-query';
import { IconFileUpload } from '@tabler/icons-react';
import { ChooseFile } from '../../../ui/files/ChooseFile.tsx';
import { readText } from '../../../ui/files/readText.ts';
import { PlainText } from '../../../ui/text/Foreign.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';

/** Number of tools to show at once; the search finds the others. */
const maxShown = 60;

const subtitles = {
  case: 'The model answers the same requests again, with tools as you change them here. No tool is called, and nothing on a server changes.',
  task: 'The model works on the same tasks again, with tools as you change them here. Definitions on servers stay as they are; the execution mode says which calls are executed.',
};

/** The cases or tasks of an evaluation with other tools, or with other texts of them. */
export const WhatIfPage = () => <OfUnit>{(unit, id) => <WhatIf unit={unit} id={id} />}</OfUnit>;

function WhatIf({ unit, id }: { unit: Listed['unit']; id: string }) {
  const { one, name } = useOneOf(unit, id);
  const snapshot = useRead((ask) => ask.evaluations.snapshot, {
    input: unit === 'task' ? { unit, id } : { id },
    staleTime: Infinity,
  });
  return (
    <>
      <ResultPartHeader
        id={id}
        name={name}
        crumb="Estimate a change"
        title={`Estimate a change of ${name}`}
        subtitle={subtitles[unit]}
      />
      <Loaded query={snapshot} blocks={[360]}>
        {(data) =>
          // Servers and tools can be added to the cases of an evaluation that was offered none.
          data === null || one === undefined || (unit === 'task' && data.tools.length === 0) ? (
            <EmptyState message="This evaluation stored no tools: its servers listed none." />
          ) : (
            <Editor one={one} snapshot={data} />
          )
        }
      </Loaded>
    </>
  );
}

function Editor({ one, snapshot }: { one: Listed; snapshot: ToolSnapshot }) {
  const [params] = useSearchParams();
  const [form, setForm] = useState<WhatIfForm>(emptyForm);
  const [search, setSearch] = useState(params.get('tool') ?? '');
  const isTask = one.unit === 'task';
  const model = usePresetModel(one.unit, one.evaluation.id, one.evaluation.models);
  const byAgent = one.evaluation.models.some(
    ({ id, provider }) => id === model && provider === 'agent',
  );
  const changes = useMemo(
    () => changesOf(byAgent ? { ...form, presentedAs: null } : form, snapshot.tools),
    [form, snapshot.tools, byAgent],
  );
  const offered = useMemo(() => offeredIds(form, snapshot.tools), [form, snapshot.tools]);
  return (
    <div className={classes.form}>
      <div>
        <Section
          title={`Tools offered (${formatCount(offered.size)} of ${formatCount(snapshot.tools.length)})`}
          aside={<SearchField label="Search tools" value={search} onChange={setSearch} />}
        >
          <Text size="sm" c="dimmed" mb="xs">
            A checked tool is offered to the model.{' '}
            {isTask
              ? 'Names can’t change, because servers execute tools by name.'
              : 'Clear its box to leave it out.'}
          </Text>
          <OfferedTools
            one={one}
            tools={snapshot.tools}
            search={search}
            form={form}
            onChange={setForm}
          />
        </Section>
        {(!isTask || snapshot.servers.length > 1) && (
          <Section title="Servers">
            <Servers
              known={snapshot.servers.map(({ server }) => server)}
              form={form}
              canAdd={!isTask}
              onChange={setForm}
            />
          </Section>
        )}
        <Section title="Client">
          <PresentAsField
            value={form.presentedAs}
            unset="As before"
            byAgent={byAgent}
            onChange={(presentedAs) => setForm((now) => ({ ...now, presentedAs }))}
          />
        </Section>
        {!isTask && (
          <AddedTools
            added={form.added}
            offered={offered}
            onChange={(added) => setForm((now) => ({ ...now, added }))}
          />
        )}
      </div>
      {one.unit === 'task' ? (
        <TaskStart evaluation={one.evaluation} changes={changes} />
      ) : (
        <CaseStart evaluation={one.evaluation} changes={changes} />
      )}
    </div>
  );
}

interface OfferedToolsProps {
  one: Listed;
  tools: ToolSnapshot['tools'];
  search: string;
  form: WhatIfForm;
  onChange: (change: (form: WhatIfForm) => WhatIfForm) => void;
}

/** The tools that failed with the chosen model, each with how often; the others on demand. */
function OfferedTools({ one, tools, search, form, onChange }: OfferedToolsProps) {
  const [all, setAll] = useState(false);
  const failed = useFailedTools(one);
  if (failed === null) return <LoadingSkeleton blocks={[120]} label="Loading tools" />;
  const wanted = search.trim().toLowerCase();
  const named = tools.map((tool) => ({ tool, id: toolId(tool.server, tool.name) }));
  const order = [...failed.keys()];
  const failing = named
    .filter(({ id }) => failed.has(id))
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  const sorted = [...failing, ...named.filter(({ id }) => !failed.has(id))];
  // A search is for any tool, so it looks at all of them.
  const shown = failing.length > 0 && !all && wanted === '' ? failing : sorted;
  const found = shown.filter(({ tool, id }) =>
    `${id} ${tool.description}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      {failing.length > 0 && (
        <FilterChips
          label="Which tools"
          chips={[
            { value: failing, label: 'Failed', count: failing.length },
            { value: sorted, label: 'All', count: sorted.length },
          ]}
          value={shown}
          onChange={(value) => setAll(value === sorted)}
        />
      )}
      <ul className={classes.toolList}>
        {found.slice(0, maxShown).map(({ tool, id }) => (
          <ToolEditor
            key={id}
            tool={tool}
            failed={failed.get(id)}
            edit={form.tools[id] ?? {}}
            gone={form.removedServers.includes(tool.server)}
            isNameFixed={one.unit === 'task'}
            onChange={(edit) =>
              onChange((now) => ({ ...now, tools: { ...now.tools, [id]: edit } }))
            }
          />
        ))}
      </ul>
      {found.length > maxShown && (
        <p className="ts-hint">
          {counted(found.length - maxShown, 'more tool')}. Search to see them.
        </p>
      )}
    </>
  );
}

/** The tools that failed with the model that runs again; null until they are known. */
function useFailedTools({ unit, evaluation: { id, models } }: Listed): FailedTools | null {
  // Where no model has a score, none is preset.
  const model = usePresetModel(unit, id, models) ?? models[0]?.id ?? '';
  const isTask = unit === 'task';
  const failures = useRead((ask) => ask.results.failures, {
    input: { id, modelSettingsId: model },
    enabled: !isTask,
  });
  const report = useRead((ask) => ask.evaluations.report, { input: { id }, enabled: isTask });
  if (failures.error !== null || report.error !== null) return new Map();
  if (isTask) return report.data ? failedInTasks(report.data, model) : null;
  return failures.data ? failedInCases(failures.data, model) : null;
}

interface ServersProps {
  /** Those of the evaluation. */
  known: readonly string[];
  form: WhatIfForm;
  /** False where servers execute what is called. */
  canAdd: boolean;
  onChange: (form: WhatIfForm) => void;
}

function Servers({ known, form, canAdd, onChange }: ServersProps) {
  const servers = useRead((ask) => ask.servers.list, { enabled: canAdd });
  const left = (
    <MultiSelect
      label="Leave out these servers"
      description="With all of their tools."
      placeholder={form.removedServers.length === 0 ? 'None' : ''}
      data={known}
      value={[...form.removedServers]}
      onChange={(removedServers) => onChange({ ...form, removedServers })}
      {...(canAdd && { miw: 260 })}
    />
  );
  if (!canAdd) return left;
  return (
    <div className={classes.modelRow}>
      {left}
      <MultiSelect
        label="Add these servers"
        description="With their tools as last listed."
        data={(servers.data ?? [])
          .filter(({ name, toolCount }) => !known.includes(name) && toolCount !== null)
          .map(({ name }) => name)}
        nothingFoundMessage="No other server has listed tools."
        value={[...form.addedServers]}
        onChange={(addedServers) => onChange({ ...form, addedServers })}
        miw={260}
      />
    </div>
  );
}

interface AddedToolsProps {
  added: readonly AddedTool[];
  /** IDs that are offered without the added tools. */
  offered: ReadonlySet<string>;
  onChange: (added: AddedTool[]) => void;
}

/** Tools from a file, offered in addition to those of the evaluation. */
function AddedTools({ added, offered, onChange }: AddedToolsProps) {
  const { client } = useApi();
  const [rejected, setRejected] = useState<readonly RejectedTool[]>([]);
  const read = useMutation({
    mutationFn: async (file: File) =>
      client.evaluations.readTools({ fileName: file.name, text: await readText(file) }),
    onSuccess: (found) => {
      setRejected(found.rejected);
      onChange(joinAdded(added, found.tools));
    },
  });
  return (
    <Section
      title={
        added.length === 0
          ? 'Tools from a file'
          : `Tools from a file (${formatCount(added.length)})`
      }
      aside={
        <ChooseFile accept=".json,application/json" onFiles={([file]) => read.mutate(file)}>
          {(props) => (
            <Action
              label="Add tools from a file"
              {...props}
              small
              icon={IconFileUpload}
              loading={read.isPending}
            />
          )}
        </ChooseFile>
      }
    >
      {added.length === 0 && (
        <p className="ts-quiet">
          Offers tools that no server has yet. The file is JSON: a tools/list result, a corpus, or{' '}
          {'{"tools": […]}'} with the server, name, and description of each tool.
        </p>
      )}
      <ErrorNotice error={read.error} />
      {rejected.length > 0 && (
        <Notice tone="warning">{`Not read: ${rejected
          .slice(0, 5)
          .map(({ name, reason }) => `${name}: ${reason}`)
          .join(
            ' ',
          )}${rejected.length > 5 ? ` And ${formatCount(rejected.length - 5)} more.` : ''}`}</Notice>
      )}
      <ul className={classes.toolList}>
        {added.slice(0, maxShown).map((one) => {
          const id = toolId(one.tool.server, one.tool.name);
          return (
            <li key={id} className={classes.addedTool}>
              <PlainText as="span" className="ts-mono ts-foreign" text={id} />
              {offered.has(id) && (
                <StatusBadge tone="bad" label="Already offered. Leave out the other one first." />
              )}
              <Action
                label="Leave out"
                size="compact-xs"
                ml="auto"
                style={{ flexShrink: 0 }}
                aria-label={`Leave out ${id}`}
                onClick={() => onChange(added.filter((other) => other !== one))}
              />
            </li>
          );
        })}
      </ul>
      {added.length > maxShown && (
        <p className="ts-hint">{counted(added.length - maxShown, 'more tool')}.</p>
      )}
    </Section>
  );
}
