import { ActionIcon, Group, Select, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Action, choosing, typed } from '../../ui/fields/controls.tsx';
import type { Suite, TestCase } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/notices/notices.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { casesOf, gridColumns, type GridRow, pasteLines, prefillOf, readGrid } from './caseGrid.ts';
import { BackToTool, NextStep } from './NextStep.tsx';
import classes from './suite.module.css';
import { ToolPicker } from './ToolPicker.tsx';
import { resolveTool } from './resolveTool.ts';
import { type ToolChoices, useToolChoices } from './useToolChoices.ts';

interface AddCasesProps {
  suite: Suite;
  cases: readonly TestCase[];
  /** `server:tool`, or empty while none is chosen. */
  tool: string;
  /** The page that asked for cases. */
  back: string | null;
  onTool: (tool: string) => void;
  onClose: () => void;
}

const sizes = [4, 8, 12, 20];

/** Cases for one tool, row by row, from the keyboard alone. */
export function AddCases({ suite, cases, tool: asked, back, onTool, onClose }: AddCasesProps) {
  const choices = useToolChoices(suite.servers);
  const tool = resolveTool(asked, choices.groups) ?? asked;
  const [added, setAdded] = useState(0);
  const [size, setSize] = useState(sizes[0] ?? 4);
  const known = casesOf(cases, tool);
  return (
    <section className={classes.grid} aria-label="Add cases for a tool">
      <Group gap="sm" align="flex-end" mb="xs">
        <Text fw={600} component="h2" m={0} lh="36px">
          Add cases for a tool
        </Text>
        <div style={{ width: 300 }}>
          <ToolPicker
            label="Tool"
            value={tool}
            choices={choices}
            autoFocus={tool === ''}
            onChange={onTool}
          />
        </div>
        <Select
          w={84}
          label="Rows"
          data={sizes.map(String)}
          {...choosing(String(size), (value) => setSize(Number(value)))}
        />
        <Group gap="sm" ml="auto">
          {added === 0 && <BackToTool />}
          <ActionIcon variant="subtle" color="gray" aria-label="Close the grid" onClick={onClose}>
            <IconX size={18} />
          </ActionIcon>
        </Group>
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {tool !== '' &&
          (known === 0
            ? 'No case expects it yet. '
            : `${counted(known, 'case')} ${known === 1 ? 'expects' : 'expect'} it already. `)}
        Write requests as people would say them.
      </Text>
      {added > 0 && <NextStep suiteId={suite.id} added={added} back={back} />}
      {tool !== '' && !choices.loading && (
        <Grid
          key={tool}
          suite={suite}
          cases={cases}
          tool={tool}
          choices={choices}
          size={size}
          onAdded={(count) => setAdded((before) => before + count)}
        />
      )}
    </section>
  );
}

interface GridProps extends Pick<AddCasesProps, 'suite' | 'cases' | 'tool'> {
  choices: ToolChoices;
  /** Rows to begin with. */
  size: number;
  onAdded: (count: number) => void;
}

function Grid({ suite, cases, tool, choices, size, onAdded }: GridProps) {
  const { client, queries, reread } = useApi();
  const schema = choices.schemaOf(tool);
  const columns = useMemo(() => gridColumns(schema), [schema]);
  const [empty] = useState<GridRow>(() => ({ request: '', values: prefillOf(columns, cases) }));
  const [entered, setEntered] = useState<GridRow[]>([]);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  // The cell to go to once it is drawn.
  const wanted = useRef<string | null>('0:0');
  const table = useRef<HTMLTableElement>(null);
  const rows = [
    ...entered,
    ...Array.from({ length: Math.max(0, size - entered.length) }, () => empty),
  ];
  const filled = rows.filter(({ request }) => request.trim() !== '').length;

  const focus = (cell: string): void => {
    const found = table.current?.querySelector<HTMLElement>(`[data-cell="${cell}"]`) ?? null;
    wanted.current = found === null ? cell : null;
    found?.focus();
  };
  useEffect(() => {
    if (wanted.current !== null) focus(wanted.current);
  });

  const save = useMutation({
    mutationFn: (read: ReturnType<typeof readGrid>) =>
      client.suites.createCases({ suiteId: suite.id, cases: read.cases }),
    onSuccess: async (made) => {
      await reread(queries.suites);
      setEntered([]);
      focus('0:0');
      onAdded(made.length);
    },
  });
  const submit = (): void => {
    if (save.isPending || filled === 0) return;
    const read = readGrid(rows, columns, tool);
    setProblems(read.problems);
    const [first] = Object.keys(read.problems);
    if (first === undefined) save.mutate(read);
    else focus(first);
  };
  const change = (row: number, part: (before: GridRow) => GridRow): void => {
    setProblems({});
    setEntered(rows.map((one, at) => (at === row ? part(one) : one)));
  };
  const onKeyDown = (event: KeyboardEvent, row: number, column: number): void => {
    const move = (to: number): void => {
      event.preventDefault();
      if (to === rows.length) setEntered([...rows, empty]);
      if (to >= 0) focus(`${to}:${column}`);
    };
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      if (event.key === 'Enter' || row < rows.length - 1) move(row + 1);
    } else if (event.key === 'ArrowUp') move(row - 1);
  };
  const cell = (row: number, column: number) => ({
    size: 'xs' as const,
    'data-cell': `${row}:${column}`,
    error: problems[`${row}:${column}`],
    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, row, column),
    onPaste: (event: React.ClipboardEvent) => {
      const text = event.clipboardData.getData('text');
      const next = pasteLines(rows, columns, [row, column], text, empty);
      if (next === null) return;
      event.preventDefault();
      setProblems({});
      setEntered(next);
    },
  });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ErrorNotice error={save.error} />
      <div className={classes.scroll}>
        <table ref={table} className={classes.table}>
          <thead>
            <tr>
              <th className={classes.number} aria-label="Row" />
              <th className={classes.request}>Request</th>
              {columns.map(({ name, description }) => (
                <th
                  key={name}
                  className={`${classes.argument} ts-mono`}
                  title={description?.slice(0, 400)}
                >
                  <PlainText text={name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                <td className={classes.number}>{at + 1}</td>
                <td className={classes.request}>
                  <TextInput
                    {...cell(at, 0)}
                    aria-label={`Request ${at + 1}`}
                    placeholder="Request"
                    {...typed(row.request, (request) =>
                      change(at, (before) => ({ ...before, request })),
                    )}
                  />
                </td>
                {columns.map(({ name }, place) => (
                  <td key={name} className={classes.argument}>
                    <TextInput
                      {...cell(at, place + 1)}
                      aria-label={`${name} of row ${at + 1}`}
                      placeholder="any value"
                      {...typed(row.values[name] ?? '', (value) =>
                        change(at, ({ values, ...before }) => ({
                          ...before,
                          values: { ...values, [name]: value },
                        })),
                      )}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Group justify="space-between" mt="xs" wrap="nowrap">
        <p className="ts-quiet">
          Each row is a case: a request, and the arguments its call must have. Tab moves to the next
          field, Enter to the next row, Ctrl+Enter saves. Pasted lines fill rows.
        </p>
        <Action
          label={filled === 0 ? 'Save cases' : `Save ${counted(filled, 'case')}`}
          type="submit"
          loading={save.isPending}
          disabled={filled === 0}
          style={{ flexShrink: 0 }}
        />
      </Group>
    </form>
  );
}
