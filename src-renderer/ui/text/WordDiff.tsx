import classes from './WordDiff.module.css';
import { TextParts } from './Foreign.tsx';
import { diffWords } from './diffWords.ts';

/**
 * The changed words of a text. Color, underline or strike-through, and the element `ins` or `del`
 * each say what happened, so that nobody depends on color.
 */
export function WordDiff({ before, after }: { before: string | null; after: string | null }) {
  return (
    <pre className={classes.text} dir="auto" tabIndex={0} role="region" aria-label="Changed words">
      {diffWords(before ?? '', after ?? '').map((part, index) => {
        if (part.kind === 'added')
          return (
            <ins key={index} className={classes.added}>
              <TextParts text={part.text} />
            </ins>
          );
        if (part.kind === 'removed')
          return (
            <del key={index} className={classes.removed}>
              <TextParts text={part.text} />
            </del>
          );
        return <TextParts key={index} text={part.text} />;
      })}
    </pre>
  );
}
