/** The URL of a store in PostgreSQL: `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?schema=NAME`. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { StorageFault } from '@worldwright/core/store'
import type { ClientConfig } from 'pg'

/** The address of a store in PostgreSQL, and the access to it. */
export interface PostgresAddress {
  /** Any of them may be the primary, which is found by asking. */
  readonly servers: readonly ClientConfig[]
  /** The schema that holds the tables of the store. */
  readonly schema: string
  /** The URL without its password, for messages. */
  readonly name: string
}

/** Default schema. */
const SCHEMA = 'worldwright'

/** Query parameters of a URL. `cache`: the folder of the node's local replica, or `none`; read by the process that opens it. */
const PARAMETERS = ['schema', 'sslmode', 'sslrootcert', 'cache']

/** Default folder of the local replica. */
const COPY_FOLDER = 'world-cache'

/** In place of a folder: the node keeps no local replica. */
const NO_COPY = 'none'

const DEFAULT_PORT = 5432

/** Hosts whose traffic stays on the machine. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1'])

/** Supported TLS modes, named as in libpq. Modes that encrypt without verifying the server are left out. */
const SSL_MODES = ['verify-full', 'disable']

/** Reads a URL. @throws StorageFault `not_a_store`, naming the part that cannot be read */
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
 * Returns the folder of a node's local replica that its URL names; undefined for a node without one.
 * @throws StorageFault `not_a_store` if the URL names neither
 */
export function copyFolderOf(url: string): string | undefined {
  const folder = new URLSearchParams(url.split('?')[1]).get('cache')
  if (!folder) throw unreadable('it names no folder for the copy of this node: ?cache=FOLDER, or ?cache=none')
  return folder === NO_COPY ? undefined : folder
}

/** Completes a URL for all processes of a node: with the replica's folder, by default `world-cache` in `folder`, or `none`. */
export function withCopyFolder(url: string, folder: string): string {
  const [address, search = ''] = url.split('?')
  const parameters = new URLSearchParams(search)
  const cache = parameters.get('cache') ?? COPY_FOLDER
  parameters.set('cache', cache === NO_COPY ? cache : resolve(folder, cache))
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

/** Configures one server. TLS is the default except on a socket or this machine; `sslmode` overrides either. */
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

function unreadable(why: string): StorageFault {
  return new StorageFault(
    'not_a_store',
    `This URL of a store cannot be read: ${why}. It is written postgres://USER@HOST/DATABASE.`,
  )
}
