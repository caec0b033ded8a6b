import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { causeTitle, toolText } from '../../../../src-shared/display/verdictTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { Verdict } from '../../../../src-shared/domain/verdict.ts';
import { useApi } from '../../../api/index.ts';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { OutcomeMark } from '../../../ui/outcome/OutcomeMark.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { formatCount } from '../../../ui/estimate/format.ts';
import { counted } from '../../../ui/text/words.ts';
import { RichSentence } from '../../../ui/verdict/RichSentence.tsx';
import { optimizerLink } from '../optimizer/optimizerLink.ts';
import { fixLink } from '../result/fixLink.ts';
import classes from './improve.module.css';
import { type ToolToFix, toolsToFix } from '../../../../src-shared/metrics/toolsToFix.ts';
import { useFinishedEvaluation } from './useFinishedEvaluation.ts';

/** The tools whose definitions cause the most failures, with a way to change each. */
export function FixesPage() {
  const { list, chosen, choices, choose } = useFinishedEvaluation();
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Improve' }]}
        title="Fixes"
        subtitle="Each tool with all failing cases that point to it. Change its definition and see which cases that fixes."
        actions={
          chosen !== null && (
            <Button component={Link} variant="default" to={optimizerLink(chosen.id)}>
              Search for better descriptions
            </Button>
          )
        }
      />
      <Loaded query={list} blocks={[60, 360]}>
        {() =>
          chosen === null ? (
            <EmptyState
              message="The tools to fix appear here after the first evaluation."
              action={
                <Button component={Link} to="/evaluations/new">
                  Run evaluation
                </Button>
              }
            />
          ) : (
            <>
              <Select
                label="Evaluation"
                w={420}
                mb="md"
                searchable
                allowDeselect={false}
                data={choices}
                value={chosen.id}
                onChange={choose}
              />
              <Tools key={chosen.id} evaluation={chosen} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Tools({ evaluation }: { evaluation: Evaluation }) {
  const { queries } = useApi();
  const verdict = useQuery(
    queries.results.verdict.queryOptions({
      input: { id: evaluation.id, modelSettingsId: null },
    }),
  );
  return (
    <Loaded query={verdict} blocks={[360]}>
      {(data) => {
        const tools = toolsToFix(data.causes);
        if (tools.length === 0)
          return (
            <EmptyState message="Nothing to fix: no failure of this evaluation points to a single tool." />
          );
        return (
          <ul className={classes.tools}>
            {tools.map((tool, index) => (
              <li key={tool.tool} className="ts-panel">
                <ToolRow evaluation={evaluation} verdict={data} tool={tool} first={index === 0} />
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

const shownCauses = 4;

function ToolRow({
  evaluation,
  verdict: { severalServers, unit },
  tool: { tool, runs, causes },
  first,
}: {
  evaluation: Evaluation;
  verdict: Verdict;
  tool: ToolToFix;
  /** The tool with the most failures: the one to begin with. */
  first: boolean;
}) {
  const name = toolText(tool, severalServers);
  return (
    <div className={classes.tool}>
      <div>
        <h2 className={`ts-mono ${classes.name ?? ''}`}>
          <Foreign text={name} />
        </h2>
        <p className={classes.count}>
          {counted(runs, `failing ${unit.slice(0, -1)}`)}
          {causes.length > 1 && ` from ${counted(causes.length, 'cause')}`}
        </p>
      </div>
      <ul className={classes.causes}>
        {causes.slice(0, shownCauses).map((cause) => (
          <li key={`${cause.outcome} ${cause.expected} ${cause.called}`}>
            <OutcomeMark outcome={cause.outcome} />
            <RichSentence text={causeTitle(cause, severalServers)} /> ({formatCount(cause.runs)})
          </li>
        ))}
        {causes.length > shownCauses && (
          <li className={classes.count}>{counted(causes.length - shownCauses, 'more cause')}</li>
        )}
      </ul>
      <Button
        component={Link}
        to={fixLink(evaluation.id, tool)}
        variant={first ? 'filled' : 'default'}
        size="compact-sm"
        aria-label={`Fix ${name}`}
      >
        Fix
      </Button>
    </div>
  );
}
