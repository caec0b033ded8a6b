import { TagsInput } from '@mantine/core';
import type { AppSettings } from '../../../src-shared/domain/settings.ts';
import { errorOfField } from '../../ui/notices/describeError.ts';
import { Section } from '../../ui/panels/Section.tsx';

interface Props {
  values: AppSettings;
  error: unknown;
  onSave: (part: Partial<AppSettings>) => void;
}

/** Hosts that are contacted although their addresses are refused otherwise. */
export function HostsSection({ values, error, onSave }: Props) {
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
        onChange={(allowedHosts) => {
          onSave({ allowedHosts });
        }}
      />
    </Section>
  );
}
