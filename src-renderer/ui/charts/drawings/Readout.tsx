import classes from '../charts.module.css';

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
