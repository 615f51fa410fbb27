/** Precedence of a type in an import of files. */
import type { Owner } from './contract.ts'

/** Returns the precedence of a type; `api` if it has none of its own. */
export function ownerOf(type: string, files: Readonly<Record<string, Owner>>): Owner {
  return (Object.hasOwn(files, type) && files[type]) || 'api'
}
