import { Group, Stack, Text, Select } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { Action, choosing } from '../../ui/fields/controls.tsx';
import type { ImportPreview } from '../../../src-shared/contract/suites.ts';
import type { FileProblem } from '../../../src-shared/domain/suiteFile.ts';
import { CopyButton } from '../../ui/text/CopyButton.tsx';
import { Cut, Foreign, PlainText } from '../../ui/text/Foreign.tsx';
import { Notice } from '../../ui/notices/notices.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import { knownTexts, nothingNewText, suiteSize } from '../../../src-shared/display/suiteTexts.ts';
import classes from './ImportPage.module.css';
import { ImportProgress } from './ImportProgress.tsx';
import { ImportFidelity } from './ImportFidelity.tsx';
import { type Column, DataTable, textColumn } from '../../ui/table/DataTable.tsx';
import { expectationText } from './caseForm.ts';

interface ImportReportProps {
  fileName: string;
  preview: ImportPreview;
  writing: boolean;
  /** True if the cases are added to an existing suite. */
  into: boolean;
  /** Names of the registered servers. */
  knownServers: readonly string[];
  onRename: (names: Record<string, string>) => void;
  /** The column mapping, if the format has columns. */
  children?: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
}

/** What an import would do, with the buttons to confirm or cancel. */
export function ImportReport(props: ImportReportProps) {
  const { fileName, preview, writing, into, knownServers, onRename, children, onConfirm } = props;
  const { onCancel } = props;
  const broken = preview.problems.length > 0;
  const { replaces } = preview;
  const previewed = { caseCount: preview.cases, taskCount: preview.tasks };
  const warned =
    replaces?.isSame === false ||
    preview.unknownServers.length > 0 ||
    preview.report.approximated.length + preview.report.skipped.length > 0;
  const report = useRef<HTMLElement>(null);
  // The report appears below the choices. Focusing it scrolls it into view and lets screen readers
  // announce it.
  useEffect(() => {
    report.current?.focus();
  }, [fileName]);
  return (
    <section
      ref={report}
      tabIndex={-1}
      className={`ts-panel ${classes.report ?? ''}`}
      aria-label="Preview of the import"
    >
      <Stack gap="md">
        <Group justify="space-between">
          <Text fw={600} className="ts-foreign">
            <PlainText text={preview.name ?? fileName} />
          </Text>
          <StatusBadge
            tone={broken ? 'bad' : warned ? 'warning' : 'good'}
            label={
              broken
                ? counted(preview.problems.length, 'problem')
                : `${suiteSize(previewed)}${warned ? '' : ', no problems'}`
            }
          />
        </Group>
        {preview.columns !== null && children}
        {broken ? (
          <Problems
            fileName={fileName}
            problems={preview.problems}
            mapped={preview.columns !== null}
          />
        ) : (
          <>
            {replaces?.isSame === true && (
              <Text className="ts-foreign">
                <PlainText text={nothingNewText(replaces, preview)} />
              </Text>
            )}
            {knownTexts(preview).map((text) => (
              <PlainText key={text} text={text} />
            ))}
            {replaces?.isSame === false && (
              <Notice tone="warning">
                <Text>
                  This replaces the suite “
                  <PlainText as="span" className="ts-foreign" text={replaces.name} />” with its{' '}
                  {suiteSize(replaces)}. Cases that are not in the file are removed. Evaluations
                  don’t change.
                </Text>
              </Notice>
            )}
            {preview.unknownServers.length > 0 && (
              <UnknownServers
                unknown={preview.unknownServers}
                known={knownServers}
                onRename={onRename}
              />
            )}
            {!preview.report.converter.startsWith('touchstone/') && (
              <ImportFidelity report={preview.report} />
            )}
            <PreviewedCases preview={preview} />
            <Group>
              <Action
                label={
                  replaces?.isSame === true
                    ? 'Open suite'
                    : into
                      ? `Add ${suiteSize(previewed)}`
                      : replaces === null
                        ? 'Import suite'
                        : 'Replace suite'
                }
                filled
                loading={writing}
                onClick={onConfirm}
              />
              <Action label="Cancel" onClick={onCancel} />
              {writing && <ImportProgress />}
            </Group>
          </>
        )}
      </Stack>
    </section>
  );
}

