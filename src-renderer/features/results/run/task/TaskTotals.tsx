import { taskRunColumns } from '../../../../../src-shared/domain/taskRunColumns.ts';
import type { TaskCheck } from '../../../../../src-shared/domain/task.ts';
import type { TaskFacts } from '../../../../../src-shared/domain/taskEvaluation.ts';
import { measuredText } from '../../measuredColumns.tsx';
import classes from '../../tasks.module.css';
import { TitledPanel } from '../../../../ui/panels/TitledPanel.tsx';

/** What a reader asks for first; the others follow in their order. */
const leading = ['steps', 'tool_calls', 'time_ms'];
const columns = [
  ...taskRunColumns.filter(({ name }) => leading.includes(name)),
  ...taskRunColumns.filter(({ name }) => !leading.includes(name)),
];

interface TaskTotalsProps {
  facts: TaskFacts;
  checks: readonly Pick<TaskCheck, 'kind'>[];
  /** Those of the run that it is compared with. */
  reference: TaskFacts | null;
}

/** What a run took, and what it did besides. */
export function TaskTotals({ facts, checks, reference }: TaskTotalsProps) {
  // Without a calls check, nobody says which calls are expected.
  const expectsCalls = checks.some(({ kind }) => kind === 'calls');
  const both = [facts, ...(reference ? [reference] : [])];
  const rows = columns.flatMap(({ name, value, total }) =>
    total === undefined ||
    (name === 'unwanted_effects' && !expectsCalls) ||
    !both.some((run) => total.isIn?.(run) ?? true)
      ? []
      : [
          {
            name,
            title: total.title,
            cells: both.map((run) => measuredText(total.shownAs, value(run))),
          },
        ],
  );
  return (
    <TitledPanel label="Totals">
      <table className={classes.totals}>
        <thead>
          <tr>
            <th scope="col">Totals</th>
            <th scope="col">This run</th>
            {reference !== null && <th scope="col">Other run</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, title, cells }) => (
            <tr key={name}>
              <th scope="row">{title}</th>
              {cells.map((text, at) => (
                <td key={at} className="ts-number">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TitledPanel>
  );
}
