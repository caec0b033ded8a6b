import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { applyPatch } from '../../../src-shared/domain/jsonPatch.ts';
import type {
  Differentiation,
  RecommendationItem,
  SimilarityAnalysis,
  SimilarityPair,
} from '../../../src-shared/domain/similarity.ts';
import { useApi } from '../../api/index.ts';
import { CopyButton } from '../../ui/text/CopyButton.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { AskModel } from './AskModel.tsx';
import classes from './similarity.module.css';

interface AdviceProps {
  analysis: SimilarityAnalysis;
  pair: SimilarityPair;
  /** Recommendations of the rules, without a model. */
  offline: Differentiation;
}

/**
 * What to change so that two tools can be told apart: by rules, and rewritten by a model on
 * request.
 */
export function Advice({ analysis, pair, offline }: AdviceProps) {
  const { client } = useApi();
  const [revised, setRevised] = useState<Differentiation | null>(null);
  const { issues, recommendations, unrevised } = revised ?? offline;
  return (
    <>
      <Group justify="space-between" align="end">
        <h3 className={classes.heading}>What to change</h3>
        <AskModel
          label="Rewrite both with a model…"
          cost="It is asked once for each of the two tools. Both tools are shown to it, nothing else."
          ask={async (model) => {
            setRevised(
              await client.similarity.revise({ id: analysis.id, a: pair.a, b: pair.b, model }),
            );
          }}
        />
      </Group>
      {unrevised.length > 0 && (
        <Stack gap="xs" my="sm">
          {unrevised.map(({ toolId, reason }) => (
            <Notice key={toolId} tone="warning">
              <bdi className="ts-mono">{toolId}</bdi> was not rewritten:{' '}
              <Foreign text={reason} limit={600} />
            </Notice>
          ))}
        </Stack>
      )}
      <ul className={classes.issues}>
        {issues.map((issue) => (
          <li key={issue.type}>
            <span className={classes.issue}>{issue.type.replaceAll('_', ' ')}</span>{' '}
            <span className={classes.priority}>{issue.priority}</span>{' '}
            <Foreign text={issue.evidence} />
            {recommendations
              .filter((item) => item.issue === issue.type)
              .map((item) => (
                <Item
                  key={`${item.toolId ?? ''} ${item.recommendation}`}
                  analysis={analysis}
                  item={item}
                />
              ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function Item({ analysis, item }: { analysis: SimilarityAnalysis; item: RecommendationItem }) {
  const { toolId, applyCommands, revisedDescription } = item;
  const byRule = toolId === null ? null : revisionOf(analysis, toolId, applyCommands);
  return (
    <div className={classes.advice}>
      <Foreign text={item.recommendation} />
      <Text size="sm" c="dimmed">
        <Foreign text={item.rationale} />
      </Text>
      {revisedDescription !== null && (
        <p className={classes.text}>
          <span className={classes.quiet}>
            By a model, for <bdi className="ts-mono">{toolId}</bdi>:{' '}
          </span>
          <Foreign text={revisedDescription} limit={2_000} />
        </p>
      )}
      <Group gap="xs">
        <CopyButton label="Copy JSON Patch" text={() => JSON.stringify(applyCommands, null, 2)} />
        {toolId !== null && byRule !== null && (
          <Button
            component={Link}
            size="compact-sm"
            variant="default"
            to={trial(toolId, byRule, 'rule')}
          >
            Try this revision
          </Button>
        )}
        {toolId !== null && revisedDescription !== null && (
          <Button
            component={Link}
            size="compact-sm"
            variant="default"
            to={trial(toolId, revisedDescription, 'model')}
          >
            Try the model’s revision
          </Button>
        )}
      </Group>
    </div>
  );
}

function trial(tool: string, description: string, source: 'rule' | 'model'): string {
  return `/improve/proofs?${new URLSearchParams({ tool, description, source }).toString()}`;
}

/** The description that a recommendation leads to; null if it changes something else. */
function revisionOf(
  analysis: SimilarityAnalysis,
  toolId: string,
  commands: RecommendationItem['applyCommands'],
): string | null {
  const tool = analysis.tools[analysis.toolIds.indexOf(toolId)];
  if (!tool || !commands.some(({ path }) => path === '/description')) return null;
  const { name, description, inputSchema } = tool;
  const patched = applyPatch({ name, description, inputSchema }, commands) as {
    description?: unknown;
  };
  return typeof patched.description === 'string' ? patched.description : null;
}
