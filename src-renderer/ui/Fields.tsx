import type { ReactNode } from 'react';
import { TextParts } from './PlainText.tsx';
import classes from './Fields.module.css';

/** Names and values under each other, for facts that are read rather than compared. */
export function Fields({ rows }: { rows: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className={classes.fields}>
      {rows.map((row) => (
        <div key={row.name} className={classes.row}>
          <dt>{row.name}</dt>
          <dd className="ts-foreign">{typeof row.value === 'string' ? <TextParts text={row.value} /> : row.value}</dd>
        </div>
      ))}
    </dl>
  );
}
