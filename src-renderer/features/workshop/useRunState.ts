import { useState } from 'react';

export interface RunState {
  /** The JSON text of the arguments; null until something was typed. */
  text: string | null;
  trace: string;
  /** The ID of the last execution. */
  execution: string | null;
  change: (part: { text?: string; trace?: string; execution?: string }) => void;
}

/** What a person typed to run a tool. It stays while they edit and save the tool in between. */
export function useRunState(id: string): RunState {
  const [state, setState] = useState({ id, ...empty });
  const current = state.id === id ? state : { id, ...empty };
  return {
    ...current,
    change: (part) =>
      setState((before) => ({ ...(before.id === id ? before : { id, ...empty }), ...part })),
  };
}

const empty = { text: null as string | null, trace: '', execution: null as string | null };
