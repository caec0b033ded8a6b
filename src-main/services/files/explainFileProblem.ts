import { ReadOnlyTarget } from './writeFileAtomically.ts';

/** Why a path could not be read or written, and what the user can do about it. */
export interface FileProblem {
  cause: string;
  nextStep: string;
  /** The fault lies with the disk, so that choosing another file name does not help. */
  isDiskProblem?: true;
}

const explanations: Record<string, FileProblem> = {
  ENOENT: { cause: 'There is no such file or folder.', nextStep: 'Check the name.' },
  ENOTDIR: { cause: 'A part of its path is a file, not a folder.', nextStep: 'Check the name.' },
  EISDIR: { cause: 'It is a folder.', nextStep: 'Name a file.' },
  EEXIST: {
    cause: 'A file of this name stands where a folder is needed.',
    nextStep: 'Name a folder, or one that is not there yet.',
  },
  EACCES: {
    cause: 'You are not allowed to open it.',
    nextStep: 'Change its rights, or choose another place.',
  },
  EPERM: {
    cause: 'The system does not permit it.',
    nextStep: 'Change its rights, or choose another place.',
  },
  ELOOP: {
    cause: 'Its links lead in a circle.',
    nextStep: 'Mend the links, or choose another name.',
  },
  ENAMETOOLONG: {
    cause: 'The name is longer than the system allows.',
    nextStep: 'Choose a shorter one.',
  },
  EROFS: {
    cause: 'The disk that it is on can only be read.',
    nextStep: 'Choose another place.',
    isDiskProblem: true,
  },
  ENOSPC: {
    cause: 'The disk that it is on is full.',
    nextStep: 'Free some space, or choose another place.',
    isDiskProblem: true,
  },
  EDQUOT: {
    cause: 'Your share of the disk that it is on is used up.',
    nextStep: 'Free some space, or choose another place.',
    isDiskProblem: true,
  },
  EIO: {
    cause: 'The disk that it is on answered with an error.',
    nextStep: 'Check the disk, then try again.',
    isDiskProblem: true,
  },
  EMFILE: {
    cause: 'Too many files are open.',
    nextStep: 'Close other programs, then try again.',
    isDiskProblem: true,
  },
};

const missingFolder: FileProblem = {
  cause: 'Nothing can be made there: its folder is missing, or takes no new files.',
  nextStep: 'Choose another place, or make the folder first.',
};
const readOnlyFile: FileProblem = {
  cause: 'It is there and may only be read.',
  nextStep: 'Change its rights, or choose another name.',
};

/**
 * Translates an error of the operating system about a path into a cause and a next step. Returns
 * null for any other error.
 */
export function explainFileProblem(error: unknown, access: 'read' | 'write'): FileProblem | null {
  if (error instanceof ReadOnlyTarget) return readOnlyFile;
  if (
    !(error instanceof Error) ||
    !('code' in error) ||
    typeof error.code !== 'string' ||
    !('syscall' in error)
  )
    return null;
  const writing = access === 'write' || error.syscall === 'mkdir';
  return (
    (error.code === 'ENOENT' && writing ? missingFolder : explanations[error.code]) ?? {
      cause: `The system refuses it (${error.code}).`,
      nextStep: 'Choose another place.',
    }
  );
}
