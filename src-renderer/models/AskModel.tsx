import { Group, Popover, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Action } from '../ui/fields/controls.tsx';
import { modelLabel } from '../../src-shared/domain/provider.ts';
import type { TextModel } from '../../src-shared/domain/textModel.ts';
import { useApi, useRead } from '../api/index.ts';
import { ErrorNotice } from '../ui/notices/notices.tsx';
import { useTextModel } from './useTextModel.tsx';

interface AskModelProps {
  /** Label of the button: “Let a model write it…”. */
  label: string;
  /** What one request costs, in words. */
  cost?: string;
  disabled?: boolean;
  ask: (model: TextModel) => Promise<void>;
}

/**
 * A button that lets the user choose the model for texts. The last choice is remembered in the
 * settings.
 */
export function AskModel({ label, cost, disabled = false, ask }: AskModelProps) {
  const settings = useRead((ask) => ask.settings.get);
  const [open, setOpen] = useState(false);
  return (
    <Popover
      width={360}
      position="bottom-start"
      withArrow
      trapFocus
      opened={open}
      onChange={setOpen}
    >
      <Popover.Target>
        <Action
          label={label}
          disabled={disabled || settings.data === undefined}
          onClick={() => setOpen(!open)}
        />
      </Popover.Target>
      <Popover.Dropdown>
        {settings.data && (
          <Choice
            known={settings.data.textModel}
            cost={cost}
            ask={ask}
            onAsked={() => setOpen(false)}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

interface ChoiceProps {
  known: TextModel | null;
  cost: string | undefined;
  ask: AskModelProps['ask'];
  onAsked: () => void;
}

function Choice({ known, cost, ask, onAsked }: ChoiceProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const { model, choice, additions } = useTextModel(known, '', false);
  const asking = useMutation({
    mutationFn: async (chosen: TextModel) => {
      if (JSON.stringify(chosen) === JSON.stringify(known)) return ask(chosen);
      const saved = await client.settings.update({ textModel: chosen });
      cache.setQueryData(queries.settings.get.queryKey(), saved);
      // Its credentials are references now.
      return ask(saved.textModel ?? chosen);
    },
    onSuccess: onAsked,
  });
  return (
    <Stack gap="xs">
      {choice}
      {additions}
      {cost !== undefined && <p className="ts-hint">{cost}</p>}
      <Group>
        <Action
          label={model === null ? 'Ask' : `Ask ${modelLabel(model)}`}
          filled
          disabled={model === null}
          loading={asking.isPending}
          onClick={() => {
            if (model) asking.mutate(model);
          }}
        />
      </Group>
      <ErrorNotice error={asking.error} />
    </Stack>
  );
}
