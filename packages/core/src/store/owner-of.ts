/** Who decides about the owned entities of a type, where files are imported with these owners. */
import type { Owner } from './contract.ts'

/** The owner of a type; `api` where it has none of its own. */
export function ownerOf(type: string, files: Readonly<Record<string, Owner>>): Owner {
  return (Object.hasOwn(files, type) && files[type]) || 'api'
}
