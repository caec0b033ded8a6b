import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Action } from '../../../ui/fields/Action.tsx';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';

/** Proposes the folder of skills next to a configuration as a server of its own. */
export function FoundSkills({ folder, skills }: { folder: string; skills: number }) {
  const { client, queries, reread } = useApi();
  const add = useMutation({
    mutationFn: () =>
      client.servers.create({
        name: 'skills',
        config: { transport: 'skills', folder },
        listTools: true,
      }),
    onSettled: () => reread(queries.servers),
  });
  if (add.isSuccess)
    return (
      <Notice tone="good">
        Added {counted(skills, 'skill')} as the server <Foreign text={add.data.name} />.
      </Notice>
    );
  return (
    <>
      <Notice>
        <Text>
          <Foreign text={folder} limit={300} /> has {counted(skills, 'skill')}. Add the folder as a
          server to see whether models pick the right skill. Nothing in it is run.
        </Text>
        <Action label="Add skills folder" small mt="xs" run={add} />
      </Notice>
      {add.error !== null && <ErrorNotice error={add.error} />}
    </>
  );
}
