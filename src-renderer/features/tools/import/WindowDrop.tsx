import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { isServersText } from '../../../../src-shared/domain/serversText.ts';
import { leaveSource } from './droppedSource.ts';
import classes from './WindowDrop.module.css';

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
  const take = useEffectEvent(async (given: readonly File[] | string): Promise<void> => {
    // Not part of the first paint.
    const { readDropped, pastedSource } = await import('./readSource.ts');
    leaveSource(
      typeof given === 'string'
        ? Promise.resolve({ ok: true, source: pastedSource(given) })
        : readDropped(given),
    );
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
      const files = [...(event.dataTransfer?.files ?? [])];
      if (event.defaultPrevented || files.length === 0) return;
      event.preventDefault();
      void take(files);
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (event.defaultPrevented || isWritable(event.target)) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData('text') ?? '';
      if (files.length > 0) void take(files);
      else if (isServersText(text)) void take(text);
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
