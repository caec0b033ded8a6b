/** Whether a dialog is open: it alone takes keys and the focus. */
export const dialogIsOpen = (): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
