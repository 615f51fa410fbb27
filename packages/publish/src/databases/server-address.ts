/** Resolves the addresses of database servers in a definition. Secrets come from the environment. */
import { SourceFault } from '../bytes/source-fault.ts'
import { DATABASE_KINDS, type DatabaseKind } from './database.ts'

/** Environment variables by name, which hold the URLs of addresses such as `$NAME`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Options that depend on environment variables. */
export interface InEnvironment {
  /** Variables in addresses of servers. Default: those of the process. */
  readonly environment?: Environment | undefined
}

/** URL schemes of each kind of server. */
export const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  postgres: ['postgres:', 'postgresql:'],
  mysql: ['mysql:', 'mariadb:'],
}

/** Advice on passwords that make a URL unreadable. */
export const ESCAPES = 'In a password, write / as %2F, ? as %3F, # as %23, @ as %40 and % as %25'

/** Name of an environment variable in place of a URL. */
export const VARIABLE = /^\$[A-Za-z_][A-Za-z0-9_]*$/

/** Returns the kind of server that a URL names, or undefined if its scheme is none of a server. */
export function serverKind(url: string): DatabaseKind | undefined {
  const scheme = /^[a-z]+:(?=\/\/)/i.exec(url)?.[0].toLowerCase() ?? ''
  return DATABASE_KINDS.find((kind) => SCHEMES[kind]?.includes(scheme))
}

/**
 * Parses the URL of a server. Returns undefined if it is none, or has an `@` behind its host: that ends a password with an
 * unescaped character, as a part of which the host would be shown.
 */
export function parsedUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && (url.pathname + url.search + url.hash).includes('@') ? undefined : url
}

/** Reports whether a URL holds a password, in front of its host or among its parameters. */
export function hasPassword({ password, searchParams }: URL): boolean {
  return password !== '' || [...searchParams.keys()].some((name) => /pass/i.test(name))
}

/**
 * Resolves an address in a definition to a URL. The address is the URL itself, or `$NAME` for an environment variable. The
 * URL may contain a password and must not be displayed.
 * @throws SourceFault without the URL in its message
 */
export function serverUrl(address: string, environment: Environment = process.env): string {
  if (!address.startsWith('$')) return address
  const name = address.slice(1)
  const value = environment[name]
  if (value === undefined || value === '')
    throw new SourceFault(`${address}: the environment variable ${name} is not set.`)
  if (parsedUrl(value) === undefined)
    throw new SourceFault(`${address}: the environment variable ${name} holds no URL. ${ESCAPES}.`)
  return value
}

/** Address of a server for a definition that may be shared. */
export interface NamedServer {
  /** URL without a password, or `$NAME`. */
  readonly address: string
  /** The given environment, in which the variable of the address is set. */
  readonly environment: Environment
  /** Name of the variable, if it is new and others have to set it. */
  readonly toSet?: string
}

/** Reports whether a text names a database server: by a URL, or by the variable that holds it, such as `$NAME`. */
export function isServer(given: string): boolean {
  return VARIABLE.test(given) || serverKind(given) !== undefined
}

/**
 * Returns the address by which a definition names a server. For a URL with a password, it is the variable that holds the URL,
 * or else a new one named after the database. @throws SourceFault if the URL cannot be read, without showing it
 */
export function namedServer(given: string, environment: Environment): NamedServer {
  if (VARIABLE.test(given)) return { address: given, environment }
  const url = parsedUrl(given)
  if (url === undefined)
    throw new SourceFault(
      `The URL of the database cannot be read. It is written ${serverKind(given)}://user@host/database. ${ESCAPES}.`,
    )
  if (!hasPassword(url)) return { address: given, environment }
  const isGiven = (name: string) => environment[name] === given && /^(?!npm_)[A-Za-z]\w*$/.test(name)
  const known = Object.keys(environment).find(isGiven)
  if (known !== undefined) return { address: `$${known}`, environment }
  let name = `${databaseName(given)
    .toUpperCase()
    .replaceAll(/\W|^(?=\d)/g, '_')}_DATABASE`
  while (environment[name] !== undefined) name += '_2'
  return { address: `$${name}`, environment: { ...environment, [name]: given }, toSet: name }
}

/** Returns the name of the database in a URL, or else its host. */
export function databaseName(url: string): string {
  const { pathname, hostname } = new URL(url)
  return pathname.slice(1) || hostname
}

/** Advice by the error codes of servers, drivers and the network. */
const ADVICE: readonly (readonly [codes: RegExp, advice: string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'Check the name of the host in the URL'],
  [
    /^(?:ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|ENOENT)$/,
    'Check host and port in the URL, and that the server runs and lets this machine connect',
  ],
  [
    /^(?:28[0-9A-Z]{3}|ER_ACCESS_DENIED_ERROR|ER_DBACCESS_DENIED_ERROR|SASL)$/,
    'Check user and password in the URL. A password can also be in PGPASSWORD or a .pgpass file, or in MYSQL_PWD',
  ],
  [/^(?:3D000|ER_BAD_DB_ERROR)$/, 'Check the name of the database, which is the path of the URL'],
  [/^(?:42501|ER_TABLEACCESS_DENIED_ERROR)$/, 'Let the user read it: GRANT SELECT ON … TO …'],
]

/** Returns a sentence on an error of a server: its host, its own words, and advice, but never a password. */
export function serverFault(cause: unknown, url: string): string {
  const { code = '', message, errors = [] } = cause as AggregateError & { code?: string }
  // All addresses of a host have failed.
  const said = message || errors.map((one: Error) => one.message).join(', ') || code
  const known = message.startsWith('SASL') ? 'SASL' : message === 'timeout expired' ? 'ETIMEDOUT' : code
  const advice = ADVICE.find(([codes]) => codes.test(known))?.[1]
  const host = parsedUrl(url)?.host ?? ''
  const at = host === '' || said.includes(host) ? '' : ` (at ${host})`
  return `${said}${at}.${advice === undefined ? '' : ` ${advice}.`}`
}
