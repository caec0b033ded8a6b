import { Checkbox, Group, MultiSelect, NativeSelect, Stack, Text } from '@mantine/core';
import { Action, held, ticked, typed } from '../../ui/fields/controls.tsx';
import type { ColumnMap, ColumnRole, ImportColumns } from '../../../src-shared/contract/suites.ts';
import {
  listLabel,
  mapFile,
  roleLabels,
  roleOf,
  withRole,
  withSetting,
} from '../../../src-shared/display/columnRoles.ts';
import { saveTextFile } from '../../ui/files/saveTextFile.ts';
import { Cut, visibleText } from '../../ui/text/Foreign.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import classes from './ImportPage.module.css';

const roles = Object.entries(roleLabels).map(([value, label]) => ({ value, label }));
const unused = { value: '', label: 'Not used', disabled: true };

/** In which list of a file the cases are, and whether the first line of a table is one. */
function WhereCasesAre({
  columns: { lists, list, hasHeader, mapped },
  onMap,
}: {
  columns: ImportColumns;
  onMap: (map: ColumnMap) => void;
}) {
  // Another list has other columns.
  const only = (setting: 'list' | 'header', value: string): void =>
    onMap(withSetting(withSetting({}, 'none', [mapped.none ?? []].flat()), setting, [value]));
  return (
    <>
      {lists.length > 1 && (
        <NativeSelect
          size="xs"
          maw={420}
          label="One case for each entry of"
          data={[
            ...(list === null ? [{ value: '', label: 'Choose a list', disabled: true }] : []),
            ...lists.map((each) => ({ value: each.path, label: listLabel(each) })),
          ]}
          {...typed(list ?? '', (path) => only('list', path))}
        />
      )}
      {hasHeader !== null && (
        <Checkbox
          size="xs"
          label="The first line names the columns"
          {...ticked(hasHeader, (isOn) => only('header', isOn ? 'yes' : 'no'))}
        />
      )}
    </>
  );
}

/** The first records of a file, with the role of each column above it. */
export function ColumnMapper(props: { columns: ImportColumns; onMap: (map: ColumnMap) => void }) {
  const { columns, onMap } = props;
  const { names, mapped, samples, allOf, isRemembered, words } = columns;
  const none = [mapped.none ?? []].flat();
  const shown = names
    .map((name, at) => ({ name, at, role: roleOf(mapped, name) }))
    .filter(({ name }) => name !== '')
    .toSorted((one, other) => Number(one.role === null) - Number(other.role === null));
  return (
    <Stack gap="xs" role="group" aria-label="Columns">
      <WhereCasesAre columns={columns} onMap={onMap} />
      <Group justify="space-between">
        <Text fw={600} size="sm">
          {counted(shown.length, 'column')}
        </Text>
        <Group gap="xs">
          {isRemembered && (
            <>
              <p className="ts-hint">Roles as in the last import of these columns.</p>
              <Action label="Guess again" size="compact-xs" onClick={() => onMap({})} />
            </>
          )}
          {columns.unused.length > 0 && (
            <Action
              label="Keep unused columns as notes"
              size="compact-xs"
              onClick={() =>
                onMap(
                  columns.unused.reduce((map, name) => withRole(map, name, 'keep'), { ...mapped }),
                )
              }
            />
          )}
          <Action
            label="Save as map file"
            size="compact-xs"
            onClick={() => saveTextFile('columns.map.yaml', mapFile(mapped), 'application/yaml')}
          />
        </Group>
      </Group>
      <div className={classes.columns} tabIndex={0} role="region" aria-label="First records">
        <table>
          <thead>
            <tr>
              {shown.map(({ name, role }) => (
                <th key={name} scope="col">
                  <NativeSelect
                    size="xs"
                    aria-label={`Role of ${visibleText(name)}`}
                    data={role === null ? [unused, ...roles] : roles}
                    {...typed(role ?? '', (text) =>
                      onMap(withRole(mapped, name, text as ColumnRole)),
                    )}
                  />
                  <Cut text={name} mono />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {samples.map((record, row) => (
              <tr key={row}>
                {shown.map(({ name, at }) => (
                  <td key={name}>
                    <Cut text={record[at] ?? ''} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {columns.unused.length > 0 && (
        <p className="ts-hint">Columns not used: {visibleText(columns.unused.join(', '))}</p>
      )}
      {words.length > 0 && (
        <MultiSelect
          size="xs"
          maw={420}
          label="Words that mean no tool"
          description="Besides none, N/A, - and other words for it."
          searchable
          data={[...new Set([...none, ...words])]}
          {...held(none, (chosen) => onMap(withSetting(mapped, 'none', chosen)))}
        />
      )}
      {allOf !== null && (
        <Group gap="xs">
          <Text size="sm" className="ts-foreign">
            Lists in “{visibleText(allOf)}” are read as: all of the tools are expected.
          </Text>
          <Action
            label="Any of them is right"
            size="compact-xs"
            onClick={() => onMap(withRole(mapped, allOf, 'acceptable_tools'))}
          />
          <Action
            label="All are expected"
            size="compact-xs"
            onClick={() => onMap(withRole(mapped, allOf, 'expected_calls'))}
          />
        </Group>
      )}
    </Stack>
  );
}
