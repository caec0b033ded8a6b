import { Stack } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../../ui/fields/controls.tsx';
import type { PairDetail } from '../../../../src-shared/contract/similarity.ts';
import type { Advice, AdviceEdit, AdviceTextEdit } from '../../../../src-shared/domain/advice.ts';
import { issueTexts } from '../../../../src-shared/display/similarityTexts.ts';
import type {
  Differentiation,
  RecommendationItem,
  SimilarityAnalysis,
} from '../../../../src-shared/domain/similarity.ts';
import { editAddress } from '../../../../src-shared/display/toolAddresses.ts';
import { adviceTitle } from '../../../../src-shared/display/adviceTexts.ts';
import { useApi } from '../../../api/index.ts';
import { Notice } from '../../../ui/notices/notices.tsx';
import { CopyButton } from '../../../ui/text/CopyButton.tsx';
import { Foreign, PlainText, TextParts } from '../../../ui/text/Foreign.tsx';
import { AskModel } from '../../../models/AskModel.tsx';
import classes from './similarity.module.css';

interface PairAdviceProps {
  analysis: SimilarityAnalysis;
  detail: PairDetail;
  /** A tool of the pair with an open security signal: then nothing is advised. */
  unsafe: string | null;
}

/** What is unclear about two tools, and what to change, with text to paste where one is safe. */
export function PairAdvice({ analysis, detail, unsafe }: PairAdviceProps) {
  const { client } = useApi();
  const { pair, advice, differentiation } = detail;
  const [revised, setRevised] = useState<Differentiation | null>(null);
  const ids = [analysis.toolIds[pair.a] ?? '', analysis.toolIds[pair.b] ?? ''];
  const pieces = advice.flatMap((one) => one.edits.map((edit) => ({ one, edit })));
  const pieceOf = ({ toolId, applyCommands }: RecommendationItem) =>
    applyCommands.length === 0
      ? undefined
      : pieces.find(
          ({ edit }) =>
            edit.type === 'text' && edit.toolId === toolId && edit.path === applyCommands[0]?.path,
        );
  const filled = pieces.find(({ edit }) => isDescription(edit));
  const items = unsafe === null ? differentiation.recommendations : [];
  return (
    <section className={classes.advice} aria-labelledby="what-to-change">
      <h3 id="what-to-change">What to change</h3>
      {unsafe !== null && (
        <p className={classes.quiet}>
          <PlainText text={unsafe} /> has an open security signal. Review it before you change how
          often models call it.
        </p>
      )}
      {differentiation.issues.map(({ type, priority, evidence }) => (
        <article key={type} className={classes.piece} aria-label={issueTexts[type]}>
          <h4>
            {issueTexts[type]} <span className={classes.quiet}>· {priority}</span>
          </h4>
          <PlainText as="p" text={evidence} />
          {items
            .filter(({ issue }) => issue === type)
            .map((item) => {
              const piece = pieceOf(item);
              return piece === undefined ? (
                <Suggestion key={item.recommendation} item={item} evidence={evidence} />
              ) : (
                <Piece
                  key={item.recommendation}
                  advice={piece.one}
                  edit={piece.edit}
                  filled={piece === filled}
                />
              );
            })}
        </article>
      ))}
      {unsafe === null && pieces.length === 0 && (
        <div className={classes.actions}>
          {ids.map((id) => (
            <Action key={id} size="xs" to={editAddress(id)}>
              Edit <bdi className={classes.buttonName}>{id}</bdi>
            </Action>
          ))}
        </div>
      )}
      {revised !== null && <Revised revised={revised} />}
      <AskModel
        label="Rewrite both with a model…"
        cost="One request per tool. The model sees only these two tools."
        ask={async (model) => {
          setRevised(
            await client.similarity.revise({ id: analysis.id, a: pair.a, b: pair.b, model }),
          );
        }}
      />
    </section>
  );
}

const isDescription = (edit: AdviceEdit): edit is AdviceTextEdit =>
  edit.type === 'text' && edit.path === '/description';

function Suggestion(props: { item: RecommendationItem; evidence: string }) {
  const {
    item: { recommendation, rationale },
    evidence,
  } = props;
  return (
    <>
      <p>
        <PlainText as="b" text={recommendation} />
      </p>
      {!evidence.includes(rationale) && (
        <PlainText as="p" className={classes.quiet} text={rationale} />
      )}
    </>
  );
}

function Piece({ advice, edit, filled }: { advice: Advice; edit: AdviceEdit; filled: boolean }) {
  return (
    <>
      <p>
        <PlainText as="b" text={adviceTitle(advice, edit)} />
      </p>
      {edit.type === 'text' && (
        <div className={classes.paste}>
          <Inserted edit={edit} />
        </div>
      )}
      {edit.type === 'text' && (
        <div className={classes.actions}>
          <Action
            size="xs"
            filled={filled}
            to={editAddress(edit.toolId, { text: edit.newText, path: edit.path, source: 'rule' })}
          >
            Edit <bdi className={classes.buttonName}>{edit.toolId}</bdi>
          </Action>
          <CopyButton text={edit.newText} what={adviceTitle(advice, edit)} />
          <CopyButton
            label="Copy JSON Patch"
            text={() =>
              JSON.stringify([{ op: 'replace', path: edit.path, value: edit.newText }], null, 2)
            }
          />
        </div>
      )}
    </>
  );
}

/** The new text with the part that is new marked. */
function Inserted({ edit: { newText, inserted } }: { edit: AdviceTextEdit }) {
  const at = newText.indexOf(inserted);
  if (at < 0) return <Foreign text={newText} limit={1_200} />;
  return (
    <span dir="auto" className="ts-foreign" style={{ whiteSpace: 'pre-wrap' }}>
      <TextParts text={newText.slice(0, at)} />
      <ins>
        <TextParts text={inserted} />
      </ins>
      <TextParts text={newText.slice(at + inserted.length)} />
    </span>
  );
}

/** Descriptions by a model, and the tools for which it gave none. */
function Revised({ revised: { recommendations, unrevised } }: { revised: Differentiation }) {
  const texts = new Map(
    recommendations.flatMap(({ toolId, revisedDescription }) =>
      toolId === null || revisedDescription === null ? [] : [[toolId, revisedDescription] as const],
    ),
  );
  return (
    <Stack gap="xs">
      {[...texts].map(([id, text]) => (
        <article key={id} className={classes.piece}>
          <h4>
            Suggested by a model for <bdi className="ts-mono">{id}</bdi>
          </h4>
          <Foreign as="div" className={classes.paste} text={text} limit={2_000} />
          <div className={classes.actions}>
            <Action
              label="Try the model’s revision"
              size="xs"
              to={editAddress(id, { text, source: 'model' })}
            />
            <CopyButton text={text} what={`description of ${id}`} />
          </div>
        </article>
      ))}
      {unrevised.map(({ toolId: id, reason }) => (
        <Notice key={id} tone="warning">
          <bdi className="ts-mono">{id}</bdi> was not rewritten:{' '}
          <Foreign text={reason} limit={600} />
        </Notice>
      ))}
    </Stack>
  );
}
