import classes from './MarkedText.module.css';
import { TextParts } from './Foreign.tsx';

interface MarkedTextProps {
  text: string;
  span: readonly [number, number];
  /** Characters shown to either side of the marked part. */
  around?: number;
}

/**
 * Foreign text with one part marked. Invisible characters are shown by their codes, also inside the
 * mark.
 */
export function MarkedText({ text, span, around = 240 }: MarkedTextProps) {
  const start = Math.max(0, Math.min(span[0], text.length));
  const end = Math.max(start, Math.min(span[1], text.length));
  const from = Math.max(0, start - around);
  const to = Math.min(text.length, end + around);
  const shownEnd = Math.min(end, start + 2000);
  return (
    <bdi className={`ts-foreign ${classes.text ?? ''}`}>
      {from > 0 && '… '}
      <TextParts text={text.slice(from, start)} />
      {end > start && (
        <mark className={classes.mark}>
          <TextParts text={text.slice(start, shownEnd)} />
          {shownEnd < end && ' …'}
        </mark>
      )}
      <TextParts text={text.slice(end, to)} />
      {to < text.length && ' …'}
    </bdi>
  );
}
