/** A deployed world under examination: its address, its discovery document, and the proxy in front of it. */
import type { DiscoveryDocument } from '@worldwright/client/protocol'
import type { FindingName, ProxyKind } from './advice.ts'
import type { Prober, Seen } from './probe.ts'

/** A fault of a deployment, with its name. */
export interface Finding {
  readonly name: FindingName
  /** Request and observed result, in one or two sentences. */
  readonly what: string
}

/** Input that every check works with. */
export interface Deployment {
  /** As given, without a path. */
  readonly origin: string
  readonly document: DiscoveryDocument
  /** `endpoints.api`, without a trailing slash. */
  readonly api: string
  /** A type of the world; undefined if it lists none. */
  readonly type: string | undefined
  /** URL of a list page with one entity, or of the discovery document if there is no type. */
  readonly page: string
  readonly token: string | undefined
  readonly probe: Prober
}

/** Examines one aspect. An empty result means that nothing is wrong. */
export type Check = (deployment: Deployment) => Promise<Finding[]>

/** Returns one finding, as a list. */
export function fault(name: FindingName, what: string): Finding[] {
  return [{ name, what }]
}

/** Returns one finding if `isWrong`, otherwise none. */
export function found(isWrong: boolean, name: FindingName, what: string): Finding[] {
  return isWrong ? fault(name, what) : []
}

/** Returns the code of a protocol error; undefined if the body is anything else. */
export function codeOf({ body }: Seen): string | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    const code = typeof value === 'object' && value !== null && 'code' in value ? value.code : undefined
    return typeof code === 'string' ? code : undefined
  } catch {
    return undefined
  }
}

/** Returns header fields with the token, if there is one. */
export function authorized({ token }: Pick<Deployment, 'token'>): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** Returns the proxy that a response came through, if its header fields name it. */
export function proxyOf({ headers }: Pick<Seen, 'headers'>): ProxyKind | undefined {
  if ('cf-ray' in headers || 'x-amz-cf-id' in headers || 'x-served-by' in headers) return 'cdn'
  const server = `${headers['server'] ?? ''} ${headers['via'] ?? ''}`.toLowerCase()
  return (['nginx', 'caddy', 'haproxy', 'apache'] as const).find((name) => server.includes(name))
}
