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
          'Servers and HTTP tools contact no link-local or reserved address, because clouds hand ' +
          'out credentials there. A host in this list is contacted wherever it leads.'
        }
        placeholder="Name or address of a host"
        value={values.allowedHosts}
        error={errorOfField(error, 'allowedHosts')}
        onChange={(allowedHosts) => {
          onSave({ allowedHosts });
        }}
      />
    </Section>
  );
}
