import { formatPrice } from '../../../src-shared/display/numbers.ts';
import { Button, Group, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { priceInput, pricedProvider, type PricedModel } from '../../../src-shared/domain/price.ts';
import { firstChoice } from '../../../src-shared/domain/provider.ts';
import { useApi } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Section } from '../../ui/panels/Section.tsx';

/** Model prices: the bundled list with its date, and the user's own. */
export function PricesSection() {
  const { queries } = useApi();
  const list = useQuery(queries.models.prices.queryOptions({ staleTime: 0 }));
  return (
    <Section title="Model prices">
      <Loaded query={list} blocks={[120]}>
        {({ date, prices }) => (
          <>
            <Text size="sm" c="dimmed" mb="sm">
              US dollars per million tokens, from the list of {date} without discounts. Models not
              listed are unpriced until you set a price. Your prices take precedence. An evaluation
              keeps the prices it started with.
            </Text>
            <CustomPrice />
            <PriceTable prices={prices} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function PriceTable({ prices }: { prices: readonly PricedModel[] }) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ provider, model }: PricedModel) =>
      client.models.removePrice({ provider, model }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.models.prices.key() }),
  });
  return (
    <details>
      <summary>{prices.length} prices</summary>
      <table style={{ fontSize: 13, borderSpacing: '16px 4px', borderCollapse: 'separate' }}>
        <thead>
          <tr>
            <th align="left">Model</th>
            <th align="right">Input</th>
            <th align="right">Output</th>
            <th align="left">From</th>
            <th aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => (
            <tr key={`${price.provider} ${price.model}`}>
              <td>
                {price.provider} · <Foreign text={price.model} limit={100} />
              </td>
              <td align="right" className="ts-number">
                {formatPrice(price.inputUsd)}
              </td>
              <td align="right" className="ts-number">
                {formatPrice(price.outputUsd)}
              </td>
              <td>
                {price.source === 'own' ? 'yours' : 'list'}, {price.date}
              </td>
              <td>
                {price.source === 'own' && (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove your price of ${price.model}`}
                    onClick={() => {
                      remove.mutate(price);
                    }}
                  >
                    Remove
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {remove.error !== null && <ErrorNotice error={remove.error} />}
    </details>
  );
}

function CustomPrice() {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [form, setForm] = useState<{
    provider: string;
    model: string;
    inputUsd: number | string;
    outputUsd: number | string;
  }>({ provider: firstChoice, model: '', inputUsd: '', outputUsd: '' });
  const parsed = priceInput.safeParse(form);
  const save = useMutation({
    mutationFn: (price: z.infer<typeof priceInput>) => client.models.setPrice(price),
    onSuccess: () => {
      setForm((before) => ({ ...before, model: '', inputUsd: '', outputUsd: '' }));
      return cache.invalidateQueries({ queryKey: queries.models.prices.key() });
    },
  });
  const set = (part: Partial<typeof form>): void => {
    setForm((before) => ({ ...before, ...part }));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (parsed.success) save.mutate(parsed.data);
      }}
    >
      <Group align="flex-end" gap="sm" mb="sm">
        <Select
          label="Provider"
          w={180}
          data={pricedProvider.options}
          value={form.provider}
          allowDeselect={false}
          onChange={(provider) => {
            set({ provider: provider ?? firstChoice });
          }}
        />
        <TextInput
          label="Model"
          w={220}
          maxLength={100}
          value={form.model}
          onChange={(event) => {
            set({ model: event.currentTarget.value });
          }}
        />
        <NumberInput
          label="Input per million"
          w={140}
          min={0}
          prefix="$"
          value={form.inputUsd}
          onChange={(inputUsd) => {
            set({ inputUsd });
          }}
        />
        <NumberInput
          label="Output per million"
          w={140}
          min={0}
          prefix="$"
          value={form.outputUsd}
          onChange={(outputUsd) => {
            set({ outputUsd });
          }}
        />
        <Button type="submit" variant="default" disabled={!parsed.success} loading={save.isPending}>
          Set price
        </Button>
      </Group>
      {save.error !== null && <ErrorNotice error={save.error} />}
    </form>
  );
}
