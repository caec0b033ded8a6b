import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { type HostAction, readHostCommand } from '../../src-shared/domain/hostCommand.ts';

/**
 * Performs the commands of the Electron menu. Only messages from this page are read, where the
 * preload script posts them.
 */
export function useHostCommands(acts: Readonly<Record<HostAction, () => void>>): void {
  const navigate = useNavigate();
  const receive = useEffectEvent((event: MessageEvent) => {
    const command = event.source === window ? readHostCommand(event.data) : null;
    if (command === null) return;
    if (command.kind === 'act') acts[command.act]();
    else void navigate(command.to);
  });
  useEffect(() => {
    const listener = (event: MessageEvent): void => receive(event);
    window.addEventListener('message', listener);
    return () => {
      window.removeEventListener('message', listener);
    };
  }, []);
}
