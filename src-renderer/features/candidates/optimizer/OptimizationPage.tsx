import { useMutation } from '@tanstack/react-query';
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { Link, useParams, useSearchParams } from 'react-router';
import { useState } from 'react';
import { Action } from '../../../ui/fields/controls.tsx';
import {
  formatPercent,
  formatCount,
  formatSigned,
} from '../../../../src-shared/display/numbers.ts';
import {
  describeStop,
  optimizationAnswer,
  optimizationNextStep,
  passWords,
} from '../../../../src-shared/display/optimizationTexts.ts';
import {
  canResume,
  unitOf,
  type Optimization,
  type OptimizationPlan,
  type OptimizationStep,
} from '../../../../src-shared/domain/optimization.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { ErrorNotice, Loaded, Notice } from '../../../ui/notices/notices.tsx';
import { LoadedPage, PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { WorkBar } from '../../../ui/progress/WorkBar.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { evaluationLink, evaluationNoun, searchLink } from '../../results/links.ts';
import { bestStep } from './optimizationCharts.ts';
import { proposerText, stepBadge } from '../../results/result/optimizationStates.ts';
import classes from './optimizer.module.css';
import { ProgressCharts } from './ProgressCharts.tsx';
import { ResultTiles } from './ResultTiles.tsx';
import { StepPanel } from './StepPanel.tsx';
import type { PatchFormat } from '../../../../src-shared/domain/candidate.ts';
import { Section, TitledPanel } from '../../../ui/panels/panels.tsx';
import { PatchFile } from '../fix/PatchFile.tsx';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { PlainTable } from '../../../ui/table/PlainTable.tsx';

const pollMs = 700;

/** One optimization: its verdict, its steps, and the patch. */
export function OptimizationPage() {
  const { id = '' } = useParams();
  const optimization = useRead((ask) => ask.optimizations.get, {
    input: { id },
    refetchInterval: (query) => (query.state.data?.state === 'running' ? pollMs : false),
  });
  return (
    <LoadedPage
      crumbs={[{ label: 'Results', to: '/results' }, { label: 'Search' }]}
      query={optimization}
      blocks={[110, 300, 240]}
    >
      {(data) => <Shown key={data.id} optimization={data} />}
    </LoadedPage>
  );
}

function Shown({ optimization }: { optimization: Optimization }) {
  const { baseEvaluationId, baseNumber, modelSettingsId, settings, state, steps } = optimization;
  const unit = unitOf(settings);
  const plan = useRead((ask) => ask.optimizations.plan, {
    input: { ...settings, evaluationId: baseEvaluationId, modelSettingsId },
  });
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Results', to: '/results' },
          { label: `#${optimization.baseNumber} ${optimization.suiteName}` },
          { label: 'Search' },
        ]}
        title={titleOf(optimization)}
        subtitle={
          <>
            <Foreign text={optimization.suiteName} /> · <Foreign text={optimization.modelName} /> ·
            candidates by <Foreign text={proposerText(settings)} /> · seed {settings.seed} ·{' '}
            <Link to={evaluationLink(baseEvaluationId)}>
              {evaluationNoun[unit]} #{baseNumber}
            </Link>{' '}
            · {optimization.endedAt === null ? 'started ' : 'ended '}
            <Time iso={optimization.endedAt ?? optimization.createdAt} />
          </>
        }
        actions={<Actions optimization={optimization} />}
      />
      {state === 'running' && (
        <WorkBar
          label="Optimization"
          done={steps.length}
          total={settings.maxSteps}
          unit="step"
          pace={null}
          stage={
            optimization.proofEvaluationId === null
              ? 'Searching. It ends earlier if nothing more helps.'
              : `Proving the best step on the held-out ${unit}s.`
          }
        />
      )}
      {state !== 'running' && optimization.stopped !== null && (
        <Notice tone={state === 'failed' ? 'danger' : 'neutral'}>
          {optimization.result !== null && (
            <Foreign text={`${optimization.result.reasons.join(' ')} `} limit={600} />
          )}
          <Foreign text={describeStop(optimization)} limit={400} />{' '}
          {optimizationNextStep(optimization)}
        </Notice>
      )}
      <Loaded query={plan} blocks={[110, 300]}>
        {(data) => <Body optimization={optimization} plan={data} />}
      </Loaded>
    </>
  );
}

function Body({ optimization, plan }: { optimization: Optimization; plan: OptimizationPlan }) {
  const [params, setParams] = useSearchParams();
  const { steps, result } = optimization;
  const wanted = Number(params.get('step') ?? NaN);
  const shown =
    steps.find(({ step }) => step === wanted) ??
    steps.find(({ step }) => step === result?.step) ??
    bestStep(steps) ??
    steps.at(-1) ??
    null;
  const open = (step: number): void => setParams({ step: String(step) }, { replace: true });
  return (
    <>
      <ResultTiles optimization={optimization} plan={plan} />
      <div className={classes.pageColumns}>
        <div className={classes.main}>
          {optimization.settings.proposer.kind !== 'given' && (
            <ProgressCharts optimization={optimization} plan={plan} />
          )}
          {steps.length > 0 && (
            <StepTable
              optimization={optimization}
              startTokens={plan.tokens}
              shown={shown?.step ?? null}
              onOpen={open}
            />
          )}
        </div>
        <div className={classes.side}>
          {shown !== null && (
            <StepPanel key={shown.step} step={shown} optimization={optimization} />
          )}
          {result !== null && <OptimizationPatch optimization={optimization} />}
        </div>
      </div>
    </>
  );
}

