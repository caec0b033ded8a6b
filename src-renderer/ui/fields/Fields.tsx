import type { ReactNode } from 'react';
import { Term } from '../text/Term.tsx';
import { TextParts } from '../text/Foreign.tsx';
import classes from './Fields.module.css';

/** Names and values as a list, for facts that are read rather than compared. */
export function Fields(props: {
  rows: readonly { name: string; value: ReactNode; meaning?: string }[];
}) {
  const { rows } = props;
  return (
    <dl className={classes.fields}>
      {rows.map((row) => (
        <div key={row.name} className={classes.row}>
          <dt>
            {row.meaning === undefined ? row.name : <Term meaning={row.meaning}>{row.name}</Term>}
          </dt>
          <dd className="ts-foreign">
            {typeof row.value === 'string' ? <TextParts text={row.value} /> : row.value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
