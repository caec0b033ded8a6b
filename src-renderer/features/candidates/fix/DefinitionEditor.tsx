import { Textarea } from '@mantine/core';
import { IconAlertTriangle, IconBulb, IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Action, typed } from '../../../ui/fields/controls.tsx';
import { textModelConfiguration } from '../../../../src-shared/domain/textModel.ts';
import { adviceTitle, offersText } from '../../../../src-shared/display/adviceTexts.ts';
import {
  formatCount,
  formatRate,
  formatSigned,
  noun,
} from '../../../../src-shared/display/numbers.ts';
import type { Advice, AdviceEdit } from '../../../../src-shared/domain/advice.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { EditCheck, ToolProblem } from '../../../../src-shared/domain/candidate.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { editedPart, maxEditedText, textsOf } from '../../../../src-shared/domain/textEdit.ts';
import { useApi } from '../../../api/index.ts';
import { AskModel } from '../../../models/AskModel.tsx';
import { Fold, TitledPanel } from '../../../ui/panels/panels.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { WordDiff } from '../../../ui/text/WordDiff.tsx';
import { searchLink } from '../../results/links.ts';
import classes from './fix.module.css';
import { follow, isFollowed, textWith, withText } from './fixEdits.ts';
import type { Fix } from './useFix.ts';

interface DefinitionEditorProps {
  tool: SnapshotTool;
  /** Null without a result. */
  problem: ToolProblem | null;
  fix: Fix;
}

/** The texts of a tool with advice, checks and the changes so far. */
export function DefinitionEditor({ tool, problem, fix }: DefinitionEditorProps) {
  const { client } = useApi();
  const parameters = problem?.parameters ?? [];
  const { edits, target, check, advice } = fix;
  const { toolId } = target;
  const texts = textsOf(tool);
  const field = (path: string, label: string) => (
    <Textarea
      key={path}
      label={label}
      minRows={path === '/description' ? 3 : 1}
      maxRows={14}
      maxLength={maxEditedText}
      {...typed(textWith(edits, { toolId, tool, path }), (text) =>
        fix.edit(withText(edits, { toolId, tool, path, text })),
      )}
    />
  );
  const described = texts.filter(({ parameter }) => parameter !== null);
  return (
    <TitledPanel label="Definition">
      {advice.length > 0 && <AdviceRows advice={advice} fix={fix} />}
      {!offersText(advice) && (target.evaluationId !== null || fix.missingText !== null) && (
        <p className={classes.more}>
          {fix.missingText !== null ? (
            <Foreign text={fix.missingText} limit={600} />
          ) : (
            edits.length === 0 && advice.length === 0 && 'No advice for this tool.'
          )}{' '}
          {target.evaluationId !== null && (
            <Link to={searchLink(target.evaluationId, target.modelSettingsId)}>
              Search for a better description
            </Link>
          )}
        </p>
      )}
      <div className={classes.fields}>
        <div>
          {field('/description', 'Description')}
          <div className={classes.below}>
            {/* Without edits, nothing was counted. */}
            {check?.data !== undefined && check.data.tokensAfter > 0 && (
              <Tokens check={check.data} />
            )}
            <AskModel
              label="Let a model write it…"
              ask={async (model) => {
                const { description } = await client.candidates.propose({
                  ...target,
                  model: textModelConfiguration(model),
                });
                fix.edit(
                  withText(edits, { toolId, tool, path: '/description', text: description }),
                  'model',
                );
              }}
            />
          </div>
        </div>
        {check?.data !== undefined && <Rules check={check.data} />}
        {edits.length > 0 && (
          <div>
            <h3>Changes</h3>
            {edits.map(({ toolId: id, path, oldText, newText }) => (
              <div key={`${id} ${path}`} className={classes.change}>
                {(id !== toolId || path !== '/description') && (
                  <p className={classes.quiet}>
                    <PlainText
                      text={id === toolId ? editedPart(path) : `${id}: ${editedPart(path)}`}
                    />
                  </p>
                )}
                <WordDiff before={oldText} after={newText} />
              </div>
            ))}
          </div>
        )}
        {described.length > 0 && (
          <Fold title={`Parameters (${formatCount(described.length)})`} hint="Describe each one">
            <div className={classes.fields}>
              {described.map(({ path, parameter }) => {
                const record = parameters.find(({ name }) => name === parameter);
                return (
                  <div key={path}>
                    {field(path, parameter ?? '')}
                    {record !== undefined && record.judged > 0 && (
                      <p className={classes.quiet}>
                        correct in {formatCount(record.matched)} of {formatCount(record.judged)}{' '}
                        calls
                      </p>
                    )}
                  </div>
                );
              })}
            </div>
          </Fold>
        )}
        {problem?.unit === 'task' ? (
          <Fold title="Title" hint="Servers execute a tool by its name, so that stays">
            <div className={classes.fields}>{field('/title', 'Title')}</div>
          </Fold>
        ) : (
          <Fold title="Name and title" hint="A new name breaks clients that call the old one">
            <div className={classes.fields}>
              {field('/name', 'Name')}
              {field('/title', 'Title')}
            </div>
          </Fold>
        )}
        {check?.data !== undefined && check.data.neighbors.length > 0 && (
          <Neighbors check={check.data} />
        )}
      </div>
    </TitledPanel>
  );
}

