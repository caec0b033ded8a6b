import type { ModelSettings } from '../../../../../src-shared/domain/model.ts';
import type { CaseMarks as Marks } from '../../../../../src-shared/domain/verdict.ts';
import { OutcomeMark } from '../../../../ui/outcome/OutcomeMark.tsx';
import { PlainText, visibleText } from '../../../../ui/text/Foreign.tsx';
import { nameModels } from '../../modelNames.ts';
import classes from './failures.module.css';

/** With more models than this, each run is a line of its own. */
export const maxMarkColumns = 4;

/** The heading of the columns with one mark per model. */
export function MarkHeads({ models }: { models: readonly ModelSettings[] }) {
  const names = nameModels(models);
  return (
    <div className={classes.markHeads}>
      <span>Request</span>
      {models.map(({ id }) => (
        <span key={id} className={classes.markCell} title={visibleText(names.get(id) ?? id)}>
          <PlainText text={names.get(id) ?? id} />
        </span>
      ))}
    </div>
  );
}

/** What each model made of a case. */
export function CaseMarks(props: { models: readonly ModelSettings[]; marks: Marks['marks'] }) {
  const { models, marks } = props;
  const names = nameModels(models);
  return models.map(({ id }) => {
    const mark = marks.find(({ modelSettingsId }) => modelSettingsId === id);
    return (
      <span key={id} className={classes.markCell}>
        {mark !== undefined && (
          <>
            <span className="ts-visually-hidden">
              , <PlainText text={names.get(id) ?? id} />:{' '}
            </span>
            <OutcomeMark outcome={mark.outcome} quiet />
          </>
        )}
      </span>
    );
  });
}
