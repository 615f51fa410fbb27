/** A deployed world as it is looked at: its address, what it says in discovery, and what stands before it. */
import type { DiscoveryDocument } from '@worldwright/client/protocol'
import type { FindingName, ProxyKind } from './advice.ts'
import type { Prober, Seen } from './probe.ts'

/** Something that is wrong with a deployment. */
export interface Finding {
  readonly name: FindingName
  /** What was sent and what happened, in one or two sentences. */
  readonly what: string
}

/** What all checks work with. */
export interface Deployment {
  /** As it was given, without a path. */
  readonly origin: string
  readonly document: DiscoveryDocument
  /** `endpoints.api`, without a slash at its end. */
  readonly api: string
  /** A type of the world; undefined if it lists none. */
  readonly type: string | undefined
  /** The path of a page of one entity, or of the discovery document where there is no type. */
  readonly page: string
  readonly token: string | undefined
  readonly probe: Prober
}

/** Looks at one thing. Nothing is wrong where it gives nothing. */
export type Check = (deployment: Deployment) => Promise<Finding[]>

/** Returns one finding, as a list. */
export function fault(name: FindingName, what: string): Finding[] {
  return [{ name, what }]
}

/** One finding if something is wrong, otherwise none. */
export function found(isWrong: boolean, name: FindingName, what: string): Finding[] {
  return isWrong ? fault(name, what) : []
}

/** An error of the protocol's shape: its code; undefined if the body is anything else. */
export function codeOf({ body }: Seen): string | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    const code = typeof value === 'object' && value !== null && 'code' in value ? value.code : undefined
    return typeof code === 'string' ? code : undefined
  } catch {
    return undefined
  }
}

/** Header fields with the token, if there is one. */
export function authorized({ token }: Pick<Deployment, 'token'>): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** Which proxy an answer came through, as far as it says so. */
export function proxyOf({ headers }: Pick<Seen, 'headers'>): ProxyKind | undefined {
  if ('cf-ray' in headers || 'x-amz-cf-id' in headers || 'x-served-by' in headers) return 'cdn'
  const server = `${headers['server'] ?? ''} ${headers['via'] ?? ''}`.toLowerCase()
  return (['nginx', 'caddy', 'haproxy', 'apache'] as const).find((name) => server.includes(name))
}
