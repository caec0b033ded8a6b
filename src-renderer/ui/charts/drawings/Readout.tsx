import type { ReactElement, ReactNode } from 'react';
import { ResponsiveContainer } from 'recharts';
import classes from '../charts.module.css';
import { Legend } from '../seriesStyle.tsx';
import { noMotion } from './axes.ts';

export interface ReadoutLine {
  text: string;
  ink?: string;
}

/** What a chart says about the position under the pointer or the keyboard cursor. */
export function Readout({ head, lines }: { head: string; lines: readonly ReadoutLine[] }) {
  return (
    <div className={classes.readout}>
      <p className={classes.muted}>{head}</p>
      {lines.map(({ text, ink }) => (
        <p key={text} style={ink === undefined ? undefined : { color: ink }}>
          {text}
        </p>
      ))}
    </div>
  );
}

interface PlotProps {
  /** Of the series; several are named above the drawing. */
  names?: readonly string[];
  children: ReactElement;
}

/** A drawing that fills its frame. */
export function Plot({ names = [], children }: PlotProps) {
  return (
    <>
      {names.length > 1 && <Legend names={names} className={classes.legend ?? ''} />}
      <div className={classes.plot}>
        <ResponsiveContainer width="100%" height="100%">
          {children}
        </ResponsiveContainer>
      </div>
    </>
  );
}

/** What a tooltip says about the row of the data under the pointer. */
export const readoutOf = (cursor: Record<string, string>, read: (row: never) => ReactNode) => ({
  cursor,
  content: ({ payload }: { payload: readonly { payload?: unknown }[] }) => {
    const row = payload[0]?.payload;
    return row == null ? null : read(row as never);
  },
  ...noMotion,
});
