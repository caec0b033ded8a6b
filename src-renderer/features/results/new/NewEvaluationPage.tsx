import { Anchor, NumberInput, Text } from '@mantine/core';
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { IconListCheck } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Action, whole } from '../../../ui/fields/controls.tsx';
import { environmentLine } from '../../../../src-shared/display/environmentTexts.ts';
import type { ListedResult } from '../../../../src-shared/contract/results.ts';
import type { EnvironmentDefaults } from '../../../../src-shared/domain/environmentDefaults.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { SampleData } from '../../../../src-shared/domain/sampleData.ts';
import type { AppSettings } from '../../../../src-shared/domain/settings.ts';
import type { Suite } from '../../../../src-shared/domain/testCase.ts';
import { useRead, useSample } from '../../../api/index.ts';
import { EnvironmentNotice } from '../../../ui/notices/EnvironmentNotice.tsx';
import { EmptyState, Loaded, LoadingSkeleton } from '../../../ui/notices/notices.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import classes from '../evaluations.module.css';
import {
  emptyForm,
  numberField,
  type EvaluationForm,
  parseForm,
  requestsOf,
  shownEntries,
  shownMode,
  suiteToRun,
  withoutCaseFields,
} from './evaluationForm.ts';
import { evaluationLink } from '../links.ts';
import { GateFields } from './GateFields.tsx';
import { formOfResult } from './lastSettings.ts';
import { ModelFields } from './ModelFields.tsx';
import { ModeFields } from './ModeFields.tsx';
import { PlanPanel } from './PlanPanel.tsx';
import { PromptFields } from './PromptFields.tsx';
import { secondRoles } from '../../../models/secondModelForm.ts';
import { SecondModelFields } from './SecondModelFields.tsx';
import { SuiteFields } from './SuiteFields.tsx';

/**
 * A query without what an earlier screen left of it: the form takes its suite once, and a suite
 * that came in meanwhile, as by the command line, would be passed over for another one.
 */
function asOfNow<T>(
  query: UseQueryResult<T>,
): Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'> {
  const { data, error, refetch, isFetchedAfterMount } = query;
  return { data: isFetchedAfterMount ? data : undefined, error, refetch };
}

export function NewEvaluationPage() {
  const suites = useRead((ask) => ask.suites.list);
  const settings = useRead((ask) => ask.settings.get);
  const environment = useRead((ask) => ask.settings.environment);
  const latest = useRead((ask) => ask.results.list, { input: { limit: 1 } });
  const sample = useSample();
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Results', to: '/results' }, { label: 'New' }]}
        title="New evaluation"
        subtitle="Run the cases or the tasks of a suite against one or more models."
      />
      <Loaded query={asOfNow(suites)} blocks={[60, 60, 200]}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState
              icon={<IconListCheck size={32} stroke={1.5} />}
              message="An evaluation needs a suite: queries with the calls they expect. You don't have one yet."
              action={<Action label="Go to suites" filled to="/suites" />}
            />
          ) : (
            <Loaded query={settings} blocks={[60, 60, 200]}>
              {(defaults) => (
                <Loaded query={asOfNow(latest)} blocks={[60, 60, 200]}>
                  {({ groups: [newest] }) => (
                    <Loaded query={environment} blocks={[60, 60, 200]}>
                      {(variables) => (
                        <Loaded query={sample} blocks={[60, 60, 200]}>
                          {(ofSample) => (
                            <EvaluationFormView
                              suites={list}
                              latest={newest?.lead.evaluation ?? null}
                              sample={ofSample}
                              defaults={defaults}
                              environment={variables}
                            />
                          )}
                        </Loaded>
                      )}
                    </Loaded>
                  )}
                </Loaded>
              )}
            </Loaded>
          )
        }
      </Loaded>
    </>
  );
}

/**
 * The last result of a suite that a person started for its own sake; null if there is none, or none
 * is known yet for a suite that was just chosen; undefined before the first is known.
 */
function useLastResult(
  suite: string | null,
  unit: EvaluationUnit,
): ListedResult | null | undefined {
  const { data, isLoading } = useRead((ask) => ask.results.list, {
    input: { suite, unit, limit: 10 },
    enabled: suite !== null,
    placeholderData: keepPreviousData,
  });
  if (isLoading) return undefined;
  const leads = data?.groups.map(({ lead }) => lead) ?? [];
  return (
    leads.find(
      (one) =>
        one.unit === unit && one.evaluation.suiteId === suite && one.evaluation.origin === null,
    ) ?? null
  );
}

const noFaults: ReadonlyMap<string, string> = new Map();

