import { taskNumberRows } from '../../../../../src-shared/display/taskNumbers.ts';
import { spendText } from '../../../../../src-shared/display/spendTexts.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import { Term } from '../../../../ui/text/Term.tsx';
import classes from '../../tasks.module.css';

/** The numbers of each model side by side, from success to cost and attacks. */
export function TaskNumbers({ report: { models, spend } }: { report: TaskReport }) {
  const cost = spendText(spend);
  return (
    <div className={`${classes.panel ?? ''} ${classes.scroll ?? ''}`}>
      <table className={classes.numbers}>
        {cost !== null && (
          <caption>
            Cost of all requests, of every attempt and with judge and simulated users: {cost}.
          </caption>
        )}
        <thead>
          <tr>
            <th scope="col">Number</th>
            {models.map(({ id, label }) => (
              <th key={id} scope="col">
                <PlainText text={label} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {taskNumberRows(models.map(({ summary }) => summary)).map(
            ({ label, meaning, values }) => (
              <tr key={label}>
                <th scope="row">
                  <Term meaning={meaning}>{label}</Term>
                </th>
                {values.map(({ text, note }, index) => (
                  <td key={models[index]?.id ?? index} className="ts-number">
                    {text} {note !== '' && <span className={classes.muted}>{note}</span>}
                  </td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}
