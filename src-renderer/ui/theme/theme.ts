import {
  type ComboboxRenderPillInput,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
} from '@mantine/core';
import { createElement } from 'react';
import { ForeignTag } from '../text/ForeignTag.tsx';
import { PlainText } from '../text/Foreign.tsx';

/** From the lightest to the darkest. */
const shades = (text: string) => text.split(' ') as unknown as MantineColorsTuple;

const indigo = shades(
  '#ecebff #dcdcfe #c0c0fc #a3a4fa #8886f6 #6c67ee #4f46e5 #4338ca #3730a3 #2b267d',
);
const slate = shades(
  '#f8fafc #eff3f8 #e2e8f0 #d8dfe9 #b6c2d2 #94a3b8 #64748b #475569 #334155 #1e293b',
);
/** Mantine reads its dark scheme from this palette: 0 is text, 7 is the page. */
const night = shades(
  '#e6ebf4 #c4cede #9fadc3 #6b7a94 #2b374b #232e42 #161e2e #0f1522 #0b101a #070b12',
);
const vermilion = shades(
  '#fdeee4 #fbdcc8 #f6b88f #f19454 #e67428 #d55e00 #b34300 #a33d00 #7d2f00 #5c2300',
);

const short = { duration: 120 };

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 6, dark: 6 },
  colors: { indigo, gray: slate, dark: night, vermilion },
  fontFamily: 'var(--ts-sans)',
  fontFamilyMonospace: 'var(--ts-mono)',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.35' },
  spacing: { xs: '0.25rem', sm: '0.5rem', md: '0.75rem', lg: '1rem', xl: '1.5rem' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '6px', xl: '6px' },
  defaultRadius: 'md',
  shadows: {
    xs: 'none',
    sm: 'none',
    md: 'var(--ts-shadow)',
    lg: 'var(--ts-shadow)',
    xl: 'var(--ts-shadow)',
  },
  headings: {
    fontFamily: 'var(--ts-sans)',
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.35' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    // A notice that closes by itself can also be closed by hand, and the button says so.
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close notice' } } },
    Tooltip: {
      defaultProps: {
        events: { hover: true, focus: true, touch: true },
        openDelay: 250,
        multiline: true,
        maw: 420,
        transitionProps: short,
      },
    },
    Textarea: { defaultProps: { autosize: true } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Modal: {
      defaultProps: {
        transitionProps: short,
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
        overlayProps: { backgroundOpacity: 0.4 },
      },
      styles: {
        title: {
          fontSize: '1rem',
          lineHeight: 1.35,
          fontWeight: 600,
          minWidth: 0,
          overflowWrap: 'anywhere',
        },
        header: { background: 'var(--ts-raised)', padding: 16 },
        body: { padding: '0 16px 16px' },
        content: { background: 'var(--ts-raised)' },
      },
    },
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        transitionProps: short,
        shadow: 'md',
        // Where no side of its button has room for all of it, it scrolls, and the window doesn't.
        middlewares: { flip: true, shift: true, size: { padding: 8 } },
      },
      styles: { dropdown: { overflowY: 'auto' } },
    },
    Popover: { defaultProps: { transitionProps: short, shadow: 'md' } },
    Select: {
      defaultProps: {
        // What can be left empty has a button that clears it.
        allowDeselect: false,
        comboboxProps: { transitionProps: short, shadow: 'md' },
        checkIconPosition: 'right',
      },
    },
    MultiSelect: { defaultProps: { comboboxProps: { transitionProps: short, shadow: 'md' } } },
    TagsInput: {
      defaultProps: {
        comboboxProps: { transitionProps: short, shadow: 'md' },
        renderPill: (tag: ComboboxRenderPillInput) => createElement(ForeignTag, tag),
        renderOption: ({ option }: { option: { value: string } }) =>
          createElement(PlainText, { text: option.value }),
      },
    },
    Anchor: { defaultProps: { underline: 'always' } },
  },
});

/** Mantine's variables follow the tokens, so that colors have one source. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--ts-surface)',
    '--mantine-color-text': 'var(--ts-ink)',
    '--mantine-color-dimmed': 'var(--ts-ink-muted)',
    '--mantine-color-placeholder': 'var(--ts-ink-muted)',
    '--mantine-color-anchor': 'var(--ts-accent-ink)',
    '--mantine-color-error': 'var(--ts-danger-ink)',
    '--mantine-color-default': 'var(--ts-raised)',
    '--mantine-color-default-hover': 'var(--ts-hover)',
    '--mantine-color-default-color': 'var(--ts-ink)',
    '--mantine-color-default-border': 'var(--ts-line-strong)',
    '--mantine-color-indigo-filled': 'var(--ts-accent)',
    '--mantine-color-indigo-filled-hover': 'var(--ts-accent-hover)',
    '--mantine-color-indigo-light': 'var(--ts-accent-soft)',
    '--mantine-color-indigo-light-hover': 'var(--ts-accent-soft)',
    '--mantine-color-indigo-light-color': 'var(--ts-accent-ink)',
    '--mantine-color-indigo-outline': 'var(--ts-accent-ink)',
    '--mantine-color-indigo-text': 'var(--ts-accent-ink)',
    '--mantine-color-vermilion-filled': 'var(--ts-danger-fill)',
    '--mantine-color-vermilion-filled-hover': 'var(--ts-danger-fill)',
    '--mantine-color-vermilion-light': 'var(--ts-danger-soft)',
    '--mantine-color-vermilion-light-hover': 'var(--ts-danger-soft)',
    '--mantine-color-vermilion-light-color': 'var(--ts-danger-ink)',
    '--mantine-color-vermilion-outline': 'var(--ts-danger-ink)',
    '--mantine-color-vermilion-text': 'var(--ts-danger-ink)',
  };
  return { variables: {}, light: shared, dark: shared };
};