function EvaluationFormView(props: {
  suites: readonly Suite[];
  latest: Pick<Evaluation, 'id' | 'suiteId'> | null;
  sample: SampleData;
  defaults: AppSettings;
  environment: EnvironmentDefaults;
}) {
  const { suites, latest, sample, defaults, environment } = props;
  const [params] = useSearchParams();
  const tasksWanted = params.get('run') === 'tasks';
  const first =
    suites.find(({ id }) => id === params.get('suite')) ??
    suiteToRun(suites, { tasksWanted, latest }, sample);
  // What was changed here stays when another suite brings the settings of its last result.
  const [edits, setEdits] = useState<Partial<EvaluationForm>>({});
  const [fromDefaults, setFromDefaults] = useState(false);
  const suiteId = edits.suiteId ?? first?.id ?? null;
  const suite = suites.find(({ id }) => id === suiteId);
  const entries = shownEntries(suite, edits.entries ?? (tasksWanted ? 'tasks' : 'cases'));
  const known = useLastResult(suiteId, entries === 'tasks' ? 'task' : 'case');
  const last = known ?? null;
  const form = useMemo((): EvaluationForm => {
    const start = emptyForm(defaults, suiteId, environment.values);
    return { ...(last === null || fromDefaults ? start : formOfResult(last, start)), ...edits };
  }, [defaults, suiteId, environment, last, fromDefaults, edits]);
  const mode = shownMode(form.mode, suite);
  const parsed = useMemo(
    () => parseForm(entries === 'tasks' ? withoutCaseFields({ ...form, entries }, defaults) : form),
    [form, entries, defaults],
  );
  const requests = useMemo(
    () => requestsOf(form, parsed.settings, entries === 'tasks' ? mode : null),
    [entries, mode, parsed, form],
  );
  const asking = { judge: suite?.judgedTaskCount ?? 0, user: suite?.simulatedTaskCount ?? 0 };
  const faults = parsed.faults ?? noFaults;
  const fault = [...faults.values()][0] ?? null;
  const set = (part: Partial<EvaluationForm>): void =>
    setEdits((before) => ({ ...before, ...part }));
  const number = numberField(form, faults, set);
  const opened = (...names: string[]) => names.some((name) => faults.has(name)) || undefined;
  // Not with default settings that those of the last result would replace under a person's hands.
  if (known === undefined) return <LoadingSkeleton blocks={[60, 60, 200]} />;
  return (
    <div className={classes.form}>
      <div className={classes.stack}>
        <EnvironmentNotice
          line={last === null || fromDefaults ? environmentLine(environment.values) : null}
          problems={environment.problems}
        />
        <Section title="Suite">
          <SuiteFields suites={suites} form={form} entries={entries} onSet={set} />
          {last !== null && (
            <Text size="sm" c="dimmed" mt="sm">
              {fromDefaults ? 'Default settings.' : 'Settings of '}
              {!fromDefaults && (
                <Anchor component={Link} to={evaluationLink(last.evaluation.id)} inherit>
                  #{last.evaluation.number}
                </Anchor>
              )}{' '}
              <Action
                label={
                  fromDefaults ? `Start from #${last.evaluation.number}` : 'Start from defaults'
                }
                variant="subtle"
                small
                onClick={() => {
                  setEdits({ suiteId, entries });
                  setFromDefaults(!fromDefaults);
                }}
              />
            </Text>
          )}
        </Section>
        <Section title="Models">
          <ModelFields
            rows={form.models}
            faults={faults}
            environment={environment.values}
            onChange={(models) => set({ models })}
          />
        </Section>
        {entries === 'tasks' && (
          <Section title="Execution mode">
            <ModeFields mode={mode} suite={suite} onChange={(chosen) => set({ mode: chosen })} />
          </Section>
        )}
        {secondRoles.map(
          (role) =>
            entries === 'tasks' &&
            asking[role] > 0 && (
              <Section key={role} title={role === 'judge' ? 'Judge' : 'Simulated user'}>
                <SecondModelFields
                  role={role}
                  form={form[role]}
                  faults={faults}
                  onChange={(chosen) => set({ [role]: chosen })}
                />
              </Section>
            ),
        )}
        <Section title="Runs">
          <div className={classes.numbers}>
            <NumberInput
              label="Repetitions"
              description={`Runs of each ${entries === 'tasks' ? 'task' : 'case'}, 1–100`}
              {...whole(1, 100)}
              {...number('repetitions')}
            />
            <NumberInput
              label="Concurrency"
              description="Parallel runs, 1–256"
              {...whole(1, 256)}
              {...number('concurrency')}
            />
          </div>
        </Section>
        {entries === 'cases' && (
          <Section title="Gates">
            <GateFields rows={form.gates} faults={faults} onChange={(gates) => set({ gates })} />
          </Section>
        )}
        <details
          className={classes.fold}
          open={opened('seed', 'maxTurns', 'spendLimitUsd', 'systemPrompt', 'recordFile')}
        >
          <summary>
            {entries === 'tasks' ? 'Prompt and limits' : 'Prompt, arguments, order, and limits'}
          </summary>
          <div className={classes.panelBody}>
            <PromptFields form={form} entries={entries} faults={faults} onSet={set} />
          </div>
        </details>
        <details
          className={classes.fold}
          open={opened('timeout', 'temperature', 'maxRetries', 'highConfidence')}
        >
          <summary>Timeout, temperature, and retries</summary>
          <div className={`${classes.numbers ?? ''} ${classes.panelBody ?? ''}`}>
            <NumberInput
              label="Timeout"
              description="Seconds per answer, 1–300"
              {...whole(1, 300)}
              {...number('timeout')}
            />
            <NumberInput
              label="Temperature"
              description="0–2, if the model supports it. Empty: never sent"
              placeholder="Not sent"
              min={0}
              max={2}
              step={0.1}
              {...number('temperature')}
            />
            <NumberInput
              label="Retries"
              description="After provider errors, 0–10"
              {...whole(0, 10)}
              {...number('maxRetries')}
            />
            {entries === 'cases' && (
              <NumberInput
                label="High confidence from"
                description="0–1"
                min={0}
                max={1}
                step={0.05}
                {...number('highConfidence')}
              />
            )}
          </div>
        </details>
      </div>
      <div className={classes.aside}>
        <PlanPanel unit={entries === 'tasks' ? 'task' : 'case'} requests={requests} fault={fault} />
      </div>
    </div>
  );
}
