import { createContext, type ReactNode } from 'react';

/**
 * The element that takes the breadcrumbs of a page; null outside a frame and before it is rendered.
 */
export const CrumbSlot = createContext<HTMLElement | null>(null);

/** What the pages of one place share, drawn below the header of each. */
export const BelowHeader = createContext<ReactNode>(null);
