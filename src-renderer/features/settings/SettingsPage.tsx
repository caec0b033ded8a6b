import {
  Group,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  TagsInput,
  NumberInput,
  Anchor,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { environmentLine } from '../../../src-shared/display/environmentTexts.ts';
import type { EnvironmentDefaults } from '../../../src-shared/domain/environmentDefaults.ts';
import {
  themes,
  type AppSettings,
  type SettingField,
} from '../../../src-shared/domain/settings.ts';
import { useApi, useRead } from '../../api/index.ts';
import { EnvironmentNotice } from '../../ui/notices/EnvironmentNotice.tsx';
import { ErrorNotice, Loaded, showUndo, useAct } from '../../ui/notices/notices.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { Section, RowList } from '../../ui/panels/panels.tsx';
import { setSingleKeys, useSingleKeys } from '../../ui/keyboard/useShortcut.ts';
import { Diagnostics } from './Diagnostics.tsx';
import { KeysSection, places } from './KeysSection.tsx';
import { PricesSection } from './PricesSection.tsx';
import { evaluationFields, originOf, thresholdFields, readSetting } from './settingFields.ts';
import { SimilaritySection } from './SimilaritySection.tsx';
import { errorOfField } from '../../ui/notices/describeError.ts';
import { useState, type ReactNode } from 'react';
import { Action, ticked } from '../../ui/fields/controls.tsx';
import type { SampleData } from '../../../src-shared/domain/sampleData.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import { Link } from 'react-router';
import type { KeyPlace } from '../../../src-shared/domain/keys.ts';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';

const themeNames = { system: 'System', light: 'Light', dark: 'Dark' };

/** All settings. Every change is saved at once. */
export function SettingsPage() {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const settings = useRead((ask) => ask.settings.get);
  const environment = useRead((ask) => ask.settings.environment);
  const save = useMutation({
    mutationFn: (part: Partial<AppSettings>) => client.settings.update(part),
    onSuccess: (saved) => cache.setQueryData(queries.settings.get.queryKey(), saved),
  });
  const shared = { error: save.error, onSave: (part: Partial<AppSettings>) => save.mutate(part) };
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Settings' }]}
        title="Settings"
        subtitle={<span role="status">{savedWords(save)}</span>}
      />
      <Stack gap={0} maw={860}>
        <KeysSection />
        <ToolSecretsSection />
        <RequestSecretsSection />
        <Loaded query={settings} blocks={[60, 200, 80]}>
          {(values) => (
            <>
              <ErrorNotice error={save.error} />
              <Appearance values={values} onSave={shared.onSave} />
              <Numbers
                title="Defaults for new evaluations"
                fields={evaluationFields}
                values={values}
                environment={environment.data}
                {...shared}
              />
              <Numbers title="Thresholds" fields={thresholdFields} values={values} {...shared} />
              <SimilaritySection values={values} onSave={shared.onSave} />
              <HostsSection values={values} {...shared} />
            </>
          )}
        </Loaded>
        <PricesSection />
        <SampleSection />
        <div style={{ marginTop: 24 }}>
          <Diagnostics />
        </div>
      </Stack>
    </>
  );
}

function savedWords(save: { isPending: boolean; isSuccess: boolean }): string {
  if (save.isPending) return 'Saving …';
  return save.isSuccess
    ? 'Saved.'
    : 'Changes save automatically unless a section has a Save button.';
}

function Appearance(props: { values: AppSettings; onSave: (part: Partial<AppSettings>) => void }) {
  const { values, onSave } = props;
  const single = useSingleKeys();
  return (
    <Section title="Appearance and shortcuts">
      <Stack gap="md" align="flex-start">
        <div>
          <Text size="sm" fw={500} mb={4} id="theme-label">
            Theme
          </Text>
          <SegmentedControl
            size="sm"
            aria-labelledby="theme-label"
            value={values.theme}
            data={themes.map((value) => ({ value, label: themeNames[value] }))}
            onChange={(theme) => onSave({ theme })}
          />
        </div>
        <Switch
          label="Single-key shortcuts"
          description="Such as N, /, and ?. Shortcuts with Ctrl or Cmd always work."
          {...ticked(single, setSingleKeys)}
        />
      </Stack>
    </Section>
  );
}

interface NumbersProps {
  title: string;
  fields: readonly SettingField[];
  values: AppSettings;
  /** Variables that replace these values in a new evaluation. */
  environment?: EnvironmentDefaults | undefined;
  error: unknown;
  onSave: (part: Partial<AppSettings>) => void;
}

function Numbers({ title, fields, values, environment, error, onSave }: NumbersProps) {
  return (
    <Section title={title}>
      {environment && (
        <Stack gap="xs" mb="md">
          <EnvironmentNotice
            line={environmentLine(environment.values)}
            problems={environment.problems}
          />
        </Stack>
      )}
      <Group gap="xl" align="flex-start">
        {fields.map((field) => (
          <SettingInput
            key={`${field.name} ${values[field.name]}`}
            field={field}
            value={values[field.name]}
            origin={originOf(field, values[field.name], environment?.values)}
            error={error}
            onSave={(value) => onSave({ [field.name]: value })}
          />
        ))}
      </Group>
    </Section>
  );
}

interface Props {
  values: AppSettings;
  error: unknown;
  onSave: (part: Partial<AppSettings>) => void;
}

