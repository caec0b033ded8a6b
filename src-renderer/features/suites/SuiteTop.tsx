import type { ComponentType } from 'react';
import { Link } from 'react-router';
import { lastCounts, lastSourceText } from '../../../src-shared/display/lastOutcomeTexts.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { LastOutcomes, LastOutcomesOfModel } from '../../../src-shared/domain/lastOutcomes.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { OutcomeBar, OutcomeLegend } from '../../ui/outcome/outcomes.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { ModelBars } from '../../ui/verdict/ModelBars.tsx';
import classes from './suite.module.css';
import { shortModelName } from '../../../src-shared/display/shortModelName.ts';

/** The trend of a suite, which comes with the results. */
export type TrendOfSuite = ComponentType<{
  evaluation: Pick<Evaluation, 'suiteId' | 'suiteName' | 'models'>;
  unit: EvaluationUnit;
}>;

/** How the cases and tasks of a suite came out last with each model, and their trend. */
export function SuiteTop(props: { suite: Suite; last: LastOutcomes; Trend: TrendOfSuite }) {
  const { suite, last, Trend } = props;
  if (last.models.length === 0) return null;
  const unit = last.models[0]?.unit ?? 'case';
  const models = [...new Set(last.models.map(({ model }) => model))];
  return (
    <div className={classes.top}>
      <div className={classes.panel}>
        <Section
          title="Last outcome"
          aside={
            <Link to={`/results?suite=${encodeURIComponent(suite.id)}`}>
              {last.results === 1 ? '1 result' : `All ${counted(last.results, 'result')}`}
            </Link>
          }
        >
          <ModelBars rows={last.models.map((of) => rowOf(of, models))} />
          <p style={{ margin: '8px 0 12px', color: 'var(--ts-ink-muted)', fontSize: 12.5 }}>
            <PlainText text={sourcesText(last.models)} />
          </p>
          <OutcomeLegend bars={last.models.map(({ outcomes }) => outcomes)} />
        </Section>
      </div>
      {last.results > 1 && (
        <Trend evaluation={{ suiteId: suite.id, suiteName: suite.name, models: [] }} unit={unit} />
      )}
    </div>
  );
}

function rowOf(of: LastOutcomesOfModel, models: readonly string[]) {
  const name = shortModelName(of.model, models);
  return {
    id: `${of.unit} ${of.model}`,
    name: of.unit === 'task' ? `Tasks, ${name}` : name,
    bar: <OutcomeBar counts={of.outcomes} />,
    ...lastCounts(of),
    rate: of.rate,
  };
}

/** Where the outcomes come from, with the models where they come from different results. */
function sourcesText(models: readonly LastOutcomesOfModel[]): string {
  const units = Map.groupBy(models, ({ unit }) => unit);
  const labels = [...new Set(models.map(({ model }) => model))];
  return [...units]
    .map(([unit, own]) => {
      const sources = [...Map.groupBy(own, lastSourceText)].map(([text, of]) =>
        of.length === own.length
          ? text
          : `${text} (${of.map(({ model }) => shortModelName(model, labels)).join(', ')})`,
      );
      return `${units.size === 1 ? 'From' : unit === 'task' ? 'Tasks from' : 'Cases from'} ${sources.join('; ')}`;
    })
    .join('. ');
}
