import { startText } from '../../../../src-shared/display/serverTexts.ts';
import { useRead } from '../../../api/index.ts';

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How long a server that is checked has been starting, and what it wrote last; null if it is not. */
export function useStarting(props: { name: string; checking: boolean }): string | null {
  const { name, checking } = props;
  const { data = [] } = useRead((ask) => ask.servers.starting, {
    enabled: checking,
    refetchInterval: checking ? 700 : false,
  });
  const start = data.find(({ server }) => server === name);
  return checking && start !== undefined ? sentenceCase(startText(start)) : null;
}
