/** Precedence of a type in an import of files. */
import type { Precedence } from './contract.ts'

/** Returns the precedence of a type; `api` if it has none of its own. */
export function precedenceOf(type: string, files: Readonly<Record<string, Precedence>>): Precedence {
  return (Object.hasOwn(files, type) && files[type]) || 'api'
}
