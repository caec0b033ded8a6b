export type MatrixMode = 'counts' | 'share';
