import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { python } from '@codemirror/lang-python';
import {
  bracketMatching,
  foldGutter,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { lintGutter } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

export type CodeLanguage = 'python' | 'json' | 'shell';

const languages: Record<CodeLanguage, () => Extension> = {
  python: () => [python(), indentUnit.of('    ')],
  json: () => json(),
  shell: () => StreamLanguage.define(shell),
};

/** Colors are the tokens of the program, so that both themes and their contrast hold here too. */
const look = EditorView.theme({
  '&': {
    fontSize: '13px',
    backgroundColor: 'var(--ts-raised)',
    color: 'var(--ts-ink)',
    height: '100%',
  },
  '&.cm-focused': { outline: '2px solid var(--ts-focus)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--ts-mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ts-ink)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ts-ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--ts-sunken)',
    color: 'var(--ts-ink-muted)',
    borderRight: '1px solid var(--ts-line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ts-hover) 55%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--ts-hover)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--ts-accent) 28%, transparent) !important',
  },
  '.cm-matchingBracket': {
    backgroundColor: 'var(--ts-accent-soft) !important',
    outline: '1px solid var(--ts-line-strong)',
  },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--ts-raised)',
    color: 'var(--ts-ink)',
    border: '1px solid var(--ts-line)',
  },
  '.cm-panel input, .cm-panel button': {
    fontFamily: 'var(--ts-sans)',
    color: 'inherit',
    background: 'var(--ts-surface)',
    border: '1px solid var(--ts-line-strong)',
  },
  '.cm-changedLine': {
    backgroundColor: 'color-mix(in srgb, var(--ts-accent) 7%, transparent) !important',
  },
  '.cm-toolsAndItems': {
    background: 'color-mix(in srgb, var(--ts-accent) 15%, transparent) !important',
  },
});

const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.bool, tags.null],
    color: 'var(--ts-accent-ink)',
    fontWeight: '500',
  },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--ts-good-ink)' },
  { tag: [tags.number], color: 'var(--ts-warning-ink)' },
  { tag: [tags.comment], color: 'var(--ts-ink-muted)', fontStyle: 'italic' },
  {
    tag: [tags.propertyName, tags.definition(tags.variableName), tags.function(tags.variableName)],
    color: 'var(--ts-tp-ink)',
  },
  { tag: [tags.invalid], color: 'var(--ts-danger-ink)' },
]);

/**
 * The extensions that the viewer and the editor share. Tab moves the focus, as everywhere;
 * Ctrl/Cmd+] indents.
 */
export function readingExtensions(language: CodeLanguage, label: string): Extension[] {
  return [
    lineNumbers(),
    highlightSpecialChars(),
    foldGutter(),
    drawSelection(),
    syntaxHighlighting(colours),
    languages[language](),
    look,
    highlightSelectionMatches(),
    EditorView.contentAttributes.of({
      'aria-label': label,
      spellcheck: 'false',
      autocorrect: 'off',
      autocapitalize: 'off',
    }),
    keymap.of([...searchKeymap]),
  ];
}

export function writingExtensions(): Extension[] {
  return [
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    lintGutter(),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
  ];
}
