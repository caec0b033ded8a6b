import { Foreign } from '../text/Foreign.tsx';
import { Notice } from './Notice.tsx';

const shownAtOnce = 5;

/** Warnings about one thing, the first ones in full; nothing if there are none. */
export function WarningList({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <Notice tone="warning">
      <ul style={{ margin: 0, paddingLeft: 0, listStyle: 'none' }}>
        {texts.slice(0, shownAtOnce).map((text) => (
          <Foreign key={text} as="li" text={text} limit={400} />
        ))}
        {texts.length > shownAtOnce && <li>and {texts.length - shownAtOnce} more</li>}
      </ul>
    </Notice>
  );
}
