import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { taskConfusionText } from '../../../../src-shared/display/taskToolTexts.ts';
import {
  causeTitle,
  toolText,
  type RichText,
} from '../../../../src-shared/display/verdictTexts.ts';
import { type ToolToFix, toolsToFix } from '../../../../src-shared/metrics/toolsToFix.ts';
import { useApi } from '../../../api/index.ts';
import { formatCount } from '../../../ui/estimate/format.ts';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { OutcomeMark } from '../../../ui/outcome/OutcomeMark.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { counted } from '../../../ui/text/words.ts';
import { RichSentence } from '../../../ui/verdict/RichSentence.tsx';
import { fixLink } from '../../results/links.ts';
import classes from './improve.module.css';

/** The tools to fix of an evaluation of cases. */
export function CaseFixes({ evaluationId }: { evaluationId: string }) {
  const { queries } = useApi();
  const verdict = useQuery(
    queries.results.verdict.queryOptions({
      input: { id: evaluationId, modelSettingsId: null },
    }),
  );
  return (
    <Loaded query={verdict} blocks={[360]}>
      {({ causes, severalServers, unit }) => (
        <ToolRows
          evaluationId={evaluationId}
          tools={toolsToFix(causes)}
          nameOf={(tool) => toolText(tool, severalServers)}
          failures={`failing ${unit.slice(0, -1)}`}
          textOf={(cause) => causeTitle(cause, severalServers)}
          markOf={({ outcome }) => <OutcomeMark outcome={outcome} />}
        />
      )}
    </Loaded>
  );
}

/** The tools to fix of an evaluation of tasks, by the first wrong step of each run. */
export function TaskFixes({ evaluationId }: { evaluationId: string }) {
  const { queries } = useApi();
  const report = useQuery(queries.evaluations.report.queryOptions({ input: { id: evaluationId } }));
  return (
    <Loaded query={report} blocks={[360]}>
      {({ summary }) => (
        <ToolRows
          evaluationId={evaluationId}
          tools={toolsToFix(summary.confusions)}
          nameOf={(tool) => tool}
          failures="wrong step"
          textOf={taskConfusionText}
        />
      )}
    </Loaded>
  );
}

const shownCauses = 4;

interface Cause {
  expected: string | null;
  called: string | null;
  runs: number;
}

function ToolRows<C extends Cause>({
  evaluationId,
  tools,
  nameOf,
  failures,
  textOf,
  markOf,
}: {
  evaluationId: string;
  tools: readonly ToolToFix<C>[];
  nameOf: (tool: string) => string;
  /** What is counted, in the singular. */
  failures: string;
  textOf: (cause: C) => RichText;
  markOf?: (cause: C) => ReactNode;
}) {
  if (tools.length === 0)
    return (
      <EmptyState message="Nothing to fix: no failure of this evaluation points to a single tool." />
    );
  return (
    <ul className={classes.tools}>
      {tools.map(({ tool, runs, causes }, index) => (
        <li key={tool} className="ts-panel">
          <div className={classes.tool}>
            <div>
              <h2 className={`ts-mono ${classes.name ?? ''}`}>
                <Foreign text={nameOf(tool)} />
              </h2>
              <p className={classes.count}>
                {counted(runs, failures)} {runs === 1 ? 'points' : 'point'} to it
                {causes.length > 1 && `, from ${counted(causes.length, 'cause')}`}
              </p>
            </div>
            <ul className={classes.causes}>
              {causes.slice(0, shownCauses).map((cause) => (
                <li key={JSON.stringify(cause)}>
                  {markOf?.(cause)}
                  <RichSentence text={textOf(cause)} /> ({formatCount(cause.runs)})
                </li>
              ))}
              {causes.length > shownCauses && (
                <li className={classes.count}>
                  {counted(causes.length - shownCauses, 'more cause')}
                </li>
              )}
            </ul>
            <Button
              component={Link}
              to={fixLink(evaluationId, tool)}
              // The tool with the most failures is the one to begin with.
              variant={index === 0 ? 'filled' : 'default'}
              size="compact-sm"
              aria-label={`Fix ${nameOf(tool)}`}
            >
              Fix
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
