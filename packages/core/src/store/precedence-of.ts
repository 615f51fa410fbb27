/** Precedence of a type in a file import. */
import type { Precedence } from './contract.ts'

/** Returns the precedence of a type, which is `api` if `files` does not list it. */
export function precedenceOf(type: string, files: Readonly<Record<string, Precedence>>): Precedence {
  return (Object.hasOwn(files, type) && files[type]) || 'api'
}
