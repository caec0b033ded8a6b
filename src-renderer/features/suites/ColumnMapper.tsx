import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { Action, typed } from '../../ui/fields/controls.tsx';
import type { ColumnMap, ColumnRole, ImportColumns } from '../../../src-shared/contract/suites.ts';
import { mapFile, roleLabels, roleOf, withRole } from '../../../src-shared/display/columnRoles.ts';
import { saveTextFile } from '../../ui/files/saveTextFile.ts';
import { Cut, visibleText } from '../../ui/text/Foreign.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import classes from './ImportPage.module.css';

const roles = Object.entries(roleLabels).map(([value, label]) => ({ value, label }));
const unused = { value: '', label: 'Not used', disabled: true };

/** The first records of a file, with the role of each column above it. */
export function ColumnMapper(props: { columns: ImportColumns; onMap: (map: ColumnMap) => void }) {
  const { columns, onMap } = props;
  const { names, mapped, samples, allOf, isRemembered } = columns;
  const shown = names
    .map((name, at) => ({ name, at, role: roleOf(mapped, name) }))
    .filter(({ name }) => name !== '')
    .toSorted((one, other) => Number(one.role === null) - Number(other.role === null));
  return (
    <Stack gap="xs" role="group" aria-label="Columns">
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
