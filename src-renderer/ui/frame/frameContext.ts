import { createContext } from 'react';

/** Where in the frame a page puts its breadcrumbs; null outside a frame and before it stands. */
export const CrumbSlot = createContext<HTMLElement | null>(null);
