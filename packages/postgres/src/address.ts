/** Parses the URL of a store in PostgreSQL: `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?schema=NAME`. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { StoreFault } from '@worldwright/core/store'
import type { ClientConfig } from 'pg'

/** Address of a store in PostgreSQL, with the credentials to connect to it. */
export interface PostgresAddress {
  /** Candidate servers, any of which may be the primary. */
  readonly servers: readonly ClientConfig[]
  /** Schema that contains the store's tables. */
  readonly schema: string
  /** URL without its password, for use in messages. */
  readonly name: string
}

/** Default schema. */
const SCHEMA = 'worldwright'

/** Supported query parameters. `cache` is the folder of the node's local replica, or `none`. */
const PARAMETERS = ['schema', 'sslmode', 'sslrootcert', 'cache']

/** Default value of `cache`. */
const REPLICA_FOLDER = 'world-cache'

/** Value of `cache` for a node without a local replica. */
const NO_REPLICA = 'none'

const DEFAULT_PORT = 5432

/** Hosts whose traffic never leaves the machine. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1'])

/** Supported TLS modes, named as in libpq. Modes that encrypt without verifying the server are not supported. */
const SSL_MODES = ['verify-full', 'disable']

/** Parses the URL of a store. @throws StoreFault `not_a_store`, naming the invalid part */
export function postgresAddress(url: string): PostgresAddress {
  const [, login = '', hosts = '', database = '', search = ''] =
    /^postgres(?:ql)?:\/\/(?:([^@/?]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url) ?? []
  const parameters = new URLSearchParams(search)
  for (const name of parameters.keys())
    if (!PARAMETERS.includes(name))
      throw unreadable(`its parameter ${name} is none of ${PARAMETERS.join(', ')}`)
  const schema = parameters.get('schema') ?? SCHEMA
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw unreadable('its schema is not 1 to 63 small letters, digits and underscores')
  if (hosts === '' || database === '') throw unreadable('it names no host, or no database')
  const [user, password] = login.split(':').map(decodeURIComponent)
  const common = {
    database: decodeURIComponent(database),
    ...(user && { user }),
    ...(password && { password }),
  }
  const tls = tlsOf(parameters)
  return {
    servers: hosts.split(',').map((written) => ({ ...common, ...serverOf(written, tls) })),
    schema,
    name: url.replace(/(:\/\/[^:@/]*):[^@/]*@/, '$1@'),
  }
}

/**
 * Returns the local replica folder specified by `url`, or undefined for `cache=none`.
 * @throws StoreFault `not_a_store` if the URL has no `cache` parameter
 */
export function replicaFolderOf(url: string): string | undefined {
  const folder = new URLSearchParams(url.split('?')[1]).get('cache')
  if (!folder)
    throw unreadable('it names no folder for the replica of this node: ?cache=FOLDER, or ?cache=none')
  return folder === NO_REPLICA ? undefined : folder
}

/** Returns `url` with an explicit `cache`: `none`, or a path (by default `world-cache`) resolved against `folder`. */
export function withReplicaFolder(url: string, folder: string): string {
  const [address, search = ''] = url.split('?')
  const parameters = new URLSearchParams(search)
  const cache = parameters.get('cache') ?? REPLICA_FOLDER
  parameters.set('cache', cache === NO_REPLICA ? cache : resolve(folder, cache))
  return `${address}?${parameters}`
}

type Tls = { readonly mode: string | null; readonly ca: string | undefined }

function tlsOf(parameters: URLSearchParams): Tls {
  const mode = parameters.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode))
    throw unreadable(
      `its sslmode is none of ${SSL_MODES.join(', ')}: a certificate is verified, or there is none`,
    )
  const file = parameters.get('sslrootcert')
  return { mode, ca: file === null ? undefined : authoritiesIn(file) }
}

function authoritiesIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw unreadable(`its sslrootcert cannot be read: ${(error as Error).message}`)
  }
}

/** Returns one server's configuration. Without `sslmode`, TLS is on unless the host is a socket or a loopback address. */
function serverOf(written: string, { mode, ca }: Tls): ClientConfig {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::([0-9]{1,5}))?$/.exec(written) ?? []
  const name = decodeURIComponent(host.replace(/^\[|\]$/g, ''))
  if (name === '') throw unreadable(`its host ${written} is not HOST or HOST:PORT`)
  const isLocal = name.startsWith('/') || LOOPBACK.has(name)
  const hasTls = mode === 'verify-full' || (mode === null && !isLocal)
  return {
    host: name,
    port: port === undefined ? DEFAULT_PORT : Number(port),
    // The driver passes no host to Node.js, which would then accept a certificate for `localhost` from any server.
    ssl: hasTls && { host: name, rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
  }
}

function unreadable(why: string): StoreFault {
  return new StoreFault(
    'not_a_store',
    `This URL of a store cannot be read: ${why}. It is written postgres://USER@HOST/DATABASE.`,
  )
}
