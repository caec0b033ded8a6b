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
}

export type Handler = (...all: never[]) => unknown;

/** What the program asked of Electron, in the order of asking, and what the user would answer. */
interface Recorded {
  /** Channel → listener, of `ipcMain.on`. */
  listeners: Map<string, Handler>;
  /** Channels registered by any other way than `on`: there should be none. */
  otherChannels: string[];
  schemes: unknown[];
  protocols: Map<string, (request: { method: string; url: string }) => Promise<Response>>;
  opened: string[];
  questions: Question[];
  /** The button that the user presses on the next question. */
  pressed: number;
  errorBoxes: { title: string; content: string }[];
  /**
   * What save dialogs suggested, and the path that the user chooses next; null closes the dialog.
   */
  suggested: SuggestedFile[];
  chosen: string | null;
  /** Where dialogs for a folder opened; `chosen` is what the user answers. */
  openedAt: (string | undefined)[];
  shownInFolder: string[];
  exposed: Map<string, unknown>;
  posted: { channel: string; message: unknown; ports: unknown[] }[];
  /** Folders and files shown in the system's own window. */
  openedPaths: string[];
  menu: unknown;
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
