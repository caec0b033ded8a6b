import { Notice } from './Notice.tsx';
import { PlainText } from '../text/PlainText.tsx';

/** Servers whose tools are not counted on the screen, one notice per reason. */
export function ServersWithoutTools({
  failed,
}: {
  failed: readonly { server: string; reason: string }[];
}) {
  const byReason = new Map<string, string[]>();
  for (const { server, reason } of failed)
    byReason.set(reason, [...(byReason.get(reason) ?? []), server]);
  return [...byReason].map(([reason, servers]) => (
    <Notice key={reason} tone="warning">
      Not counted in: <PlainText text={servers.join(', ')} />. <PlainText text={reason} />
    </Notice>
  ));
}
