import { Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { draftKinds } from '../../../src-shared/contract/suites.ts';
import { modelConfiguration, type ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { providerTable, remoteProviders } from '../../../src-shared/domain/provider.ts';
import { proposalKinds, type ProposalKind } from './proposalKinds.ts';
import { Action, choosing, typed } from '../../ui/fields/controls.tsx';

const writers = [
  { value: 'template', label: 'You, in prepared rows' },
  ...remoteProviders.map((provider) => ({ value: provider, label: providerTable[provider].label })),
];

interface ProposalOptionsProps {
  /** False where something else than kinds is proposed from. */
  needsKind?: boolean;
  /** What else is missing to propose. */
  missing?: string | null;
  again: boolean;
  /** The page has another next step. */
  quiet?: boolean;
  pending: boolean;
  /** `model` is null where the person writes the requests, in rows with example arguments. */
  onPropose: (options: { kinds: ProposalKind[]; model: ModelConfiguration | null }) => void;
}

/** Which kinds of cases are proposed, and who writes their requests. */
export function ProposalOptions(props: ProposalOptionsProps) {
  const { needsKind = true, again, quiet = again, pending, onPropose } = props;
  const [kinds, setKinds] = useState<ProposalKind[]>([...draftKinds]);
  const [writer, setWriter] = useState('template');
  const [model, setModel] = useState('');
  const isModel = writer !== 'template';
  const missing =
    props.missing ??
    (needsKind && kinds.length === 0
      ? 'Choose a kind of case first.'
      : isModel && model.trim() === ''
        ? 'Enter the name of the model first.'
        : null);
  return (
    <>
      <Checkbox.Group
        label="Kinds of cases"
        value={kinds}
        onChange={(next) => setKinds(draftKinds.filter((kind) => next.includes(kind)))}
      >
        <Group mt={6} gap="lg" align="flex-start">
          {draftKinds.map((kind) => (
            <Checkbox
              key={kind}
              value={kind}
              label={proposalKinds[kind].label}
              description={proposalKinds[kind].hint}
              maw={250}
            />
          ))}
        </Group>
      </Checkbox.Group>
      <Group align="flex-end">
        <Select w={260} label="Written by" data={writers} {...choosing(writer, setWriter)} />
        {isModel && <TextInput w={240} label="Model" {...typed(model, setModel)} />}
        <Action
          label={again ? 'Propose again' : 'Propose cases'}
          filled={!quiet}
          loading={pending}
          disabled={missing !== null}
          onClick={() =>
            onPropose({
              kinds,
              model: isModel
                ? modelConfiguration.parse({ provider: writer, model: model.trim() })
                : null,
            })
          }
        />
        {missing !== null && (
          <p className="ts-quiet" role="status">
            {missing}
          </p>
        )}
      </Group>
    </>
  );
}
