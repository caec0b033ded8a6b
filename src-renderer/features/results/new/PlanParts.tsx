import { Text } from '@mantine/core';
import { Action } from '../../../ui/fields/controls.tsx';
import type { PlannedModel } from '../../../../src-shared/domain/evaluationPlan.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { Term } from '../../../ui/text/Term.tsx';
import { useState } from 'react';
import { dayText } from '../../../../src-shared/display/dates.ts';
import {
  formatAbout,
  formatCount,
  formatPrice,
  counted,
  noun,
} from '../../../../src-shared/display/numbers.ts';
import { leftOutText } from '../../../../src-shared/display/suiteTexts.ts';
import {
  aboutCost,
  costAssumptions,
  programText,
  tokenSourceTexts,
} from '../../../../src-shared/display/planTexts.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { SentToolsList } from '../SentToolsList.tsx';
import classes from '../evaluations.module.css';

interface PlanNumbersProps {
  unit: EvaluationUnit;
  /** Undefined until it is known. */
  plan:
    | ({ runs: number; servers: readonly string[]; leftOut?: number | undefined } & (
        { cases: number } | { tasks: number }
      ))
    | undefined;
}

export function PlanNumbers({ unit, plan }: PlanNumbersProps) {
  const entries = plan && ('tasks' in plan ? plan.tasks : plan.cases);
  return (
    <>
      <div className={classes.planNumbers}>
        <span className={classes.planNumber}>
          <b>{formatCount(entries)}</b> {noun(entries, unit)}
        </span>
        <span className={classes.planNumber}>
          <b>{formatCount(plan?.runs)}</b> {noun(plan?.runs, 'run')}
        </span>
        <span className={classes.planNumber}>
          <b>{formatCount(plan?.servers.length)}</b> {noun(plan?.servers.length, 'server')}
        </span>
      </div>
      {plan?.leftOut !== undefined && <p className="ts-hint">{leftOutText(unit, plan)}</p>}
      {plan !== undefined && plan.servers.length > 0 && (
        <Text size="sm" c="dimmed" mb="sm">
          <Foreign text={plan.servers.join(', ')} limit={300} />
        </Text>
      )}
    </>
  );
}

interface PlanProblemsProps {
  problems: readonly { severity: 'error' | 'warning'; message: string }[];
}

/** What speaks against a plan. Errors prevent its start. */
export function PlanProblems({ problems }: PlanProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <ul className={classes.problems} tabIndex={0} aria-label="Problems">
      {problems.map((problem, index) => (
        <li key={`${index} ${problem.message}`}>
          <StatusBadge
            tone={problem.severity === 'error' ? 'bad' : 'warning'}
            label={problem.severity === 'error' ? 'Error' : 'Warning'}
          />{' '}
          <Foreign text={problem.message} limit={600} />
        </li>
      ))}
    </ul>
  );
}

interface PlanEstimateProps {
  plan: { models: readonly PlannedModel[]; costUsd: number | null };
  /** What an entry of the suite is called. */
  entry: EvaluationUnit;
  /** Absent if no endpoint can count, or if it already has. */
  onCount?: (() => void) | undefined;
  counting?: boolean;
}

/** What each model would receive and what that would cost, before anything is sent. */
export function PlanEstimate({ plan, entry, onCount, counting = false }: PlanEstimateProps) {
  const asked = plan.models.filter(({ outputTokens }) => outputTokens !== null);
  const unknown = asked.some(({ tools }) => tools === null);
  const programs = plan.models.filter(({ program }) => program !== undefined);
  if (asked.length + programs.length === 0) return null;
  return (
    <div className={classes.stack} aria-label="Estimate" role="group" style={{ marginBottom: 12 }}>
      {asked.map((model) => (
        <Estimated key={model.index} model={model} entry={entry} />
      ))}
      {programs.map(({ index, label, program }) => (
        <Text key={index} size="xs">
          <Foreign text={program ? programText(label, program) : ''} limit={300} />
        </Text>
      ))}
      {asked.length > 1 && (
        <Text size="sm">
          All models: <b className="ts-number">{aboutCost(plan.costUsd)}</b>
        </Text>
      )}
      {unknown && (
        <p className="ts-hint">
          Tokens are unknown until each server was checked once. Check them under Tools.
        </p>
      )}
      {onCount !== undefined && asked.length > 0 && !unknown && (
        <div>
          <Action label="Count with the provider" size="xs" loading={counting} onClick={onCount} />
        </div>
      )}
    </div>
  );
}

function Estimated({ model, entry }: { model: PlannedModel } & Pick<PlanEstimateProps, 'entry'>) {
  const [now] = useState(() => new Date());
  return (
    <div>
      <Text size="sm" fw={500}>
        <Foreign text={model.label} limit={120} />
      </Text>
      <Text size="xs" className="ts-number">
        {/* A judge and a simulated user are offered no tools. */}
        {model.tools !== 0 && (
          <>{model.tools === null ? 'Tools unknown' : counted(model.tools, 'tool')} · </>
        )}
        <Term meaning={tokenSourceTexts[model.tokenSource ?? 'estimated']}>
          {model.inputTokens === null
            ? 'tokens unknown'
            : `about ${formatAbout(model.inputTokens)} tokens in (${model.tokenSource ?? ''})`}
        </Term>{' '}
        ·{' '}
        <Term
          meaning={`${costAssumptions[entry]}, and no discount for cached input. Unpriced if the price is unknown.`}
        >
          {model.inputTokens === null ? 'cost unknown' : aboutCost(model.costUsd)}
        </Term>
      </Text>
      {model.countNote !== null && (
        <p className="ts-hint" role="status">
          Estimated, not counted: <Foreign text={model.countNote} limit={300} />
        </p>
      )}
      {model.price !== null && (
        <p className="ts-hint">
          {formatPrice(model.price.inputUsd)} in, {formatPrice(model.price.outputUsd)} out per
          million tokens ({model.price.source === 'own' ? 'your price' : 'list price'} of{' '}
          {dayText(model.price.date, now)})
        </p>
      )}
      {model.sent !== null && <SentToolsList sent={model.sent} />}
    </div>
  );
}
