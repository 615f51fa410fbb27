/** Addresses of database servers in a definition: without secrets, which come from the environment. */
import { SourceFault } from '../bytes/source-fault.ts'

/**
 * Resolves an address of a definition to a URL: itself, or the value of the environment variable that it names.
 * The URL may hold a password and must not be shown.
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
