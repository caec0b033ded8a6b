import { Link } from 'react-router';
import type { PairDetail } from '../../../../src-shared/contract/similarity.ts';
import type { OverlapWeights } from '../../../../src-shared/domain/similarity.ts';
import { NOT_DEFINED, counted } from '../../../../src-shared/display/numbers.ts';
import { pairScoreText } from '../../../../src-shared/display/similarityTexts.ts';
import { Fold } from '../../../ui/panels/Fold.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import classes from './similarity.module.css';

const dimensions = [
  { id: 'semantic', name: 'Semantic' },
  { id: 'parameters', name: 'Parameters' },
  { id: 'description', name: 'Description' },
] as const;

/** The scores of a pair, and the evaluations in which models confused the two. */
export function PairFacts({ detail, weights }: { detail: PairDetail; weights: OverlapWeights }) {
  const { pair, sharedWords, ownWords, confusions } = detail;
  const alone = ownWords[0].length + ownWords[1].length;
  return (
    <>
      <dl className={classes.facts}>
        <dt>Words</dt>
        <dd>
          <mark className={classes.shared}>{sharedWords.length} shared</mark>{' '}
          <em className={classes.own}>{alone} only in one</em>
        </dd>
        <Dimension name="Similarity" score={pair.similarityScore} none="" />
        {dimensions.map(({ id, name }) => {
          const score = pair.dimensions[id];
          return (
            <Dimension
              key={id}
              name={name}
              score={score}
              none={id === 'parameters' ? 'neither has any' : ''}
            />
          );
        })}
        <dt>Confused</dt>
        <dd>
          {confusions.total === 0
            ? 'Not in any result'
            : `In ${counted(confusions.total, 'call')} of results`}
        </dd>
      </dl>
      {confusions.total > 0 && (
        <Fold title="Confusions" hint={counted(confusions.total, 'call')}>
          <ul className={classes.cases}>
            {confusions.cases.map((one) => (
              <li key={`${one.runId} ${one.expected}`}>
                <Link to={`/results/${one.evaluationId}/runs/${one.runId}`}>
                  #{one.evaluationNumber}
                </Link>{' '}
                “<Foreign text={one.query} limit={160} />” expected{' '}
                <bdi className="ts-mono">{one.expected}</bdi>, called{' '}
                <bdi className="ts-mono">{one.selected}</bdi>
              </li>
            ))}
          </ul>
        </Fold>
      )}
      <Fold title="How the overlap is computed" hint={pairScoreText(pair.overlap)}>
        <p className={classes.formula}>
          {weights.semantic} × semantic {shown(pair.dimensions.semantic)} + {weights.parameters} ×
          parameters {shown(pair.dimensions.parameters)} + {weights.description} × description{' '}
          {shown(pair.dimensions.description)} = {pairScoreText(pair.overlap)}
          {pair.dimensions.parameters === null &&
            '. Neither tool has parameters, so the other two share the weight'}
          . <Link to="/settings">Change weights</Link>
        </p>
        {pair.fullSimilarityScore !== null && (
          <p className={classes.formula}>
            Name, description and parameters as one text: {shown(pair.fullSimilarityScore)}.
          </p>
        )}
      </Fold>
    </>
  );
}

const shown = (score: number | null): string =>
  score === null ? NOT_DEFINED : pairScoreText(score);

function Dimension({ name, score, none }: { name: string; score: number | null; none: string }) {
  return (
    <>
      <PlainText as="dt" text={name} />
      <dd className={classes.dimension}>
        {score === null ? (
          <span className={classes.quiet}>{none}</span>
        ) : (
          <>
            <span className={classes.scoreBar}>
              <i style={{ width: `${score * 100}%` }} />
            </span>
            <span className="ts-number">{shown(score)}</span>
          </>
        )}
      </dd>
    </>
  );
}
