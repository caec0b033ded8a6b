import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useLocation, useParams, useSearchParams } from 'react-router';
import { IconCheck } from '@tabler/icons-react';
import { proofSentence, weakEstimateText } from '../../../../src-shared/display/candidateTexts.ts';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { ToolProblem } from '../../../../src-shared/domain/candidate.ts';
import { useApi } from '../../../api/index.ts';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { evaluationLink } from '../../results/links.ts';
import { Candidates } from './Candidates.tsx';
import { DefinitionEditor } from './DefinitionEditor.tsx';
import { EstimatePanel } from './EstimatePanel.tsx';
import { FailingRequests } from './FailingRequests.tsx';
import classes from './fix.module.css';
import { PatchPanel } from './PatchFile.tsx';
import { ProofPanel } from './ProofPanel.tsx';
import { onlyHeldOut } from './AddCases.tsx';
import { isRunning, useFix, type Fix } from './useFix.ts';
import { VerifyPanel } from './VerifyPanel.tsx';

/** One tool from its failing requests to a patch: edit, estimate, verify, export. */
export function FixPage() {
  const { id } = useParams();
  const [params] = useSearchParams();
  const tool = params.get('tool');
  if (tool === null)
    return (
      <>
        <PageHeader crumbs={[{ label: 'Improve', to: '/improve' }, { label: 'Fix' }]} title="Fix" />
        <EmptyState
          message="This address names no tool."
          action={
            <Button component={Link} to="/improve">
              Choose a tool
            </Button>
          }
        />
      </>
    );
  if (id === undefined) return <LatestFix tool={tool} />;
  return <FixTool key={`${id} ${tool}`} evaluationId={id} toolId={tool} />;
}

/** Goes on with the latest evaluation of a tool. */
function LatestFix({ tool }: { tool: string }) {
  const { queries } = useApi();
  const { search } = useLocation();
  const latest = useQuery(
    queries.candidates.latestEvaluation.queryOptions({ input: { toolId: tool } }),
  );
  return (
    <Loaded query={latest} blocks={[420]}>
      {({ evaluationId }) =>
        evaluationId === null ? (
          <>
            <PageHeader
              crumbs={[{ label: 'Improve', to: '/improve' }, { label: splitToolId(tool).tool }]}
              title={splitToolId(tool).tool}
            />
            <EmptyState
              message="No finished evaluation has offered this tool. Run one to see what it fails at."
              action={
                <Button component={Link} to="/results/new">
                  Run evaluation
                </Button>
              }
            />
          </>
        ) : (
          <Navigate replace to={`/improve/fix/${evaluationId}${search}`} />
        )
      }
    </Loaded>
  );
}

function FixTool({ evaluationId, toolId }: { evaluationId: string; toolId: string }) {
  const fix = useFix(evaluationId, toolId);
  const { problem, edits, current, run } = fix;
  const name = splitToolId(toolId).tool;
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Improve', to: '/improve' },
          problem.data?.unit === 'task'
            ? {
                label: `#${problem.data.evaluationNumber} ${problem.data.suiteName} (tasks)`,
                to: evaluationLink(evaluationId),
              }
            : { label: 'Fixes', to: `/improve?evaluation=${evaluationId}` },
          { label: name },
        ]}
        title={problem.data ? titleOf(name, problem.data, fix) : name}
        subtitle={
          problem.data && (
            <>
              <Foreign text={problem.data.suiteName} /> · <Foreign text={problem.data.modelName} />{' '}
              ·{' '}
              <Link to={evaluationLink(evaluationId)}>
                {problem.data.unit === 'task' ? 'task evaluation' : 'evaluation'} #
                {problem.data.evaluationNumber}
              </Link>
              . No definition on the server changes.
            </>
          )
        }
        actions={
          edits.length > 0 &&
          (current === null || !isRunning(current)) && (
            <Button variant="default" onClick={fix.discard}>
              {current?.proof == null ? 'Discard edit' : 'New edit'}
            </Button>
          )
        }
      />
      <Steps fix={fix} />
      <Loaded query={problem} blocks={[420]}>
        {(data) => (
          <>
            {run.error !== null && <ErrorNotice error={run.error} />}
            <div className={classes.columns}>
              <FailingRequests problem={data} evaluationId={evaluationId} toolId={toolId} />
              <DefinitionEditor problem={data} fix={fix} />
              <div className={classes.side}>
                {current?.proof == null ? (
                  <>
                    {fix.consent.panel !== null && (
                      <section
                        className={`ts-panel ${classes.panel ?? ''}`}
                        aria-label="What the runs change"
                      >
                        <div className={classes.body}>{fix.consent.panel}</div>
                      </section>
                    )}
                    <EstimatePanel problem={data} fix={fix} />
                    <VerifyPanel problem={data} fix={fix} />
                  </>
                ) : (
                  <ProofPanel
                    problem={data}
                    candidate={current}
                    proof={current.proof}
                    target={fix.target}
                  />
                )}
                {current !== null && <PatchPanel key={current.id} candidate={current} />}
              </div>
            </div>
            <Candidates fix={fix} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** The state of the fix in one sentence. */
function titleOf(name: string, problem: ToolProblem, { current }: Fix): string {
  if (current?.proof != null) return proofSentence(current);
  const failing = problem.failing.length + problem.moreFailing;
  const what = problem.unit === 'task' ? 'task' : 'request';
  if (onlyHeldOut(problem)) return `All failing ${what}s that involve ${name} are held out`;
  const fails =
    failing === 0
      ? `No failing ${what} involves ${name}`
      : `${counted(failing, `failing ${what}`)} ${failing === 1 ? 'involves' : 'involve'} ${name}`;
  return current?.search == null
    ? fails
    : `${fails}; this edit fixes an estimated ${formatCount(current.search.won)}`;
}

/** Where a fix stands, from its failures to its patch. */
function Steps({ fix: { problem, edits, current } }: { fix: Fix }) {
  const proved = current?.proof != null;
  // An edit that can't be expected to pass its proof is to be changed further.
  const weak =
    current !== null &&
    problem.data !== undefined &&
    weakEstimateText(problem.data.plan, current) !== null;
  const done = [
    problem.data?.failing.length !== 0,
    edits.length > 0 && !weak,
    (current?.search != null && !weak) || proved,
    proved,
    false,
  ];
  const at = done.lastIndexOf(true) + 1;
  return (
    <ol className={classes.steps} aria-label="Steps of a fix">
      {['Failures', 'Edit', 'Estimate', 'Verify', 'Patch'].map((label, index) => (
        <li
          key={label}
          data-state={index === at ? 'current' : done[index] === true ? 'done' : 'open'}
          {...(index === at ? { 'aria-current': 'step' as const } : {})}
        >
          <span className={classes.mark}>
            {done[index] === true ? <IconCheck size={14} aria-hidden /> : index + 1}
          </span>
          {label}
          {done[index] === true && <span className="ts-visually-hidden"> done</span>}
        </li>
      ))}
    </ol>
  );
}
