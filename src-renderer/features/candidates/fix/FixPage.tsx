import { Group, Select } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import { onlyHeldOut, proofSentence } from '../../../../src-shared/display/candidateTexts.ts';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { toolAddress, toolOfAddress } from '../../../../src-shared/display/toolAddresses.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { ToolProblem, CandidateSubject } from '../../../../src-shared/domain/candidate.ts';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import {
  EmptyState,
  ErrorNotice,
  Loaded,
  LoadingSkeleton,
  Notice,
  showFailure,
} from '../../../ui/notices/notices.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { evaluationLink } from '../../results/links.ts';
import { Candidates } from './Candidates.tsx';
import { DefinitionEditor } from './DefinitionEditor.tsx';
import { EstimatePanel } from './EstimatePanel.tsx';
import { FailingRequests } from './FailingRequests.tsx';
import { FixLead } from './FixLead.tsx';
import classes from './fix.module.css';
import { PatchPanel } from './PatchFile.tsx';
import { ProofPanel, ProvePanel } from './ProofPanel.tsx';
import { AddCases } from './AddCases.tsx';
import { isRunning, useFix, type Fix } from './useFix.ts';
import { TitledPanel } from '../../../ui/panels/panels.tsx';

/** One tool from its text, or its failing requests, to a patch: edit, estimate, prove, export. */
export function FixPage() {
  const toolId = toolOfAddress(useParams());
  return <EditTool key={toolId} toolId={toolId} />;
}

