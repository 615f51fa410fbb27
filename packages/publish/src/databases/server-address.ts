/** Where a database server is, as a definition says it: without secrets, which come from the environment. */
import { SourceFault } from '../bytes/source-fault.ts'

/**
 * The URL that an address of a definition stands for: itself, or the value of the environment variable that it names.
 * It may hold a password and is not to be shown.
 * @throws SourceFault, without the URL
 */
export function serverUrl(address: string): string {
  if (!address.startsWith('$')) return address
  const name = address.slice(1)
  const value = process.env[name]
  if (value === undefined || value === '')
    throw new SourceFault(`${address}: the environment variable ${name} is not set.`)
  if (!URL.canParse(value))
    throw new SourceFault(`${address}: the environment variable ${name} holds no URL.`)
  return value
}
