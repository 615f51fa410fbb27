/** Types and functions shared by the checks of a deployed world. */
import type { DiscoveryDocument } from '@worldwright/client/protocol'
import type { FindingName, ProxyKind } from './advice.ts'
import type { Prober, Seen } from './probe.ts'

/** A fault found in a deployment. */
export interface Finding {
  readonly name: FindingName
  /** Request and observed result, in one or two sentences. */
  readonly what: string
}

/** Input of every deployment check. */
export interface Deployment {
  /** Origin as given, without a path. */
  readonly origin: string
  readonly document: DiscoveryDocument
  /** URL of the API, without a trailing slash. */
  readonly api: string
  /** First entity type of the world; undefined if there is none. */
  readonly type: string | undefined
  /** URL of a list page with one entity, or of the discovery document if there is no type. */
  readonly page: string
  readonly token: string | undefined
  readonly probe: Prober
}

/** Checks one aspect of a deployment. Returns an empty array if it finds no fault. */
export type Check = (deployment: Deployment) => Promise<Finding[]>

/** Returns an array with one finding. */
export function fault(name: FindingName, what: string): Finding[] {
  return [{ name, what }]
}

/** Returns an array with one finding if `isWrong`, otherwise an empty array. */
export function found(isWrong: boolean, name: FindingName, what: string): Finding[] {
  return isWrong ? fault(name, what) : []
}

/** Returns the error code in a response body, or undefined if the body is not a protocol error. */
export function codeOf({ body }: Seen): string | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    const code = typeof value === 'object' && value !== null && 'code' in value ? value.code : undefined
    return typeof code === 'string' ? code : undefined
  } catch {
    return undefined
  }
}

/** Returns an Authorization header field, or no fields if there is no token. */
export function authorized({ token }: Pick<Deployment, 'token'>): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** Identifies the kind of proxy by the header fields of a response. Returns undefined if it is unknown. */
export function proxyOf({ headers }: Pick<Seen, 'headers'>): ProxyKind | undefined {
  if ('cf-ray' in headers || 'x-amz-cf-id' in headers || 'x-served-by' in headers) return 'cdn'
  const server = `${headers['server'] ?? ''} ${headers['via'] ?? ''}`.toLowerCase()
  return (['nginx', 'caddy', 'haproxy', 'apache'] as const).find((name) => server.includes(name))
}
