import type { PairDetail } from '../../../../src-shared/contract/similarity.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import {
  isFlagged,
  type AnalysedTool,
  type SimilarityAnalysis,
  type OverlapWeights,
} from '../../../../src-shared/domain/similarity.ts';
import { pairScoreText } from '../../../../src-shared/display/similarityTexts.ts';
import { useToolSignals, worstSignal } from '../../../api/index.ts';
import { SignalList } from '../../../ui/badges/SignalList.tsx';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { Fold, SidePanel } from '../../../ui/panels/panels.tsx';
import { PlainText, TextParts, firstCharacters, Foreign } from '../../../ui/text/Foreign.tsx';
import { PairAdvice } from './PairAdvice.tsx';
import { usePair } from './useSimilarity.ts';
import classes from './similarity.module.css';
import { markWords } from './markWords.ts';
import { Link } from 'react-router';
import { NOT_DEFINED, counted } from '../../../../src-shared/display/numbers.ts';

interface PairPanelProps {
  analysis: SimilarityAnalysis;
  a: number;
  b: number;
  /** Its number in the list and in the map. */
  rank: number | null;
  threshold: number;
  onClose: () => void;
}

/** Two tools side by side: shared words, scores, confusions by models, and what to change. */
export function PairPanel({ analysis, a, b, rank, threshold, onClose }: PairPanelProps) {
  const detail = usePair(analysis.id, a, b);
  const [one, two] = [analysis.tools[a], analysis.tools[b]];
  if (!one || !two) return null;
  const isSameName = one.name === two.name;
  const title = ({ server, name }: AnalysedTool) => (
    <PlainText as="code" text={isSameName ? `${server}:${name}` : name} />
  );
  return (
    <SidePanel
      title={
        <>
          {rank !== null && (
            <span
              className={classes.rank}
              data-flagged={detail.data !== undefined && isFlagged(detail.data.pair, threshold)}
            >
              {rank}
            </span>
          )}{' '}
          {title(one)} and {title(two)}
        </>
      }
      subtitle={
        <>
          <PlainText text={[...new Set([one.server, two.server])].join(' and ')} />
          {detail.data && (
            <>
              {' '}
              · {analysis.measure}{' '}
              <b className="ts-number">{pairScoreText(detail.data.pair.score)}</b>
            </>
          )}
        </>
      }
      contentKey={`${a} ${b}`}
      onClose={onClose}
    >
      <Loaded query={detail} blocks={[160, 80]}>
        {(found) => <Pair key={`${a} ${b}`} analysis={analysis} detail={found} />}
      </Loaded>
    </SidePanel>
  );
}

function Pair({ analysis, detail }: { analysis: SimilarityAnalysis; detail: PairDetail }) {
  const { pair, sharedWords, ownWords } = detail;
  const tools = [analysis.tools[pair.a], analysis.tools[pair.b]].filter(
    (tool) => tool !== undefined,
  );
  const signals = useToolSignals({ tools });
  const signalsOf = ({ server, name }: AnalysedTool) => signals.get(toolId(server, name)) ?? [];
  return (
    <>
      <div className={classes.sides}>
        {tools.map((tool, at) => (
          <Side
            key={toolId(tool.server, tool.name)}
            tool={tool}
            shared={sharedWords}
            own={ownWords[at === 0 ? 0 : 1]}
          />
        ))}
      </div>
      <PairFacts detail={detail} weights={analysis.weights} />
      {tools.map((tool) =>
        signalsOf(tool).length === 0 ? null : (
          <SignalList key={toolId(tool.server, tool.name)} signals={signalsOf(tool)} />
        ),
      )}
      <PairAdvice
        analysis={analysis}
        detail={detail}
        unsafe={tools.find((tool) => worstSignal(signalsOf(tool)) !== null)?.name ?? null}
      />
      <Fold title="Parameters" hint={parameterHint(detail)}>
        <Parameters tools={tools} detail={detail} />
      </Fold>
    </>
  );
}

function Side(props: { tool: AnalysedTool; shared: readonly string[]; own: readonly string[] }) {
  const { tool, shared, own } = props;
  return (
    <section className={classes.side} aria-label={tool.name}>
      <h3>
        <PlainText as="code" text={tool.name} />
      </h3>
      <div className={classes.text} tabIndex={0} role="region" aria-label="Description">
        {tool.description === '' ? (
          <span className={classes.quiet}>No description</span>
        ) : (
          <MarkedText text={tool.description} words={shared} own={own} />
        )}
      </div>
    </section>
  );
}

const parameterHint = ({ sharedParameters, ownParameters: [a, b] }: PairDetail): string =>
  sharedParameters.length + a.length + b.length === 0
    ? 'neither tool has any'
    : `${sharedParameters.length} shared, ${a.length + b.length} only in one`;

function Parameters({ tools, detail }: { tools: readonly AnalysedTool[]; detail: PairDetail }) {
  const { sharedParameters, ownParameters } = detail;
  const list = (title: string, parameters: readonly string[]) =>
    parameters.length === 0 ? null : (
      <>
        <PlainText as="dt" text={title} />
        <PlainText as="dd" className="ts-mono" text={parameters.join(', ')} />
      </>
    );
  return (
    <dl className={classes.facts}>
      {list('Both', sharedParameters)}
      {list(`Only ${tools[0]?.name ?? ''}`, ownParameters[0])}
      {list(`Only ${tools[1]?.name ?? ''}`, ownParameters[1])}
    </dl>
  );
}

const maxLength = 4_000;

interface MarkedTextProps {
  text: string;
  words: readonly string[];
  /** Words that only this one has. */
  own: readonly string[];
}

/** Foreign text with shared words tinted and own words underlined. */
function MarkedText({ text, words, own }: MarkedTextProps) {
  const alone = new Set(own.map((word) => word.toLowerCase()));
  return (
    <span dir="auto" className="ts-foreign" style={{ whiteSpace: 'pre-wrap' }}>
      {markWords(firstCharacters(text, maxLength), [...words, ...own]).map((part, at) =>
        !part.marked ? (
          <TextParts key={at} text={part.text} />
        ) : alone.has(part.text.toLowerCase()) ? (
          <em key={at} className={classes.own}>
            {part.text}
          </em>
        ) : (
          <mark key={at} className={classes.shared}>
            {part.text}
          </mark>
        ),
      )}
      {text.length > maxLength && '…'}
    </span>
  );
}

const dimensions = [
  { id: 'semantic', name: 'Semantic' },
  { id: 'parameters', name: 'Parameters' },
  { id: 'description', name: 'Description' },
] as const;

/** The scores of a pair, and the evaluations in which models confused the two. */
function PairFacts({ detail, weights }: { detail: PairDetail; weights: OverlapWeights }) {
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