function EditTool({ toolId }: { toolId: string }) {
  const fix = useFix(toolId);
  const { subject, result, tool, problem, edits, current, run } = fix;
  const { server, tool: name } = splitToolId(toolId);
  const shown = result === null ? undefined : problem.data;
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Tools', to: '/tools' },
          { label: server, to: `/tools?${new URLSearchParams({ server }).toString()}` },
          { label: name, to: toolAddress(toolId) },
          { label: 'Edit' },
        ]}
        title={shown ? titleOf(name, shown, fix) : `Edit ${name}`}
        subtitle={subject.data && <Subtitle fix={fix} />}
        actions={
          edits.length > 0 &&
          (current === null || !isRunning(current)) && (
            <>
              {current === null && (
                <Action
                  label="Save candidate"
                  loading={fix.keep.isPending}
                  onClick={() => fix.keep.mutate(undefined, { onError: showFailure })}
                />
              )}
              <Action
                label={current?.proof == null ? 'Discard changes' : 'New candidate'}
                onClick={fix.discard}
              />
            </>
          )
        }
      />
      {shown !== undefined && <FixLead problem={shown} fix={fix} />}
      <Loaded query={subject} blocks={[420]}>
        {(data) => (
          <>
            <ErrorNotice error={run.error} />
            <Stale fix={fix} />
            {result !== null && problem.isError ? (
              <ErrorNotice error={problem.error} />
            ) : result !== null && shown === undefined ? (
              <LoadingSkeleton blocks={[420]} />
            ) : tool === undefined ? (
              <EmptyState
                message="No server and no result offers this tool."
                action={<Action label="Choose a tool" filled to="/tools" />}
              />
            ) : (
              <div className={shown === undefined ? classes.twoColumns : classes.columns}>
                {shown !== undefined && result !== null && (
                  <FailingRequests problem={shown} evaluationId={result.evaluationId} fix={fix} />
                )}
                <DefinitionEditor tool={tool} problem={shown ?? null} fix={fix} />
                <div className={classes.side}>
                  {shown === undefined ? (
                    <WithoutResult subject={data} fix={fix} />
                  ) : (
                    <Trying problem={shown} fix={fix} />
                  )}
                  {current !== null && <PatchPanel key={current.id} candidate={current} />}
                </div>
              </div>
            )}
            <Candidates toolId={toolId} openId={current?.id ?? null} onGone={fix.discard} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** The suite, the model and the result that the candidate is tried on, with a choice of several models. */
function Subtitle({ fix: { result, problem, go } }: { fix: Fix }) {
  if (result === null) return <>No result has offered this tool yet. The server stays unchanged.</>;
  const rate = ({ passed, scored }: (typeof result.models)[number]): string =>
    scored === 0 ? '' : ` · ${formatCount(passed)} of ${formatCount(scored)} passed`;
  return (
    <span className={classes.subtitle}>
      <span>
        <Foreign text={result.suiteName} /> ·{' '}
        <Link to={evaluationLink(result.evaluationId)}>
          {result.unit === 'task' ? 'task evaluation' : 'evaluation'} #{result.number}
        </Link>{' '}
        {result.models.length === 1 && (
          <>
            · <Foreign text={problem.data?.modelName ?? ''} />
          </>
        )}
      </span>
      {result.models.length > 1 && (
        <Select
          aria-label="Model"
          size="xs"
          w={320}
          data={result.models.map((model) => ({
            value: model.id,
            label: `${model.name}${rate(model)}`,
          }))}
          value={result.modelSettingsId}
          onChange={(model) => {
            // What was tried with another model is another candidate with the same texts.
            go({ model, result: result.evaluationId, candidate: null });
          }}
        />
      )}
    </span>
  );
}

/** What makes the shown result or candidate an old one, with the way to the present. */
function Stale({ fix: { subject, result, problem, current, go } }: { fix: Fix }) {
  const { offered, newer } = subject.data ?? { offered: null, newer: null };
  const base = problem.data?.tool;
  const differs =
    result !== null &&
    offered !== null &&
    base !== undefined &&
    base.hash !== offered.hash &&
    current?.now !== 'applied';
  return (
    <>
      {current?.now === 'applied' && (
        <Notice tone="neutral">Applied: the server offers the texts of this candidate.</Notice>
      )}
      {current?.now === 'out_of_date' && (
        <Notice tone="warning">
          Out of date: the server’s text is neither the one that this candidate was made from nor
          the one that it proposes.
        </Notice>
      )}
      {newer !== null && (
        <Notice tone="neutral">
          <Group justify="space-between" gap="sm">
            <span>Result #{newer.number} is newer than the one shown.</span>
            <Action
              label={`Use result #${newer.number}`}
              small
              onClick={() => go({ result: newer.evaluationId, candidate: null })}
            />
          </Group>
        </Notice>
      )}
      {differs && newer === null && current?.now !== 'out_of_date' && (
        <Notice tone="warning">
          The server’s definition has changed since result #{result.number}. Run the suite again to
          try a candidate for the new one.
        </Notice>
      )}
    </>
  );
}

function Trying({ problem, fix }: { problem: ToolProblem; fix: Fix }) {
  const { current, consent } = fix;
  if (current?.proof != null)
    return <ProofPanel problem={problem} candidate={current} proof={current.proof} fix={fix} />;
  return (
    <>
      {consent.panel !== null && (
        <TitledPanel label="What the runs change">
          <div className={classes.body}>{consent.panel}</div>
        </TitledPanel>
      )}
      <EstimatePanel problem={problem} fix={fix} />
      <ProvePanel problem={problem} fix={fix} />
    </>
  );
}

function titleOf(name: string, problem: ToolProblem, { current }: Fix): string {
  if (current?.proof != null) return proofSentence(current);
  const failing = problem.failing.length + problem.moreFailing;
  const what = problem.unit === 'task' ? 'task' : 'request';
  if (onlyHeldOut(problem)) return `All failing ${what}s that involve ${name} are held out`;
  const fails =
    failing === 0
      ? `No failing ${what} involves ${name}`
      : `${counted(failing, `failing ${what}`)} ${failing === 1 ? 'involves' : 'involve'} ${name}`;
  if (current?.search == null) return fails;
  const { won, lost } = current.search;
  const breaks = lost === 0 ? '' : ` and breaks ${formatCount(lost)}`;
  return `${fails}; this candidate fixes an estimated ${formatCount(won)}${breaks}`;
}

/** Which cases there are for a tool that no result has offered, and what an estimate needs. */
function WithoutResult({ subject, fix }: { subject: CandidateSubject; fix: Fix }) {
  const [suite] = subject.suites;
  const cases = subject.suites.reduce((sum, one) => sum + one.cases, 0);
  return (
    <TitledPanel
      title={cases === 0 ? 'No case expects it' : `${counted(cases, 'case')} expect it`}
      label="What a proof needs"
    >
      <div className={classes.body}>
        <p>
          {cases === 0
            ? 'An estimate and a proof need cases that expect this tool, and a result of them.'
            : 'An estimate and a proof need a result of these cases. Run them once.'}
        </p>
        {subject.suites.length > 0 && (
          <ul className={classes.rows}>
            {subject.suites.map(({ id, name, cases: own }) => (
              <li key={id}>
                <Link to={`/suites/${id}`}>
                  <Foreign text={name} />
                </Link>
                <span>{formatCount(own)}</span>
              </li>
            ))}
          </ul>
        )}
        {suite !== undefined && (
          <Action label="Run evaluation" filled to={`/results/new?suite=${suite.id}`} fullWidth />
        )}
        <AddCases fix={fix} unit="case" suiteId={suite?.id ?? null} />
      </div>
    </TitledPanel>
  );
}