/**
 * The first piece of advice that the texts don't follow yet; the others wait, so that the editor
 * stays in sight.
 */
function AdviceRows({ advice, fix }: { advice: readonly Advice[]; fix: Fix }) {
  const [first, ...more] = advice.flatMap((piece) =>
    piece.edits
      // What was inserted just now is gone before the check answers.
      .filter((edit) => edit.type !== 'text' || !isFollowed(fix.edits, edit))
      .map((edit) => (
        <AdviceRow
          key={`${piece.kind} ${edit.toolId} ${edit.type}`}
          advice={piece}
          edit={edit}
          fix={fix}
        />
      )),
  );
  return (
    <>
      {first}
      {more.length > 0 && (
        <div className={classes.more}>
          <Fold title={`${formatCount(more.length)} more ${noun(more.length, 'suggestion')}`}>
            {more}
          </Fold>
        </div>
      )}
    </>
  );
}

function AdviceRow({ advice, edit, fix }: { advice: Advice; edit: AdviceEdit; fix: Fix }) {
  return (
    <div className={classes.advice}>
      <IconBulb size={18} aria-hidden />
      <div>
        <PlainText as="h3" text={adviceTitle(advice, edit)} />
        <Foreign as="p" text={advice.why} limit={600} />
        {edit.type === 'text' && <Foreign as="p" text={`“${edit.inserted}”`} limit={600} />}
      </div>
      {edit.type === 'text' && (
        <Action
          label={
            edit.toolId === fix.target.toolId
              ? 'Insert'
              : `Insert in ${splitToolId(edit.toolId).tool}`
          }
          small
          onClick={() => fix.edit(follow(fix.edits, edit), 'rule')}
        />
      )}
    </div>
  );
}

function Tokens({ check: { tokensBefore, tokensAfter } }: { check: EditCheck }) {
  const more = tokensAfter - tokensBefore;
  return (
    <span className={classes.quiet}>
      Whole definition: {formatCount(tokensAfter)} tokens
      {more !== 0 && `, ${formatSigned(more, 0)}`}
    </span>
  );
}

const kept: Record<EditCheck['rules'][number]['rule'], string | null> = {
  // Worth a word only if it has none.
  has_description: null,
  copies_no_request: 'Shares no long phrase with a request',
  makes_no_claim: 'Makes no claim over other tools',
  no_security_signal: 'Trips no security detector',
  no_overlap: 'Overlaps with no other tool',
  // Worth a word only if it is not.
  name_is_free: null,
};

function Rules({ check }: { check: EditCheck }) {
  return (
    <ul className={classes.rules} aria-label="Checks">
      {check.rules.map(({ rule, problem }) =>
        problem !== null ? (
          <li key={rule} className={classes.bad}>
            <IconAlertTriangle size={14} aria-hidden /> <Foreign text={problem} limit={400} />
          </li>
        ) : (
          kept[rule] !== null && (
            <li key={rule} className={classes.good}>
              <IconCheck size={14} aria-hidden /> {kept[rule]}
            </li>
          )
        ),
      )}
    </ul>
  );
}

function Neighbors({ check }: { check: EditCheck }) {
  return (
    <div>
      <h3>Similarity to neighbors</h3>
      <ul className={classes.rows}>
        {check.neighbors.map(({ toolId, before, after }) => (
          <li key={toolId}>
            <Foreign as="span" className="ts-mono" text={splitToolId(toolId).tool} />
            <span>
              {formatRate(before)} → {formatRate(after)}
            </span>
            {formatRate(after) === formatRate(before) ? (
              <span className={classes.quiet}>unchanged</span>
            ) : after > before ? (
              <span className={classes.bad}>more similar</span>
            ) : (
              <span className={classes.good}>less similar</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
