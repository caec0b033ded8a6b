import { Stack, TagsInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { keyPlaceWords } from '../../../src-shared/display/keyPlaces.ts';
import type { ToolSecret } from '../../../src-shared/domain/toolSecrets.ts';
import type { ManagedTool } from '../../../src-shared/domain/workshop.ts';
import { useApi, useRead } from '../../api/index.ts';
import { SecretRow } from '../../ui/fields/SecretRow.tsx';
import { Loaded, Notice } from '../../ui/notices/notices.tsx';
import { RowList, Section } from '../../ui/panels/panels.tsx';
import { declaredSecrets, withDeclaredSecrets } from './declaredSecrets.ts';
import type { ToolEditor } from './useToolEditor.ts';

/** The secrets that a tool needs: their names, which are part of a version, and their values. */
export function SecretsTab({ editor, tool }: { editor: ToolEditor; tool: ManagedTool | null }) {
  const { draft, change, problemsOf } = editor;
  const names = declaredSecrets(draft.executorConfig);
  const isScript = draft.executorType === 'python' || draft.executorType === 'shell';
  return (
    <Stack gap="lg" maw={860}>
      {names === null ? (
        <Notice tone="warning">
          Fix the executor settings under Details first. They name the secrets of the tool.
        </Notice>
      ) : (
        <TagsInput
          label="Names"
          description={
            isScript
              ? 'Such as API_KEY. The script reads each one as an environment variable of this name.'
              : 'Such as API_KEY. Insert each one in the executor settings as ${secret:API_KEY}.'
          }
          placeholder={names.length === 0 ? 'Type a name and press Enter' : ''}
          styles={{ pill: { fontFamily: 'var(--ts-mono)' } }}
          splitChars={[',', ' ']}
          value={names}
          error={problemsOf('executorConfig.secrets')[0]?.message}
          onChange={(next) =>
            change({ executorConfig: withDeclaredSecrets(draft.executorConfig, next) })
          }
        />
      )}
      {tool !== null && <Values tool={tool} names={names ?? []} />}
      {tool === null && (names ?? []).length > 0 && (
        <p className="ts-quiet">
          Save the tool, then enter the values here. They are never part of the tool.
        </p>
      )}
    </Stack>
  );
}

function Values({ tool, names }: { tool: ManagedTool; names: readonly string[] }) {
  const secrets = useRead((ask) => ask.workshop.secrets, { input: { id: tool.id } });
  return (
    <Section title="Values">
      <Loaded query={secrets} blocks={[56]}>
        {(found) => {
          const unsaved = names.filter((name) => !found.some((each) => each.name === name));
          return (
            <Stack gap="sm">
              {found.length === 0 && unsaved.length === 0 && (
                <p className="ts-quiet">
                  This tool needs no secrets. Add a name above for a token or a password, so that it
                  is part of neither the script nor the settings.
                </p>
              )}
              {found.length > 0 && (
                <RowList label="Values of secrets">
                  {found.map((secret) => (
                    <ValueRow key={secret.name} secret={secret} />
                  ))}
                </RowList>
              )}
              {unsaved.length > 0 && (
                <p className="ts-quiet">
                  Save the tool to enter {unsaved.length === 1 ? 'the value of' : 'the values of'}{' '}
                  <span className="ts-mono ts-foreign">{unsaved.join(', ')}</span>.
                </p>
              )}
              {found.length > 0 && (
                <p className="ts-quiet">
                  Only this tool gets them, and they are removed from everything it returns. A value
                  that an MCP client passes in its <span className="ts-mono">env</span> is used
                  instead for the calls of that client.
                </p>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}

function ValueRow({ secret: { toolId: id, name, place } }: { secret: ToolSecret }) {
  const { client, queries, reread } = useApi();
  const save = useMutation({
    mutationFn: (value: string | null) =>
      value === null
        ? client.workshop.removeSecret({ id, name })
        : client.workshop.setSecret({ id, name, value }),
    onSuccess: () => reread(queries.workshop.secrets),
  });
  return (
    <SecretRow
      name={name}
      note={place === null ? 'not set: the tool can’t run' : keyPlaceWords[place]}
      isSet={place !== null}
      removable={place !== null && place !== 'environment'}
      saving={save.isPending}
      error={save.error}
      onSave={save.mutateAsync}
    />
  );
}
