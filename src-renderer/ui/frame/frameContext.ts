import { createContext } from 'react';

/**
 * The element that takes the breadcrumbs of a page; null outside a frame and before it is rendered.
 */
export const CrumbSlot = createContext<HTMLElement | null>(null);
