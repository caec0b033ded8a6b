import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { showDone } from '../../../ui/notices/UndoNotice.tsx';
import classes from './WindowDrop.module.css';
import { leaveSource } from './droppedSource.ts';

/** Texts that are the configuration of a program, or an install link, and hardly anything else. */
const configuration =
  /^\s*(?:\{[^]*"(?:mcpServers|mcp|servers|context_servers|command)"\s*:|\[\s*mcp_servers\b|(?:cursor|lmstudio|vscode|vscode-insiders):\S+\s*$)/;

const isWritable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/**
 * Takes a configuration that is dropped anywhere in the window, or pasted outside of a field, to the
 * page that imports it. A part of a page that takes files itself comes first.
 */
export function WindowDrop() {
  const navigate = useNavigate();
  const [over, setOver] = useState(false);
  const take = useEffectEvent(async (given: File | string): Promise<void> => {
    // Not part of the first paint.
    const { readSource, pastedSource } = await import('./readSource.ts');
    if (typeof given === 'string') leaveSource(pastedSource(given));
    else {
      const read = await readSource(given);
      if (!read.ok) {
        showDone(read.problem);
        return;
      }
      leaveSource(read.source);
    }
    // Another address each time, so that the page reads what was left for it.
    await navigate(`/tools/import?from=${Date.now()}`);
  });
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      const takes = !event.defaultPrevented && event.dataTransfer?.types.includes('Files') === true;
      if (takes) event.preventDefault();
      setOver(takes);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (event.defaultPrevented || file === undefined) return;
      event.preventDefault();
      void take(file);
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (event.defaultPrevented || isWritable(event.target)) return;
      const given = event.clipboardData?.files[0] ?? event.clipboardData?.getData('text') ?? '';
      if (typeof given !== 'string' || configuration.test(given)) void take(given);
    };
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    window.addEventListener('paste', onPaste);
    return () => {
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
      window.removeEventListener('paste', onPaste);
    };
  }, []);
  return over ? <div className={classes.over}>Drop to import the servers of this file</div> : null;
}
