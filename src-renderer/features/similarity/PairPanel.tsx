import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PairDetail } from '../../../src-shared/contract/similarity.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool, SimilarityAnalysis } from '../../../src-shared/domain/similarity.ts';
import { useApi, useToolSignals, type ToolSignal } from '../../api/index.ts';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { SignalList } from '../../ui/badges/SignalList.tsx';
import { counted } from '../../ui/text/words.ts';
import { Advice } from './Advice.tsx';
import { MarkedText } from './MarkedText.tsx';
import { shown } from './PairTable.tsx';
import classes from './similarity.module.css';

interface PairPanelProps {
  analysis: SimilarityAnalysis;
  a: number;
  b: number;
  threshold: number;
}

/** Two tools side by side: shared words, differences, confusions by models, and what to change. */
export function PairPanel({ analysis, a, b, threshold }: PairPanelProps) {
  const { queries } = useApi();
  const detail = useQuery(
    queries.similarity.pair.queryOptions({ input: { id: analysis.id, a, b, threshold } }),
  );
  return (
    <Section title="Side by side">
      <Loaded query={detail} blocks={[160, 80]}>
        {(found) => <Pair analysis={analysis} detail={found} />}
      </Loaded>
    </Section>
  );
}

function Pair({ analysis, detail }: { analysis: SimilarityAnalysis; detail: PairDetail }) {
  const {
    pair,
    sharedWords,
    ownWords,
    sharedParameters,
    ownParameters,
    confusions,
    differentiation,
  } = detail;
  const tools = [analysis.tools[pair.a], analysis.tools[pair.b]];
  const { semantic, parameters, description } = pair.dimensions;
  const signals = useToolSignals({ tools: tools.filter((tool) => tool !== undefined) });
  return (
    <>
      <p className={classes.facts}>
        Overlap {shown(pair.overlap)} = {analysis.weights.semantic} × semantic {shown(semantic)} +{' '}
        {analysis.weights.parameters} × parameters {shown(parameters)} +{' '}
        {analysis.weights.description} × description {shown(description)}
        {parameters === null && ' (neither has parameters: the other two share the weight)'}
      </p>
      <div className={classes.sides}>
        {tools.map((tool, at) =>
          tool ? (
            <Side
              key={at}
              tool={tool}
              shared={sharedWords}
              own={ownWords[at === 0 ? 0 : 1]}
              signals={signals.get(toolId(tool.server, tool.name)) ?? []}
              parameters={sharedParameters}
              ownParameters={ownParameters[at === 0 ? 0 : 1]}
            />
          ) : null,
        )}
      </div>
      <h3 className={classes.heading}>Taken for each other</h3>
      {confusions.total === 0 ? (
        <Text size="sm" c="dimmed">
          In no run of the evaluations of this workspace was the one expected and the other one
          called.
        </Text>
      ) : (
        <>
          <Text size="sm">
            In {counted(confusions.total, 'run')} of past evaluations the one was expected and the
            other one called:
          </Text>
          <ul className={classes.cases}>
            {confusions.cases.map((one) => (
              <li key={`${one.runId} ${one.expected}`}>
                <Link to={`/evaluations/${one.evaluationId}/runs/${one.runId}`}>
                  #{one.evaluationNumber}
                </Link>{' '}
                “<Foreign text={one.query} limit={160} />” expected{' '}
                <bdi className="ts-mono">{one.expected}</bdi>, called{' '}
                <bdi className="ts-mono">{one.selected}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      <Advice
        key={`${pair.a} ${pair.b}`}
        analysis={analysis}
        pair={pair}
        offline={differentiation}
      />
    </>
  );
}

interface SideProps {
  tool: AnalysedTool;
  shared: readonly string[];
  own: readonly string[];
  signals: readonly ToolSignal[];
  parameters: readonly string[];
  ownParameters: readonly string[];
}

function Side({ tool, shared, own, signals, parameters, ownParameters }: SideProps) {
  return (
    <div className={`ts-panel ${classes.side ?? ''}`}>
      <div className={classes.server}>
        <bdi>{tool.server}</bdi>
      </div>
      <h3 className={`ts-mono ${classes.tool ?? ''}`}>
        <bdi>{tool.name}</bdi>
      </h3>
      <p className={classes.text}>
        {tool.description === '' ? (
          <span className={classes.quiet}>no description</span>
        ) : (
          <MarkedText text={tool.description} words={shared} />
        )}
      </p>
      <p className={classes.quiet}>
        Only here:{' '}
        {own.length === 0
          ? "isn't a JSON value"
          : own.slice(0, 12).map((word) => (
              <bdi key={word} className={classes.word}>
                {word}
              </bdi>
            ))}
      </p>
      <ul className={classes.parameters}>
        {parameters.map((one) => (
          <li key={one} className="ts-mono">
            <u>{one}</u> <span className={classes.quiet}>in both</span>
          </li>
        ))}
        {ownParameters.map((one) => (
          <li key={one} className="ts-mono">
            {one}
          </li>
        ))}
        {parameters.length + ownParameters.length === 0 && (
          <li className={classes.quiet}>no parameters</li>
        )}
      </ul>
      {signals.length > 0 && <SignalList signals={signals} />}
    </div>
  );
}
