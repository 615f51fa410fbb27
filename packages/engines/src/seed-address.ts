/** Where a seed is: a file, or an http or https URL, such as a presigned address of an object. */
import { resolve } from 'node:path'

/** Reports whether a seed is read over http or https. */
export function isAddress(seed: string): boolean {
  return /^https?:\/\//.test(seed)
}

/** Returns the seed with an absolute path, if it is a file. */
export function seedAt(seed: string, folder: string): string {
  return isAddress(seed) ? seed : resolve(folder, seed)
}

/** Returns a seed for messages. The query of an address is left out, as it may hold a signature. */
export function seedName(seed: string): string {
  const { origin, pathname } = isAddress(seed) ? new URL(seed) : { origin: '', pathname: seed }
  return origin + pathname
}
