import { Anchor } from '@mantine/core';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { causeWithin } from '../../../../../src-shared/display/failureTexts.ts';
import { quoted, toolText } from '../../../../../src-shared/display/verdictTexts.ts';
import type { Evaluation, RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import { isCorrectUnit } from '../../../../../src-shared/domain/labels.ts';
import type { ModelSettings } from '../../../../../src-shared/domain/model.ts';
import { failureOutcomes, type FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import type {
  FailureGroup,
  Failures,
  ToolFailures,
  CaseMarks as Marks,
} from '../../../../../src-shared/domain/verdict.ts';
import { formatCount, counted } from '../../../../../src-shared/display/numbers.ts';
import { OutcomeMark } from '../../../../ui/outcome/outcomes.tsx';
import { MarkedWords } from '../../../../ui/text/MarkedWords.tsx';
import { PlainText, visibleText } from '../../../../ui/text/Foreign.tsx';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { FixTool } from '../../NextStep.tsx';
import { nameModels } from '../../modelNames.ts';
import { openGroups } from '../../openGroups.ts';
import { CauseHead, FailureLine, FoldedFailures } from '../FoldedFailures.tsx';
import { modelToFix } from './chosenModel.ts';
import classes from './failures.module.css';
import { type CaseTabProps, type ResultAddress, writeAddress } from './resultAddress.ts';

/** With more models than this, each run is a line of its own. */
const maxMarkColumns = 4;

function MarkHeads({ models }: { models: readonly ModelSettings[] }) {
  const names = nameModels(models);
  return (
    <div className={classes.markHeads}>
      <span>Request</span>
      {models.map(({ id }) => (
        <span key={id} className={classes.markCell} title={visibleText(names.get(id) ?? id)}>
          <PlainText text={names.get(id) ?? id} />
        </span>
      ))}
    </div>
  );
}

function CaseMarks(props: { models: readonly ModelSettings[]; marks: Marks['marks'] }) {
  const { models, marks } = props;
  const names = nameModels(models);
  return models.map(({ id }) => {
    const mark = marks.find(({ modelSettingsId }) => modelSettingsId === id);
    return (
      <span key={id} className={classes.markCell}>
        {mark !== undefined && (
          <>
            <span className="ts-visually-hidden">
              , <PlainText text={names.get(id) ?? id} />:{' '}
            </span>
            <OutcomeMark outcome={mark.outcome} quiet />
          </>
        )}
      </span>
    );
  });
}

interface FailureToolsProps extends Omit<CaseTabProps, 'onChange'> {
  failures: Failures;
  onCause: (cause: FailureCause) => void;
}

interface ListContext extends FailureToolsProps {
  /** The models that have a column; none if there are too many. */
  columns: readonly ModelSettings[];
  /** Whether a line is a case with a mark per model, whatever failed in it. */
  areCases: boolean;
}

const shownTools = 8;
/** More requests of a cause are shown on demand, unless all of them are few. */
const shownRequests = 3;
const fewRequests = 16;

/** The failures by tool, the one with the most first; within a tool by cause. */
export function FailureTools(props: FailureToolsProps) {
  const { evaluation, failures, address } = props;
  const [all, setAll] = useState(false);
  const shown = evaluation.models.filter(({ id }) => [null, id].includes(address.model));
  const columns = shown.length <= maxMarkColumns ? shown : [];
  const areCases = failures.cases.length > 0 && columns.length > 1;
  const context: ListContext = { ...props, columns, areCases };
  const total = failures.tools.reduce((sum, { runs }) => sum + runs, 0);
  const open = openGroups(
    failures.tools.map((tool) => linesOfTool(context, tool, total <= fewRequests)),
  );
  const listed = all ? failures.tools : failures.tools.slice(0, shownTools);
  const rest = failures.tools.slice(listed.length);
  if (failures.tools.length === 0) return <p className={classes.why}>No failures match.</p>;
  return (
    <div
      data-columns={columns.length > 1 || undefined}
      className={classes.groups}
      style={{ '--models': columns.length } as CSSProperties}
    >
      {columns.length > 1 && <MarkHeads models={columns} />}
      {listed.map((tool, at) => (
        <Tool
          key={tool.tool ?? ''}
          context={context}
          tool={tool}
          openFirst={open[at] ?? false}
          allRequests={total <= fewRequests}
        />
      ))}
      {rest.length > 0 && (
        <Anchor
          component="button"
          type="button"
          className={classes.moreTools ?? ''}
          onClick={() => setAll(true)}
        >
          {formatCount(rest.length)} more{' '}
          <span className={classes.groupCount}>{failedText(context, sumOfTools(rest), false)}</span>
        </Anchor>
      )}
    </div>
  );
}

type ModelCounts = ToolFailures['models'];

/** How many failed of each shown model: `10 and 16 of 22 failed`. */
function failedText({ columns }: ListContext, counts: ModelCounts, withTotal = true): string {
  const of = (id: string) => counts.find(({ modelSettingsId }) => modelSettingsId === id);
  const each = columns.map(({ id }) => ({
    failed: of(id)?.failed ?? 0,
    scored: of(id)?.scored ?? 0,
  }));
  const sum = counts.reduce((runs, { failed }) => runs + failed, 0);
  if (each.length === 0) return `${counted(sum, 'run')} failed`;
  const isSame = each.every(({ scored }) => scored === each[0]?.scored);
  const list = (parts: string[]): string => parts.join(parts.length === 2 ? ' and ' : ', ');
  if (!withTotal) return `${list(each.map(({ failed }) => formatCount(failed)))} failed`;
  return isSame
    ? `${list(each.map(({ failed }) => formatCount(failed)))} of ${formatCount(each[0]?.scored ?? 0)} failed`
    : `${list(each.map(({ failed, scored }) => `${formatCount(failed)} of ${formatCount(scored)}`))} failed`;
}

/** The failures of several tools together, by model. */
function sumOfTools(tools: readonly ToolFailures[]): ModelCounts {
  const sums = new Map<string, number>();
  for (const { modelSettingsId, failed } of tools.flatMap(({ models }) => models))
    sums.set(modelSettingsId, (sums.get(modelSettingsId) ?? 0) + failed);
  return [...sums].map(([modelSettingsId, failed]) => ({ modelSettingsId, failed, scored: 0 }));
}

const groupOf = ({ groups }: Failures, cause: FailureCause): FailureGroup | null =>
  groups.find(
    ({ outcome, expected, called }) =>
      outcome === cause.outcome && expected === cause.expected && called === cause.called,
  ) ?? null;

/** The runs that get a line: with a mark per model, the first one of each case. */
function linesOf({ areCases }: ListContext, rows: readonly RunRow[]): readonly RunRow[] {
  if (!areCases) return rows;
  const seen = new Set<number>();
  return rows.filter(({ position }) => !seen.has(position) && seen.add(position));
}

function linesOfTool(context: ListContext, { causes }: ToolFailures, all: boolean): number {
  return causes.reduce((sum, cause) => {
    const lines = linesOf(context, groupOf(context.failures, cause)?.rows ?? []).length;
    return sum + (lines === 1 ? 1 : 1 + (all ? lines : Math.min(lines, shownRequests)));
  }, 0);
}

interface ToolProps {
  context: ListContext;
  tool: ToolFailures;
  openFirst: boolean;
  allRequests: boolean;
}

function Tool({ context, tool: { tool, models, causes }, openFirst, allRequests }: ToolProps) {
  return (
    <FoldedFailures
      name={tool === null ? null : toolText(tool, context.verdict.severalServers)}
      {...(tool !== null && { title: tool })}
      count={failedText(context, models, tool !== null)}
      openFirst={openFirst}
      action={tool !== null && <FixOfTool context={context} tool={tool} models={models} />}
    >
      {causes.map((cause) => (
        <Cause
          key={`${cause.outcome} ${cause.expected} ${cause.called}`}
          context={context}
          tool={tool}
          cause={cause}
          allRequests={allRequests}
        />
      ))}
    </FoldedFailures>
  );
}

/** A proven fix, or else the way to the editor, for one of the models that fail. */
function FixOfTool(props: { context: ListContext; tool: string; models: ModelCounts }) {
  const { context, tool, models } = props;
  const { evaluation, verdict, address } = context;
  const names = nameModels(evaluation.models);
  const failing = models.filter(({ failed }) => failed > 0);
  return (
    <FixTool
      evaluationId={evaluation.id}
      tool={tool}
      name={toolText(tool, verdict.severalServers)}
      models={evaluation.models
        .filter(({ id }) => failing.some(({ modelSettingsId }) => modelSettingsId === id))
        .map(({ id, model }) => ({ id, label: names.get(id) ?? model }))}
      preset={modelToFix(verdict, models, address.model)}
    />
  );
}

interface CauseProps {
  context: ListContext;
  tool: string | null;
  cause: ToolFailures['causes'][number];
  allRequests: boolean;
}

function Cause({ context, tool, cause, allRequests }: CauseProps) {
  const { failures, verdict, columns, onCause } = context;
  const [all, setAll] = useState(allRequests);
  const { outcome, expected, called, runs, models } = cause;
  const plain = { outcome, expected, called };
  const group = groupOf(failures, cause);
  const lines = linesOf(context, group?.rows ?? []);
  const [only] = lines;
  const title = causeWithin(cause, tool, verdict.severalServers);
  // A cause of one request is one line.
  if (only !== undefined && lines.length === 1 && cause.cases === 1)
    return (
      <ul className={classes.requests}>
        <Request context={context} row={only} cause={plain} outcome={outcome} words={[]}>
          <RichSentence text={title} />
        </Request>
      </ul>
    );
  const shown = all ? lines : lines.slice(0, shownRequests);
  const shownCases = new Set(shown.map(({ position }) => position)).size;
  const more = cause.cases - shownCases;
  return (
    <>
      <CauseHead
        mark={<OutcomeMark outcome={outcome} />}
        title={<RichSentence text={title} />}
        counts={
          columns.length > 1
            ? columns.map(({ id }) => models.find((one) => one.modelSettingsId === id)?.runs ?? 0)
            : [runs]
        }
      />
      {group !== null && group.missingWords.length > 0 && (
        <p className={classes.why}>
          The description of{' '}
          <PlainText as="code" text={toolText(expected, verdict.severalServers)} /> doesn’t say{' '}
          {quoted(group.missingWords)}.
        </p>
      )}
      <ul className={classes.requests}>
        {shown.map((row) => (
          <Request
            key={row.runId}
            context={context}
            row={row}
            cause={plain}
            words={group?.missingWords ?? []}
          />
        ))}
        {more > 0 && (
          <li className={classes.moreRequests}>
            <Anchor
              component="button"
              type="button"
              size="xs"
              fw={600}
              onClick={() => {
                if (shown.length < lines.length) setAll(true);
                else onCause(plain);
              }}
            >
              {counted(more, 'more case')}
            </Anchor>
          </li>
        )}
      </ul>
    </>
  );
}

interface RequestProps {
  context: ListContext;
  row: RunRow;
  /** The cause that next and previous stay within. */
  cause: FailureCause;
  /** Shown before the request where no line above it has it. */
  outcome?: FailureCause['outcome'];
  words: readonly string[];
  /** The cause, where it has no line of its own. */
  children?: ReactNode;
}

function Request({ context, row, cause, outcome, words, children }: RequestProps) {
  const { evaluation, failures, address, columns, areCases } = context;
  const own = groupOf(failures, cause);
  // A model that failed the case by another cause has its mark there.
  const elsewhere = failures.groups
    .filter((group) => group !== own)
    .flatMap(({ rows }) => rows.filter(({ position }) => position === row.position))
    .map(({ modelSettingsId }) => modelSettingsId);
  const marks = failures.cases
    .find(({ position }) => position === row.position)
    ?.marks.filter(({ modelSettingsId }) => !elsewhere.includes(modelSettingsId));
  const note = noteOf(evaluation, row, areCases);
  const list: ResultAddress = { ...address, outcomes: [], cause, cell: null, at: null };
  return (
    <FailureLine
      to={`/results/${evaluation.id}/runs/${row.runId}?${writeAddress(failureList(list, outcome)).toString()}`}
      title={row.query}
      // The columns say it with the name of the model.
      mark={outcome !== undefined && <OutcomeMark outcome={outcome} decorative={areCases} />}
      text={<MarkedWords text={row.query} words={words} />}
      note={children}
      which={note}
    >
      {areCases && <CaseMarks models={columns} marks={marks ?? []} />}
    </FailureLine>
  );
}

/**
 * The list in which next and previous step: the runs of the cause, or all failures where the cause
 * has one request.
 */
const failureList = (
  list: ResultAddress,
  only: FailureCause['outcome'] | undefined,
): ResultAddress =>
  only === undefined ? list : { ...list, cause: null, outcomes: failureOutcomes };

/** Which run of the case it is, and how many of several expected calls were made. */
function noteOf(evaluation: Evaluation, row: RunRow, areCases: boolean): string {
  const parts: string[] = [];
  if (row.expected.length > 1) {
    const made = row.units.filter(isCorrectUnit).length;
    parts.push(`${formatCount(made)} of ${counted(row.expected.length, 'call')} made`);
  }
  if (evaluation.models.length > 1 && !areCases)
    parts.push(nameModels(evaluation.models).get(row.modelSettingsId) ?? '');
  if (evaluation.settings.repetitions > 1) parts.push(`repetition ${row.repetition}`);
  return parts.filter((part) => part !== '').join(' · ');
}