function Problems(props: { fileName: string; problems: readonly FileProblem[]; mapped: boolean }) {
  const { fileName, problems, mapped } = props;
  const these = problems.length === 1 ? 'this problem' : 'these problems';
  return (
    <div>
      <Group justify="space-between">
        <Text>
          {mapped
            ? `Choose the columns, or fix ${these} in the file. Nothing is imported until then.`
            : `Fix ${these} in the file. Nothing is imported until then.`}
        </Text>
        <CopyButton
          label="Copy problems"
          text={() =>
            problems
              .map((problem) => `${fileName}:${problemPlace(problem)} ${problem.message}`)
              .join('\n')
          }
        />
      </Group>
      <ul className={classes.problems} tabIndex={0} aria-label="Problems in the file">
        {problems.slice(0, 500).map((problem, index) => (
          <li key={index}>
            <span className="ts-mono ts-number">{problemPlace(problem)}</span>
            <span>
              <Foreign text={problem.message} limit={600} />
              {problem.line !== null && problem.path !== '' && (
                <Text span size="xs" c="dimmed" ml="sm" className="ts-mono ts-foreign">
                  <PlainText text={problem.path} />
                </Text>
              )}
            </span>
          </li>
        ))}
      </ul>
      {problems.length > 500 && (
        <Text c="dimmed">
          And {counted(problems.length - 500, 'more problem')}; copy them to see all.
        </Text>
      )}
    </div>
  );
}

/** `line:column` as editors show it, or the path in the document if there is no line. */
function problemPlace(problem: Pick<FileProblem, 'line' | 'column' | 'path'>): string {
  if (problem.line === null) return problem.path === '' ? 'file' : problem.path;
  return problem.column === null ? String(problem.line) : `${problem.line}:${problem.column}`;
}

type PreviewedCase = ImportPreview['firstCases'][number];

/** The cases as they would be imported, to look through before confirming. */
function PreviewedCases({ preview }: { preview: ImportPreview }) {
  const approximated = new Map<string, string>();
  for (const { case: key, what, why } of preview.report.approximated)
    approximated.set(key, `${approximated.get(key) ?? ''} ${what}: ${why}`.trim());
  const columns: Column<PreviewedCase>[] = [
    textColumn('query', 'Query', 'minmax(200px, 4fr)', (each) => each.query),
    {
      id: 'expected',
      header: 'Expected',
      cell: (each) =>
        each.expectedCalls.length === 0 ? (
          <p className="ts-quiet">no tool</p>
        ) : (
          <Cut text={expectationText(each)} mono />
        ),
      sortValue: (each) => expectationText(each),
      width: 'minmax(140px, 2fr)',
    },
    ...(approximated.size === 0
      ? []
      : [
          textColumn(
            'note',
            'Approximated',
            'minmax(140px, 2fr)',
            (each: PreviewedCase) => approximated.get(each.key) ?? '',
            { sorts: false },
          ),
        ]),
  ];
  return (
    <div>
      <DataTable
        label="Cases of the file"
        columns={columns}
        rows={preview.firstCases}
        rowKey={({ key }) => key}
        maxHeight="360px"
      />
      {preview.cases > preview.firstCases.length && (
        <Text size="sm" c="dimmed" mt={4}>
          And {counted(preview.cases - preview.firstCases.length, 'more case')}.
        </Text>
      )}
    </div>
  );
}

interface UnknownServersProps {
  unknown: ImportPreview['unknownServers'];
  /** Names of the registered servers. */
  known: readonly string[];
  onRename: (names: Record<string, string>) => void;
}

const shownServers = 20;

/** Servers of the file that are not registered, with the registered server to use instead. */
function UnknownServers({ unknown, known, onRename }: UnknownServersProps) {
  const suggested = unknown.filter(({ suggestion }) => suggestion !== null);
  return (
    <Notice tone="warning">
      <Stack gap="sm">
        <Text>
          {unknown.length === 1 ? 'A server of the file is' : 'Some servers of the file are'} not
          registered here. Use a registered server instead, or import the cases and add the server
          before you run them.
        </Text>
        {unknown.slice(0, shownServers).map(({ name, tools, suggestion }) => (
          <Group key={name} gap="sm">
            <Text size="sm" className="ts-foreign" style={{ flex: '1 1 160px' }}>
              <PlainText text={name} />{' '}
              <Text span c="dimmed">
                ({counted(tools, 'tool')} used)
              </Text>
            </Text>
            <Select
              size="xs"
              w={240}
              aria-label={`Server to use instead of ${name}`}
              placeholder="Keep the name"
              clearable
              data={known.map((server) => ({
                value: server,
                label: server === suggestion ? `${server} (has all these tools)` : server,
              }))}
              {...choosing(null, (server: string) => onRename({ [name]: server }))}
            />
          </Group>
        ))}
        {unknown.length > shownServers && (
          <p className="ts-quiet">And {counted(unknown.length - shownServers, 'more server')}.</p>
        )}
        {suggested.length > 0 && (
          <Group>
            <Action
              label={
                suggested.length === 1
                  ? `Use ${suggested[0]?.suggestion ?? ''} instead of ${suggested[0]?.name ?? ''}`
                  : `Use the ${formatCount(suggested.length)} servers that have the same tools`
              }
              small
              onClick={() =>
                onRename(
                  Object.fromEntries(
                    suggested.map(({ name, suggestion }) => [name, suggestion ?? name]),
                  ),
                )
              }
            />
          </Group>
        )}
      </Stack>
    </Notice>
  );
}
