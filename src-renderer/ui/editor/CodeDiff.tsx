import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import classes from './CodeEditor.module.css';
import { type CodeLanguage, readingExtensions } from './editorExtensions.ts';

interface CodeDiffProps {
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
  language: CodeLanguage;
  maxHeight?: number;
}

/** Two texts side by side. Differences are marked in both; equal parts are folded. */
export function CodeDiff(props: CodeDiffProps) {
  const { before, after, beforeLabel, afterLabel, language, maxHeight = 480 } = props;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = container.current;
    if (parent === null) return;
    const side = (doc: string, label: string) => ({
      doc,
      extensions: [
        ...readingExtensions(language, label),
        EditorState.readOnly.of(true),
        EditorView.lineWrapping,
      ],
    });
    const view = new MergeView({
      a: side(before, beforeLabel),
      b: side(after, afterLabel),
      parent,
      collapseUnchanged: { margin: 3, minSize: 6 },
      gutter: true,
    });
    return () => view.destroy();
  }, [before, after, beforeLabel, afterLabel, language]);
  return <div ref={container} className={classes.frame} style={{ maxHeight, overflow: 'auto' }} />;
}