function Actions({ optimization }: { optimization: Optimization }) {
  const { id, state, baseEvaluationId, modelSettingsId } = optimization;
  const { client, queries, reread } = useApi();
  const act = useMutation({
    mutationFn: (action: 'pause' | 'resume' | 'cancel') => client.optimizations[action]({ id }),
    onSettled: () => reread(queries.optimizations),
  });
  const button = (action: 'pause' | 'resume' | 'cancel') => ({
    loading: act.isPending && act.variables === action,
    onClick: () => act.mutate(action),
  });
  return (
    <>
      <ErrorNotice error={act.error} />
      {state === 'running' && <Action label="Pause" icon={IconPlayerPause} {...button('pause')} />}
      {canResume(state) && (
        <Action label="Resume" filled icon={IconPlayerPlay} {...button('resume')} />
      )}
      {state === 'running' || canResume(state) ? (
        <Action label="Cancel" icon={IconPlayerStop} {...button('cancel')} />
      ) : (
        <Action label="New search" to={searchLink(baseEvaluationId, modelSettingsId)} />
      )}
    </>
  );
}

/** The verdict, or what is known so far. */
function titleOf(optimization: Optimization): string {
  const { state, result, steps, settings } = optimization;
  const unit = unitOf(settings);
  const best = bestStep(steps);
  if (state === 'running')
    return best === null
      ? settings.proposer.kind === 'given'
        ? 'Proving a candidate'
        : 'Searching for better descriptions'
      : `Best so far: ${formatPercent(best.passRate)} of the search ${unit}s ${passWords[unit].plural}`;
  const answer = optimizationAnswer(optimization);
  return result === null ? answer : answer.replace(/\.$/u, '');
}

/** The proven candidate as a file. Nothing is written to a server. */
function OptimizationPatch({ optimization: { id, state } }: { optimization: Optimization }) {
  const [format, setFormat] = useState<PatchFormat>('markdown');
  const patch = useRead((ask) => ask.optimizations.export, { input: { id, format } });
  const proven = state === 'accepted';
  return (
    <TitledPanel title={proven ? 'Patch' : 'Patch, not proven'} label="Patch">
      <PatchFile patch={patch} format={format} onFormat={setFormat} filled={proven} />
    </TitledPanel>
  );
}

interface StepTableProps {
  optimization: Optimization;
  startTokens: number;
  shown: number | null;
  onOpen: (step: number) => void;
}

const shownTools = 2;

/** Every step, the last one first, with why it was kept or not. */
function StepTable({ optimization, startTokens, shown, onOpen }: StepTableProps) {
  return (
    <Section title="Steps">
      <div className={classes.steps} tabIndex={0} role="region" aria-label="All steps">
        <PlainTable
          label="Steps"
          stickyHeader
          withTableBorder={false}
          heads={[
            ...['Step', 'Tools edited', 'How or why'],
            ...['Screening', 'Search half', 'Tokens', 'Result'],
          ]}
          numeric={[3, 4, 5]}
          rows={optimization.steps.toReversed().map((each) => {
            const { step, toolIds, screening, passRate, tokens } = each;
            return {
              key: step,
              current: step === shown,
              cells: [
                <Action
                  label={step}
                  size="compact-xs"
                  aria-label={`Show step ${step}`}
                  aria-pressed={step === shown}
                  onClick={() => onOpen(step)}
                />,
                <span className={`ts-mono ${classes.tools ?? ''}`}>
                  <Foreign text={toolsText(toolIds)} />
                </span>,
                <Foreign text={whyText(each)} limit={200} />,
                screening === null
                  ? '–'
                  : `${formatCount(screening.passed)} of ${formatCount(screening.cases)}`,
                formatPercent(passRate),
                tokens === null ? '–' : formatSigned(tokens - startTokens, 0),
                <StatusBadge {...stepBadge(each, optimization.state, optimization.result)} />,
              ],
            };
          })}
        />
      </div>
    </Section>
  );
}

function toolsText(toolIds: readonly string[]): string {
  const names = toolIds.map((id) => splitToolId(id).tool);
  const more = names.length - shownTools;
  return more > 0
    ? `${names.slice(0, shownTools).join(', ')}, ${formatCount(more)} more`
    : names.join(', ');
}

const whyText = ({ why, kind, parents, reason }: OptimizationStep): string =>
  why ?? (kind === 'merge' ? `Merges steps ${parents.join(' and ')}` : reason);
