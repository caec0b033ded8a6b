export interface FakeBounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface SuggestedFile {
  defaultPath: string;
  filters: { name: string; extensions: string[] }[];
  properties: string[];
}

export interface Question {
  message: string;
  detail?: string;
  buttons?: string[];
  defaultId?: number;
  cancelId?: number;
  signal?: AbortSignal;
}

export interface Template {
  label?: string;
  type?: string;
  role?: string;
  accelerator?: string;
  registerAccelerator?: boolean;
  submenu?: Template[];
  click?: () => void;
}

export interface BuiltMenu {
  items: (Omit<Template, 'submenu'> & { type: string; submenu?: BuiltMenu })[];
}

export type Handler = (...all: never[]) => unknown;

/** What the program requested of Electron, in order, and how the user answers. */
interface Recorded {
  /** Channel → listener, of `ipcMain.on`. */
  listeners: Map<string, Handler>;
  /** Channels that were registered otherwise than with `on`; there should be none. */
  otherChannels: string[];
  schemes: unknown[];
  protocols: Map<string, (request: { method: string; url: string }) => Promise<Response>>;
  opened: string[];
  /** True on a system that can't open addresses. */
  noBrowser: boolean;
  questions: Question[];
  /** The button that the user presses on the next question. */
  pressed: number;
  errorBoxes: { title: string; content: string }[];
  /**
   * The suggestions of save dialogs, and the path that the user chooses next; null closes the
   * dialog.
   */
  suggested: SuggestedFile[];
  chosen: string | null;
  /** Where folder dialogs opened; `chosen` is the answer of the user. */
  openedAt: (string | undefined)[];
  shownInFolder: string[];
  exposed: Map<string, unknown>;
  posted: { channel: string; message: unknown; ports: unknown[] }[];
  /** Folders and files that were shown in the file manager. */
  openedPaths: string[];
  menu: BuiltMenu | null;
  displays: { workArea: FakeBounds }[];
  /** Channel → listener, of the preload's `ipcRenderer.on`. */
  received: Map<string, Handler>;
}

const nothing = (): Recorded => ({
  listeners: new Map(),
  otherChannels: [],
  schemes: [],
  protocols: new Map(),
  opened: [],
  noBrowser: false,
  questions: [],
  pressed: 0,
  errorBoxes: [],
  suggested: [],
  chosen: null,
  openedAt: [],
  shownInFolder: [],
  exposed: new Map(),
  posted: [],
  openedPaths: [],
  menu: null,
  displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
  received: new Map(),
});

export const recorded: Recorded = nothing();

export function forgetRecorded(): void {
  Object.assign(recorded, nothing());
}
