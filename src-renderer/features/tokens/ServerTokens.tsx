import { CountTab } from './CountTab.tsx';
import { useTokenSource } from './useTokenSource.ts';

/** What the tools of one server cost, on the page of the server. */
export function ServerTokens({ server }: { server: string }) {
  return <CountTab source={useTokenSource(server)} />;
}
