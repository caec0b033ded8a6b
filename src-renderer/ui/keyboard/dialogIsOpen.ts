/** Whether a dialog lies over the screen: it alone takes keys and the focus. */
export const dialogIsOpen = (): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
