import {
  formatCount,
  formatPercent,
  formatPercentInterval,
} from '../../../src-shared/display/numbers.ts';
import { scoredOf, type Verdict } from '../../../src-shared/display/verdictTexts.ts';
import { OutcomeBar } from '../outcome/OutcomeBar.tsx';
import { PlainText } from '../text/PlainText.tsx';
import { Term } from '../text/Term.tsx';
import classes from './verdict.module.css';

interface ModelBarsProps {
  models: Verdict['models'];
  modelName: (modelSettingsId: string) => string;
}

/** One outcome bar per model, on the same scale. */
export function ModelBars({ models, modelName }: ModelBarsProps) {
  return (
    <div className={classes.models}>
      {models.map(({ modelSettingsId, counts, passRate }, row) => {
        const interval = formatPercentInterval(passRate.low, passRate.high);
        return [
          <span key={`${modelSettingsId} name`} className={classes.model}>
            <PlainText text={modelName(modelSettingsId)} />
          </span>,
          <OutcomeBar key={`${modelSettingsId} bar`} counts={counts} />,
          <span key={`${modelSettingsId} passed`} className={classes.strong}>
            {formatCount(counts.passed)} of {formatCount(scoredOf(counts))}
          </span>,
          <span key={`${modelSettingsId} rate`} className={classes.strong}>
            {formatPercent(passRate.value)}
          </span>,
          <span key={`${modelSettingsId} interval`} className={classes.muted}>
            {interval !== '' && (
              <>
                {row === 0 ? <Term name="interval">CI</Term> : 'CI'} {interval}
              </>
            )}
          </span>,
        ];
      })}
    </div>
  );
}
