import { Popover, Table, Text } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { Action } from '../../ui/fields/controls.tsx';
import { matcherHelp } from './matcherHelp.ts';

/** A button that lists the matchers with examples. */
export function MatcherHelp() {
  return (
    <Popover width={460} position="bottom-start" withinPortal trapFocus>
      <Popover.Target>
        <Action label="Matchers" size="compact-xs" icon={IconHelp} style={{ alignSelf: 'start' }} />
      </Popover.Target>
      <Popover.Dropdown tabIndex={-1} aria-label="Matchers">
        <Text size="sm" mb="sm">
          A matcher can replace a value at any depth. If it has several keys, all must match.
        </Text>
        <Table fz="xs" verticalSpacing={4}>
          <Table.Tbody>
            {matcherHelp.map((matcher) => (
              <Table.Tr key={matcher.key}>
                <Table.Td>
                  <code>{matcher.example}</code>
                </Table.Td>
                <Table.Td>{matcher.meaning}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Popover.Dropdown>
    </Popover>
  );
}
