import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PairDetail } from '../../../src-shared/contract/similarity.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { applyPatch } from '../../../src-shared/domain/jsonPatch.ts';
import type { AnalysedTool, SimilarityAnalysis } from '../../../src-shared/domain/similarity.ts';
import { useApi, useToolSignals, type ToolSignal } from '../../api/index.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Foreign } from '../../ui/Foreign.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Section } from '../../ui/Section.tsx';
import { SignalList } from '../../ui/SignalList.tsx';
import { counted } from '../../ui/words.ts';
import { MarkedText } from './MarkedText.tsx';
import { shown } from './PairTable.tsx';
import classes from './similarity.module.css';

interface PairPanelProps {
  analysis: SimilarityAnalysis;
  a: number;
  b: number;
  threshold: number;
}

/** Two tools side by side: what they share, what tells them apart, where models took one for the other, and what to change. */
export function PairPanel({ analysis, a, b, threshold }: PairPanelProps) {
  const { queries } = useApi();
  const detail = useQuery(queries.similarity.pair.queryOptions({ input: { id: analysis.id, a, b, threshold } }));
  return (
    <Section title="Side by side">
      <Loaded query={detail} blocks={[160, 80]}>
        {(found) => <Pair analysis={analysis} detail={found} />}
      </Loaded>
    </Section>
  );
}

function Pair({ analysis, detail }: { analysis: SimilarityAnalysis; detail: PairDetail }) {
  const { pair, sharedWords, ownWords, sharedParameters, ownParameters, confusions, differentiation } = detail;
  const tools = [analysis.tools[pair.a], analysis.tools[pair.b]];
  const { semantic, parameters, description } = pair.dimensions;
  const signals = useToolSignals({ tools: tools.filter((tool) => tool !== undefined) });
  return (
    <>
      <p className={classes.facts}>
        Overlap {shown(pair.overlap)} = {analysis.weights.semantic} × semantic {shown(semantic)} + {analysis.weights.parameters} × parameters {shown(parameters)} + {analysis.weights.description} × description {shown(description)}
        {parameters === null && ' (neither has parameters: the other two share the weight)'}
      </p>
      <div className={classes.sides}>
        {tools.map((tool, at) => (tool ? <Side key={at} tool={tool} shared={sharedWords} own={ownWords[at === 0 ? 0 : 1]} signals={signals.get(toolId(tool.server, tool.name)) ?? []} parameters={sharedParameters} ownParameters={ownParameters[at === 0 ? 0 : 1]} /> : null))}
      </div>
      <h3 className={classes.heading}>Taken for each other</h3>
      {confusions.total === 0 ? (
        <Text size="sm" c="dimmed">In no run of the evaluations of this workspace was the one expected and the other one called.</Text>
      ) : (
        <>
          <Text size="sm">In {counted(confusions.total, 'run')} of past evaluations the one was expected and the other one called:</Text>
          <ul className={classes.cases}>
            {confusions.cases.map((one) => (
              <li key={`${one.runId} ${one.expected}`}>
                <Link to={`/evaluations/${one.evaluationId}/runs/${one.runId}`}>#{one.evaluationNumber}</Link> “<Foreign text={one.query} limit={160} />” expected <bdi className="ts-mono">{one.expected}</bdi>, called <bdi className="ts-mono">{one.selected}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3 className={classes.heading}>What to change</h3>
      <ul className={classes.issues}>
        {differentiation.issues.map((issue) => (
          <li key={issue.type}>
            <span className={classes.issue}>{issue.type.replaceAll('_', ' ')}</span> <span className={classes.priority}>{issue.priority}</span> <Foreign text={issue.evidence} />
            {differentiation.recommendations.filter((item) => item.issue === issue.type).map((item) => (
              <div key={`${item.toolId ?? ''} ${item.recommendation}`} className={classes.advice}>
                <Foreign text={item.recommendation} />
                <Text size="sm" c="dimmed"><Foreign text={item.rationale} /></Text>
                <Group gap="xs">
                  <CopyButton label="Copy JSON Patch" text={() => JSON.stringify(item.applyCommands, null, 2)} />
                  {item.toolId !== null && revisionOf(analysis, item.toolId, item.applyCommands) !== null && (
                    <Button component={Link} size="compact-sm" variant="default" to={`/similarity/rewrites?tool=${encodeURIComponent(item.toolId)}&description=${encodeURIComponent(revisionOf(analysis, item.toolId, item.applyCommands) ?? '')}&source=rule`}>
                      Try this revision
                    </Button>
                  )}
                </Group>
              </div>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The description that a recommendation leads to; null where it changes something else. */
function revisionOf(analysis: SimilarityAnalysis, toolId: string, commands: PairDetail['differentiation']['recommendations'][number]['applyCommands']): string | null {
  const tool = analysis.tools[analysis.toolIds.indexOf(toolId)];
  if (!tool || !commands.some(({ path }) => path === '/description')) return null;
  const { name, description, inputSchema } = tool;
  const patched = applyPatch({ name, description, inputSchema }, commands) as { description?: unknown };
  return typeof patched.description === 'string' ? patched.description : null;
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
      <div className={classes.server}><bdi>{tool.server}</bdi></div>
      <h3 className={`ts-mono ${classes.tool ?? ''}`}><bdi>{tool.name}</bdi></h3>
      <p className={classes.text}>{tool.description === '' ? <span className={classes.quiet}>no description</span> : <MarkedText text={tool.description} words={shared} />}</p>
      <p className={classes.quiet}>Only here: {own.length === 0 ? 'no word' : own.slice(0, 12).map((word) => <bdi key={word} className={classes.word}>{word}</bdi>)}</p>
      <ul className={classes.parameters}>
        {parameters.map((one) => <li key={one} className="ts-mono"><u>{one}</u> <span className={classes.quiet}>in both</span></li>)}
        {ownParameters.map((one) => <li key={one} className="ts-mono">{one}</li>)}
        {parameters.length + ownParameters.length === 0 && <li className={classes.quiet}>no parameters</li>}
      </ul>
      {signals.length > 0 && <SignalList signals={signals} />}
    </div>
  );
}
