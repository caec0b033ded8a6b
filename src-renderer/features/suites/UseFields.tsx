import { Input, NumberInput, SimpleGrid, Stack, Switch } from '@mantine/core';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { held, ticked, whole } from '../../ui/fields/controls.tsx';
import { Fold } from '../../ui/panels/panels.tsx';
import { type CheckForm, emptyUse, useLists } from './checkForm.ts';
import { EditRows } from './EditRows.tsx';
import { ExpectedArgument } from './ExpectedArgument.tsx';
import { MatcherHelp } from './MatcherHelp.tsx';
import { ToolPicker } from './ToolPicker.tsx';
import type { ToolChoices } from './useToolChoices.ts';

interface UseFieldsProps {
  check: CheckForm;
  choices: ToolChoices;
  problem: (field: string) => string | undefined;
  onCheck: (check: CheckForm) => void;
}

const labels = {
  must: 'Required call',
  any: 'Alternative call',
  never: 'Forbidden call',
} as const;
const numbers = {
  least: { label: 'At least', description: 'Calls. If empty, 1.', ...whole(0, 1_000) },
  most: { label: 'At most', description: 'Calls. If empty, any number.', ...whole(1, 1_000) },
  group: {
    label: 'Group',
    description: 'Neighbors of one group come in any order.',
    ...whole(1, 1_000),
  },
};
const numbersOf = {
  must: ['least', 'most', 'group'],
  any: ['least', 'most'],
  never: [],
} as const;

/** The calls that a check looks for, each with its tool and, if wanted, its arguments and counts. */
export function UseFields({ check, choices, problem, onCheck }: UseFieldsProps) {
  return useLists.map((list) => (
    <Stack key={list} gap="sm">
      <EditRows
        label={labels[list]}
        rows={check[list]}
        empty={emptyUse}
        onRows={(rows) => onCheck({ ...check, [list]: rows })}
      >
        {(use, index, set) => {
          const wrong = problem(`${list}.${index}.arguments`);
          return (
            <>
              <ToolPicker
                label={`Tool ${index + 1}`}
                choices={choices}
                {...held(use.tool, (tool) => set({ tool }), problem(`${list}.${index}.tool`))}
              />
              <Fold title="Arguments and counts" openFirst={wrong !== undefined}>
                <Stack gap="md">
                  <ArgumentsEditor
                    label={`Arguments of tool ${index + 1}`}
                    description="What isn’t set is not compared."
                    schema={choices.schemaOf(use.tool)}
                    text={use.arguments}
                    error={wrong}
                    Field={ExpectedArgument}
                    aside={<MatcherHelp />}
                    onText={(text) => set({ arguments: text })}
                  />
                  <SimpleGrid cols={3}>
                    {numbersOf[list].map((each) => (
                      <NumberInput
                        key={each}
                        {...numbers[each]}
                        inputWrapperOrder={['label', 'input', 'description', 'error']}
                        clampBehavior="none"
                        value={use[each]}
                        onChange={(typed) =>
                          set({ [each]: typeof typed === 'number' ? typed : '' })
                        }
                      />
                    ))}
                  </SimpleGrid>
                </Stack>
              </Fold>
            </>
          );
        }}
      </EditRows>
      {problem(list) !== undefined && <Input.Error>{problem(list)}</Input.Error>}
      {list === 'must' && check.must.length > 1 && (
        <Switch
          label="In this order"
          description="Other calls may come in between."
          {...ticked(check.ordered, (ordered) => onCheck({ ...check, ordered }))}
        />
      )}
    </Stack>
  ));
}
