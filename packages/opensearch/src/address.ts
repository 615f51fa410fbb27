/** Parses the URL of an OpenSearch index: `opensearch://USER:PASSWORD@HOST:PORT,HOST:PORT/INDEX?shards=3&replicas=1`. */
import { StoreFault } from '@worldwright/core/store'

/** Address of an index, with the credentials to connect to it. */
export interface OpenSearchAddress {
  /** Origins of nodes, any of which can serve requests. */
  readonly nodes: readonly string[]
  /** Value of the `Authorization` header, or undefined if the URL has no credentials. */
  readonly authorization: string | undefined
  /** Alias that is searched, which is also the prefix of index names. */
  readonly index: string
  readonly shards: number
  /** Number of replicas per shard, in addition to its primary. */
  readonly replicas: number
  /** URL without its password, for use in messages. */
  readonly name: string
}

const PARAMETERS = ['shards', 'replicas', 'sslmode']
const DEFAULT_PORT = 9200

/** Hosts whose traffic never leaves the machine. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Parses the URL of an index. @throws StoreFault `not_a_store`, naming the invalid part */
export function openSearchAddress(url: string): OpenSearchAddress {
  const [, login = '', hosts = '', index = '', search = ''] =
    /^opensearch:\/\/(?:([^@/?]*)@)?([^/?@]+)\/([^/?]+)(?:\?(.*))?$/.exec(url) ?? []
  if (hosts === '') throw unreadable('it names no host, or no index')
  if (!/^[a-z0-9][a-z0-9_-]{0,99}$/.test(index))
    throw unreadable('its index is not 1 to 100 small letters, digits, _ and -')
  const parameters = new URLSearchParams(search)
  for (const name of parameters.keys())
    if (!PARAMETERS.includes(name))
      throw unreadable(`its parameter ${name} is none of ${PARAMETERS.join(', ')}`)
  const mode = parameters.get('sslmode')
  if (mode !== null && mode !== 'verify-full' && mode !== 'disable')
    throw unreadable('its sslmode is none of verify-full, disable')
  return {
    nodes: hosts.split(',').map((host) => nodeOf(host, mode)),
    authorization:
      login === '' ? undefined : `Basic ${Buffer.from(decodeURIComponent(login)).toString('base64')}`,
    index,
    shards: numberIn(parameters, 'shards', 1, 1024),
    replicas: numberIn(parameters, 'replicas', 0, 20),
    name: url.replace(/(:\/\/[^:@/]*):[^@/]*@/, '$1@'),
  }
}

/** Returns the origin of one node. TLS is on unless the host is local; `sslmode` overrides this. */
function nodeOf(written: string, mode: string | null): string {
  const [, host = '', port = DEFAULT_PORT] =
    /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::([0-9]{1,5}))?$/i.exec(written) ?? []
  const scheme = mode === 'verify-full' || (mode === null && !LOOPBACK.has(host)) ? 'https' : 'http'
  const origin = `${scheme}://${host}:${port}`
  if (host === '' || !URL.canParse(origin)) throw unreadable(`its host ${written} is not HOST or HOST:PORT`)
  return origin
}

function numberIn(parameters: URLSearchParams, name: string, least: number, most: number): number {
  const text = parameters.get(name)
  if (text === null) return 1
  const number = /^[0-9]{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most))
    throw unreadable(`its ${name} is not a number from ${least} to ${most}`)
  return number
}

function unreadable(why: string): StoreFault {
  return new StoreFault(
    'not_a_store',
    `This URL of a search index cannot be read: ${why}. It is written opensearch://HOST/INDEX.`,
  )
}
