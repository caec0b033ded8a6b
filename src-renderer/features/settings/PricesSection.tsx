import { Action, choosing, submitting, typed } from '../../ui/fields/controls.tsx';
import { formatPrice, NOT_DEFINED } from '../../../src-shared/display/numbers.ts';
import { Group, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { priceInput, pricedProvider, type PricedModel } from '../../../src-shared/domain/price.ts';
import { firstChoice } from '../../../src-shared/domain/provider.ts';
import { useApi, useRead } from '../../api/index.ts';
import { ErrorNotice, Loaded } from '../../ui/notices/notices.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { PlainTable } from '../../ui/table/PlainTable.tsx';

/** Model prices: the bundled list with its date, and the user's own. */
export function PricesSection() {
  const list = useRead((ask) => ask.models.prices, { staleTime: 0 });
  return (
    <Section title="Model prices">
      <Loaded query={list} blocks={[120]}>
        {({ date, prices }) => (
          <>
            <Text size="sm" c="dimmed" mb="sm">
              US dollars per million tokens, from the list of {date}. Cached input is read from the
              provider’s prompt cache or written to it; without a price of its own, it costs what
              other input costs. The price of a model that is not listed is unknown until you set
              one. Your prices take precedence. An evaluation keeps the prices it started with.
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
  const { client, queries, reread } = useApi();
  const remove = useMutation({
    mutationFn: ({ provider, model }: PricedModel) =>
      client.models.removePrice({ provider, model }),
    onSuccess: () => reread(queries.models.prices),
  });
  return (
    <details>
      <summary>{prices.length} prices</summary>
      <PlainTable
        heads={[
          ...['Model', 'Input', 'Output', 'Cache read', 'Cache write', 'From'],
          <span className="ts-visually-hidden">Actions</span>,
        ]}
        numeric={[1, 2, 3, 4]}
        rows={prices.map((price) => ({
          key: `${price.provider} ${price.model}`,
          cells: [
            <>
              {price.provider} · <Foreign text={price.model} limit={100} />
            </>,
            ...[price.inputUsd, price.outputUsd, price.cacheReadUsd, price.cacheWriteUsd].map(
              (usd) => (usd === undefined ? NOT_DEFINED : formatPrice(usd)),
            ),
            `${price.source === 'own' ? 'yours' : 'list'}, ${price.date}`,
            price.source === 'own' && (
              <Action
                label="Remove"
                size="compact-xs"
                variant="subtle"
                color="gray"
                aria-label={`Remove your price of ${price.model}`}
                onClick={() => remove.mutate(price)}
              />
            ),
          ],
        }))}
      />
      <ErrorNotice error={remove.error} />
    </details>
  );
}

const amounts = [
  { name: 'inputUsd', label: 'Input per million' },
  { name: 'outputUsd', label: 'Output per million' },
  { name: 'cacheReadUsd', label: 'Cache read (optional)' },
  { name: 'cacheWriteUsd', label: 'Cache write (optional)' },
] as const;
type PriceForm = { provider: string; model: string } & Record<
  (typeof amounts)[number]['name'],
  number | string
>;
const emptyForm = {
  model: '',
  inputUsd: '',
  outputUsd: '',
  cacheReadUsd: '',
  cacheWriteUsd: '',
} as const;

function CustomPrice() {
  const { client, queries, reread } = useApi();
  const [form, setForm] = useState<PriceForm>({ provider: firstChoice, ...emptyForm });
  const parsed = priceInput.safeParse({
    ...form,
    // An empty field is no price.
    cacheReadUsd: form.cacheReadUsd === '' ? undefined : form.cacheReadUsd,
    cacheWriteUsd: form.cacheWriteUsd === '' ? undefined : form.cacheWriteUsd,
  });
  const save = useMutation({
    mutationFn: (price: z.infer<typeof priceInput>) => client.models.setPrice(price),
    onSuccess: () => {
      setForm((before) => ({ ...before, ...emptyForm }));
      return reread(queries.models.prices);
    },
  });
  const set = (part: Partial<typeof form>): void => setForm((before) => ({ ...before, ...part }));
  return (
    <form
      {...submitting(() => {
        if (parsed.success) save.mutate(parsed.data);
      })}
    >
      <Group align="flex-end" gap="sm" mb="sm">
        <Select
          label="Provider"
          w={180}
          data={pricedProvider.options}
          {...choosing(form.provider, (provider) => set({ provider }))}
        />
        <TextInput
          label="Model"
          w={220}
          maxLength={100}
          {...typed(form.model, (model) => set({ model }))}
        />
        {amounts.map(({ name, label }) => (
          <NumberInput
            key={name}
            label={label}
            w={150}
            min={0}
            prefix="$"
            value={form[name]}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
        <Action
          label="Set price"
          type="submit"
          disabled={!parsed.success}
          loading={save.isPending}
        />
      </Group>
      <ErrorNotice error={save.error} />
    </form>
  );
}
