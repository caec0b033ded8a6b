import type { PairDetail } from '../../../../src-shared/contract/similarity.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import {
  isFlagged,
  type AnalysedTool,
  type SimilarityAnalysis,
} from '../../../../src-shared/domain/similarity.ts';
import { pairScoreText } from '../../../../src-shared/display/similarityTexts.ts';
import { useToolSignals, worstSignal } from '../../../api/index.ts';
import { SignalList } from '../../../ui/badges/SignalList.tsx';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { Fold, SidePanel } from '../../../ui/panels/panels.tsx';
import { PlainText, TextParts, firstCharacters } from '../../../ui/text/Foreign.tsx';
import { PairAdvice } from './PairAdvice.tsx';
import { PairFacts } from './PairFacts.tsx';
import { usePair } from './useSimilarity.ts';
import classes from './similarity.module.css';
import { markWords } from './markWords.ts';

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
  /** Words that both texts have. */
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
