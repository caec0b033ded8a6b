import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { showDone, showFailure } from '../../ui/notices/UndoNotice.tsx';

/**
 * Opens proposals for all tools of a server: in the suite that has it alone, else in one that has it
 * among others, else in a new suite of its name.
 */
export function useProposeFor(server: string): {
  propose: (suites: readonly Suite[]) => void;
  pending: boolean;
} {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const open = useMutation({
    mutationFn: async (suites: readonly Suite[]) => {
      const found = suiteOf(server, suites);
      if (found !== null) return found;
      const name = freeName(server, new Set(suites.map((suite) => suite.name)));
      const created = await client.suites.create({ name, servers: [server] });
      await cache.invalidateQueries({ queryKey: queries.suites.key() });
      showDone(`Created suite “${created.name}”.`);
      return created;
    },
    onSuccess: ({ id }) =>
      navigate(`/suites/${id}/propose?${new URLSearchParams({ server }).toString()}`),
    onError: showFailure,
  });
  return { propose: open.mutate, pending: open.isPending };
}

function suiteOf(server: string, suites: readonly Suite[]): Suite | null {
  const own = suites.filter(({ servers }) => servers.includes(server));
  return own.find(({ servers }) => servers.length === 1) ?? own[0] ?? null;
}

/** The name, with a number if another suite has it. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return free;
}
