/** Resolves the addresses of database servers in a definition. Secrets come from the environment. */
import { SourceFault } from '../bytes/source-fault.ts'

/**
 * Resolves an address in a definition to a URL. The address is the URL itself, or `$NAME` for an environment variable. The
 * URL may contain a password and must not be displayed.
 * @throws SourceFault without the URL in its message
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
