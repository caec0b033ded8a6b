import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { Input } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './CodeEditor.module.css';
import { type CodeLanguage, readingExtensions, writingExtensions } from './editorExtensions.ts';

interface CodeProblem {
  message: string;
  /** The line, counted from 1; null marks the first line. */
  line: number | null;
  column: number | null;
}

interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  language: CodeLanguage;
  /** Shown above the editor; also its accessible name. */
  label: string;
  description?: string;
  problems?: readonly CodeProblem[];
  height?: number | string;
}

/** A code editor with line numbers, syntax colors and marks where something is wrong. */
export function CodeEditor(props: CodeEditorProps) {
  const { value, onChange, language, label, description, problems = [], height = 360 } = props;
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const change = useRef(onChange);
  const first = useRef(value);
  useEffect(() => {
    change.current = onChange;
  }, [onChange]);

  useEffect(() => {
    const parent = container.current;
    if (parent === null) return;
    const made = new EditorView({
      parent,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          ...readingExtensions(language, label),
          ...writingExtensions(),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) change.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      // Keeps the typed text when the editor is created again for another language.
      first.current = made.state.doc.toString();
      made.destroy();
      view.current = null;
    };
  }, [language, label]);

  useEffect(() => {
    const open = view.current;
    // Only text that the owner replaced: typed text is in the editor already.
    if (open !== null && open.state.doc.toString() !== value)
      open.dispatch({ changes: { from: 0, to: open.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const open = view.current;
    if (open === null) return;
    const { doc } = open.state;
    const marks = problems.map(({ message, line, column }) => {
      const at = doc.line(Math.min(Math.max(1, line ?? 1), doc.lines));
      const from = Math.min(at.to, at.from + Math.max(0, (column ?? 1) - 1));
      return { from, to: Math.max(from, at.to), severity: 'error' as const, message };
    });
    open.dispatch(setDiagnostics(open.state, marks));
  }, [problems, value]);

  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={description}
      error={problems.length === 0 ? null : problems.map(({ message }) => message).join(' ')}
    >
      <div
        ref={container}
        className={classes.frame}
        data-invalid={problems.length > 0}
        style={{ height, marginTop: 4 }}
      />
    </Input.Wrapper>
  );
}
