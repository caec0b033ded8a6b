import type { ReactNode } from 'react';
import { Foreign } from '../text/Foreign.tsx';
import { PlainText } from '../text/PlainText.tsx';
import { alignTrees, type AlignedLine, type Tree } from './alignTrees.ts';
import classes from './AlignedTrees.module.css';

/** One parameter: both values, the verdict, and the reason for it. */
export interface AlignedPair {
  key: string;
  name: string;
  expected: Tree | undefined;
  actual: Tree | undefined;
  verdict: ReactNode;
  reason: string;
  /** The scorer considers both equal: nothing inside is marked as different. */
  equal: boolean;
}

interface AlignedTreesProps {
  caption: string;
  pairs: readonly AlignedPair[];
  isLeaf?: (expected: Tree) => boolean;
}

/**
 * Expected and actual arguments side by side: one row per parameter, nested values key by key on
 * the same line.
 */
export function AlignedTrees({ caption, pairs, isLeaf }: AlignedTreesProps) {
  return (
    <div className={classes.scroller} role="region" aria-label={caption} tabIndex={0}>
      <table className={classes.table}>
        <caption className="ts-visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className={classes.nameColumn}>
              Parameter
            </th>
            <th scope="col">Expected</th>
            <th scope="col">Actual</th>
            <th scope="col" className={classes.verdictColumn}>
              Verdict
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair) => (
            <PairRows key={pair.key} pair={pair} isLeaf={isLeaf} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PairRows({ pair, isLeaf }: { pair: AlignedPair; isLeaf: AlignedTreesProps['isLeaf'] }) {
  const { lines, cut } = alignTrees(
    pair.expected,
    pair.actual,
    isLeaf === undefined ? {} : { isLeaf },
  );
  return (
    <>
      {lines.map((line, index) => (
        <tr key={line.path} data-nested={index > 0 || undefined}>
          <th scope="row" style={{ paddingInlineStart: 10 + line.depth * 16 }}>
            <span className={classes.name}>
              <PlainText text={index === 0 ? pair.name : line.name} />
            </span>
          </th>
          <Value line={line} side="expected" equal={pair.equal} />
          <Value line={line} side="actual" equal={pair.equal} />
          {index === 0 && (
            <td rowSpan={lines.length}>
              {pair.verdict}
              {pair.reason !== '' && (
                <span className={classes.reason}>
                  <Foreign text={pair.reason} limit={600} />
                </span>
              )}
              {cut && (
                <span className={classes.reason}>
                  The values go on; the whole of them is in the raw response.
                </span>
              )}
            </td>
          )}
        </tr>
      ))}
    </>
  );
}

function Value({
  line,
  side,
  equal,
}: {
  line: AlignedLine;
  side: 'expected' | 'actual';
  equal: boolean;
}) {
  const text = line[side];
  const missing = line.side !== 'both' && line.side !== side;
  if (text === null) {
    return (
      <td className={classes.absent}>{missing ? <span aria-label="nothing">–</span> : null}</td>
    );
  }
  return (
    <td>
      <span
        className={classes.value}
        data-differs={(side === 'actual' && line.differs && !equal) || undefined}
      >
        <Foreign text={text} limit={1200} />
      </span>
    </td>
  );
}
