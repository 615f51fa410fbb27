import { dirname } from 'node:path'
import { OutputFault } from '@worldwright/serve/terminal'

/** Converts the error of a new file to an `OutputFault` with advice, and returns any other error unchanged. */
export function writeFault(error: unknown, file: string): unknown {
  const words = WORDS[Object(error).code]
  return words ? new OutputFault(words(file), { cause: error }) : error
}

const WORDS: Readonly<Record<string, (file: string) => string>> = {
  EEXIST: (file) => `There is ${file} already. Nothing is ever written over it: name another file.`,
  ENOENT: (file) => `There is no folder ${dirname(file)} to write into. Make it, or name another.`,
  ENOTDIR: (file) => `${dirname(file)} is no folder to write into. Name another.`,
  EACCES: (file) => `${file} may not be written. Name another file, or change who may write there.`,
  EROFS: (file) => `${file} is on a disk that may not be written. Name another file.`,
  ENOSPC: (file) => `The disk is full: ${file} could not be finished. Make room, or name a file elsewhere.`,
}
