import {
  invitationPath,
  joinPath,
  pageTokenHeader,
  pageTokenKey,
} from '../../src-shared/domain/connection.ts';

/** How long a signed-out tab waits for another one. */
const answerMs = 1000;

/**
 * What the tabs of one browser say to each other: a signed-out tab asks, a signed-in one answers
 * with an invitation or says that it has just signed in.
 */
type Message =
  | { kind: 'ask'; id: string }
  | { kind: 'invite'; id: string; invitation: string }
  | { kind: 'signedIn' };

/** What a tab brings to the others. */
export interface TabOptions {
  /** The page token while this tab is signed in and connected, else null. */
  token: () => string | null;
  /** Another tab has signed in, or answers only now. */
  onSignedIn: () => void;
}

/**
 * Talks to the other tabs. Only pages of this origin hear it, and an invitation is worth nothing
 * without the cookie of this browser.
 */
export function createTabs({ token, onSignedIn }: TabOptions) {
  const channel = new BroadcastChannel('touchstone.tabs');
  const send = (message: Message) => channel.postMessage(message);
  let asking: { id: string; settle: (invitation: string | null) => void } | null = null;
  /** The last question that nobody answered in time, and its answer if it came later. */
  let unanswered: string | null = null;
  let late: string | null = null;

  const answer = async (id: string): Promise<void> => {
    const own = token();
    const invitation = own === null ? null : await post(invitationPath, own, 'invitation');
    if (invitation !== null) send({ kind: 'invite', id, invitation });
  };
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isMessage(data)) return;
    if (data.kind === 'ask') void answer(data.id);
    else if (data.kind === 'signedIn') {
      // It could not answer before.
      if (asking !== null) send({ kind: 'ask', id: asking.id });
      onSignedIn();
    } else if (data.id === asking?.id) asking.settle(data.invitation);
    else if (data.id === unanswered) {
      // On a busy machine the other tab needs longer than this one waits.
      late = data.invitation;
      onSignedIn();
    }
  };

  return {
    /** Tells signed-out tabs that this one can invite them. */
    announce: (): void => send({ kind: 'signedIn' }),
    /** Signs this tab in through another one. Null if none of them answers with a valid invitation. */
    async join(): Promise<string | null> {
      const kept = late;
      late = null;
      unanswered = null;
      const joined = kept === null ? null : await accept(kept);
      if (joined !== null) return joined;
      const id = crypto.randomUUID();
      const invitation = await new Promise<string | null>((resolve) => {
        const timer = setTimeout(() => resolve(null), answerMs);
        const settle = (found: string | null): void => {
          clearTimeout(timer);
          resolve(found);
        };
        asking = { id, settle };
        send({ kind: 'ask', id });
      });
      asking = null;
      if (invitation === null) unanswered = id;
      return invitation === null ? null : accept(invitation);
    },
    close: (): void => channel.close(),
  };
}
export type Tabs = ReturnType<typeof createTabs>;

function isMessage(data: unknown): data is Message {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return false;
  if (data.kind === 'signedIn') return true;
  if (!('id' in data) || typeof data.id !== 'string') return false;
  return (
    data.kind === 'ask' ||
    (data.kind === 'invite' && 'invitation' in data && typeof data.invitation === 'string')
  );
}

/** Signs this tab in with an invitation; null if the host refuses it. */
async function accept(invitation: string): Promise<string | null> {
  const joined = await post(joinPath, invitation, 'pageToken');
  if (joined !== null) sessionStorage.setItem(pageTokenKey, joined);
  return joined;
}

/** One text of the host's answer; null if it refuses or can't be reached. */
async function post(path: string, token: string, field: string): Promise<string | null> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { [pageTokenHeader]: token },
      signal: AbortSignal.timeout(5000),
    });
    const body: unknown = response.ok ? await response.json() : null;
    const text: unknown = Object.entries(body ?? {}).find(([key]) => key === field)?.[1];
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}