/** Hosts that are contacted although their addresses are refused otherwise. */
function HostsSection({ values, error, onSave }: Props) {
  return (
    <Section title="Addresses">
      <TagsInput
        label="Allowed hosts"
        description={
          'Servers and HTTP tools can’t contact link-local or reserved addresses, because ' +
          'clouds hand out credentials there. Hosts in this list are exempt.'
        }
        placeholder="Host name or address"
        value={values.allowedHosts}
        error={errorOfField(error, 'allowedHosts')}
        onChange={(allowedHosts) => onSave({ allowedHosts })}
      />
    </Section>
  );
}

interface SettingInputProps {
  field: SettingField;
  value: number;
  /** Where the number comes from that new evaluations use. */
  origin: string;
  error: unknown;
  onSave: (value: number) => void;
}

/** A number that is saved on blur or Enter. */
function SettingInput({ field, value, origin, error, onSave }: SettingInputProps) {
  const [typed, setTyped] = useState<number | string>(value);
  const [problem, setProblem] = useState<string | null>(null);
  const save = (): void => {
    const read = readSetting(field.name, typed);
    setProblem(read.ok ? null : read.problem);
    if (read.ok && read.value !== value) onSave(read.value);
  };
  return (
    <NumberInput
      label={field.label}
      description={`${field.description} ${origin}`}
      w={260}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      step={field.step}
      decimalScale={field.decimals}
      suffix={field.unit}
      value={typed}
      error={problem ?? errorOfField(error, field.name)}
      onChange={(next) => {
        setTyped(next);
        setProblem(null);
      }}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
      }}
    />
  );
}

/** The data that Touchstone brings along: what is left of it, and one action to remove it. */
function SampleSection() {
  const { client, reread } = useApi();
  const sample = useRead((ask) => ask.settings.sample, { staleTime: 0 });
  const refresh = (): Promise<void> => reread();
  const add = useAct(() => client.settings.addSample(), { onSettled: refresh });
  const remove = useAct(() => client.settings.removeSample(), {
    onSuccess: ({ tokens }) =>
      showUndo('Sample data removed.', async () => {
        for (const token of tokens.toReversed()) await client.settings.undo({ token });
        await refresh();
      }),
    onSettled: refresh,
  });
  return (
    <Section title="Sample data">
      <Loaded query={sample} blocks={[60]}>
        {(data) => (
          <>
            <Text size="sm" c="dimmed" mb="sm">
              {contentText(data)} The Todo server is real. The calendar, mail, and files servers
              list tools but can’t run them.
            </Text>
            <Group gap="sm">
              {isPresent(data) && <Action label="Remove sample data" run={remove} />}
              {data.addable && <Action label="Add sample data" run={add} />}
            </Group>
          </>
        )}
      </Loaded>
    </Section>
  );
}

const isPresent = ({ servers, suites, evaluation }: SampleData): boolean =>
  servers.length > 0 || suites.length > 0 || evaluation !== null;

function contentText(data: SampleData): string {
  if (!isPresent(data)) return 'No sample data in this workspace.';
  const { servers, suites, evaluation } = data;
  const content = [
    servers.length > 0 && counted(servers.length, 'server'),
    suites.length > 0 && counted(suites.length, 'suite'),
    evaluation !== null && `evaluation #${evaluation.number}`,
  ].filter((part) => part !== false);
  return `This workspace contains sample data: ${content.join(', ')}.`;
}

/** Which secrets of workshop tools are set. They are set on the page of their tool. */
function ToolSecretsSection() {
  const { data = [] } = useRead((ask) => ask.workshop.secrets, { input: {} });
  if (data.length === 0) return null;
  return (
    <Section title="Secrets of workshop tools">
      <RowList label="Secrets of workshop tools">
        {data.map(({ toolId, tool, name, place }) => (
          <SecretRow key={`${toolId} ${name}`} name={name} place={place}>
            <Anchor component={Link} to={`/workshop/${toolId}?tab=secrets`} size="xs">
              <PlainText as="span" className="ts-mono ts-foreign" text={tool} />
            </Anchor>
          </SecretRow>
        ))}
      </RowList>
    </Section>
  );
}

/** Which values of `${secret:NAME}` in requests to models are set. Their models refer to them. */
function RequestSecretsSection() {
  const { client, queries, reread } = useApi();
  const { data = [] } = useRead((ask) => ask.models.secrets, { staleTime: 0 });
  const remove = useMutation({
    mutationFn: (name: string) => client.models.removeSecret({ name }),
    onSuccess: () => reread(queries.models.secrets),
  });
  if (data.length === 0) return null;
  return (
    <Section title="Secrets in requests to models">
      <RowList label="Secrets in requests to models">
        {data.map(({ name, place }) => (
          <SecretRow key={name} name={name} place={place}>
            <PlainText as="p" className="ts-hint ts-mono ts-foreign" text={`\${secret:${name}}`} />
            {place !== 'environment' && (
              <Action
                label="Remove"
                variant="subtle"
                size="compact-xs"
                color="gray"
                loading={remove.isPending && remove.variables === name}
                onClick={() => remove.mutate(name)}
              />
            )}
          </SecretRow>
        ))}
      </RowList>
      <ErrorNotice error={remove.error} />
    </Section>
  );
}

function SecretRow(props: { name: string; place: KeyPlace | null; children: ReactNode }) {
  const { name, place, children } = props;
  return (
    <li>
      <div>
        <Text size="sm" className="ts-mono ts-foreign">
          <PlainText text={name} />
        </Text>
        {children}
      </div>
      <Group gap="sm">
        {place !== null && <p className="ts-hint">{places[place]}</p>}
        <StatusBadge
          tone={place === null ? 'warning' : 'good'}
          label={place === null ? 'Not set' : 'Set'}
        />
      </Group>
    </li>
  );
}
