/** Fetches the discovery document of a world, or reports why the world cannot be reached. */

import { type ConnectOptions, WorldError } from '@worldwright/client'
import { type Deployment, type Finding, fault, found } from './deployment.ts'
import { type Prober, type Seen, Unreachable } from './probe.ts'

/** The deployment, with findings about its certificate, or only the findings that explain why it cannot be reached. */
export type Reached = {
  readonly deployment?: Deployment
  readonly first?: Seen
  readonly findings: readonly Finding[]
}

const DISCOVERY = '/.well-known/world.json'
const DAY_MS = 24 * 60 * 60 * 1_000
/** Minimum remaining certificate validity, in days: well below the 30 days at which renewal is usual. */
const RENEWED_DAYS = 14

/** Requests the discovery document. @throws WorldError if the token must not be sent to the API that the document names */
export async function reach(origin: string, access: ConnectOptions, probe: Prober): Promise<Reached> {
  let seen: Seen
  try {
    seen = await probe({ url: origin + DISCOVERY })
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return { findings: fault('unreachable', `Nobody answers at ${origin}: ${error.message}.`) }
  }
  const certificate = certificateFindings(origin, seen)
  const document = documentOf(seen)
  if (document === undefined) return { first: seen, findings: [...certificate, ...noDocument(origin, seen)] }
  const named = document.endpoints.api.replace(/\/$/, '')
  // If clients cannot use the declared address, check the API under the same path on this origin.
  const api = isForeign(named, origin) ? origin + new URL(named).pathname : named
  const { token, tokenOrigins = [] } = access
  if (token !== undefined) assertTokenOrigin(api, origin, [origin, ...tokenOrigins])
  const type = document.entityTypes?.[0]?.type
  const page = type === undefined ? origin + DISCOVERY : `${api}/entities/${encodeURIComponent(type)}?limit=1`
  const deployment = { origin, document, api, type, page, token, probe }
  return { deployment, first: seen, findings: certificate }
}

/** Throws the client's error if the token must not be sent to the API. */
function assertTokenOrigin(named: string, namedBy: string, tokenOrigins: readonly string[]): void {
  const { origin: api, protocol, hostname } = new URL(named)
  if (tokenOrigins.includes(api) && (protocol === 'https:' || isLoopback(hostname))) return
  throw new WorldError('insecure_endpoint', undefined, { details: { api, namedBy, tokenOrigins } })
}

function documentOf({ status, body }: Seen): Deployment['document'] | undefined {
  try {
    const value: Partial<Deployment['document']> = JSON.parse(body.toString())
    const isDocument = status === 200 && typeof value.protocol === 'string'
    if (isDocument && URL.canParse(value.endpoints?.api ?? '')) return value as Deployment['document']
    return undefined
  } catch {
    return undefined
  }
}

function noDocument(origin: string, { status, headers }: Seen): Finding[] {
  const asked = `${origin}${DISCOVERY}`
  if (status >= 300 && status < 400)
    return fault('redirected', `${asked} leads to ${headers['location'] ?? 'nowhere'} (${status}).`)
  if (status === 401 || status === 403)
    return fault('login', `${asked} asks for a login (${status}), so that no client can begin.`)
  if (status >= 502 && status <= 504)
    return fault('upstream_down', `Something answers ${status} at ${asked}, and no world behind it.`)
  const type = headers['content-type'] ?? 'nothing that says what it is'
  return fault('not_the_world', `${asked} is answered with ${status} and ${type}: no discovery document.`)
}

function certificateFindings(origin: string, { certificateFault, certificateEnds }: Seen): Finding[] {
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'http:') return found(!isLoopback(hostname), 'plain', `${origin} is not encrypted.`)
  const days = certificateEnds ? Math.floor((certificateEnds.getTime() - Date.now()) / DAY_MS) : RENEWED_DAYS
  if (certificateFault !== undefined)
    return fault('certificate', `The certificate is refused: ${certificateFault}.`)
  return found(days < RENEWED_DAYS, 'certificate_ends', `The certificate ends in ${days} days.`)
}

/** Reports whether clients of `origin` cannot use `named`: it is on loopback, or differs from `origin` only in scheme. */
export function isForeign(named: string, origin: string): boolean {
  const { origin: own, host, hostname } = new URL(named)
  return own !== origin && (isLoopback(hostname) || host === new URL(origin).host)
}

function isLoopback(hostname: string): boolean {
  return /^(?:.+\.)?localhost$|^127(?:\.\d+){3}$|^\[::1\]$/.test(hostname)
}
