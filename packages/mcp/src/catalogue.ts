/**
 * Documents by which agents find the endpoint of a world: its server card (SEP-2127), and the catalogue of the origin in the
 * form that ARD and AI Catalog share. Both standards are young, so all of it is here.
 */
import type { DiscoveryDocument, JsonObject } from '@worldwright/client/protocol'

/** Path of the endpoint, on the origin of the world. */
export const MCP_PATH = '/mcp'
/** Path of the server card, as SEP-2127 recommends it. */
export const CARD_PATH = '/mcp/server-card'
/** Method of requests that open a subscription, as the header `Mcp-Method` must name it. */
export const LISTEN = 'subscriptions/listen'
/** Version of the server, as cards and connections present it. */
export const VERSION = '0.1.0'

const CARD_TYPE = 'application/mcp-server-card+json'
const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'
const PROTOCOLS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']

/** Documents by path: the server card, and the catalogue at the paths of ARD and of AI Catalog. */
export const DOCUMENTS = [
  { path: CARD_PATH, type: CARD_TYPE, make: serverCard },
  { path: '/.well-known/ard.json', type: 'application/ai-catalog+json', make: catalogue },
  { path: '/.well-known/ai-catalog.json', type: 'application/ai-catalog+json', make: catalogue },
]

/** Returns the name of the server at an origin: `example.sol/world`. */
export function serverName(origin: string): string {
  return `${hostOf(origin).split('.').reverse().join('.')}/world`
}

function serverCard(document: DiscoveryDocument, origin: string): JsonObject {
  const { name, description } = wordsOf(document)
  const about = 'Bearer, and a token of this world'
  const token = { name: 'Authorization', description: about, isRequired: true, isSecret: true }
  const headers = document.authentication?.required === true && { headers: [token] }
  const remote = {
    type: 'streamable-http',
    url: origin + MCP_PATH,
    supportedProtocolVersions: PROTOCOLS,
    ...headers,
  }
  return {
    $schema: CARD_SCHEMA,
    name: serverName(origin),
    version: VERSION,
    title: name.slice(0, 100),
    description: description.slice(0, 100),
    remotes: [remote],
  }
}

function catalogue(document: DiscoveryDocument, origin: string): JsonObject {
  const { name, description } = wordsOf(document)
  const questions = (document.entityTypes ?? [])
    .slice(0, 5)
    .map(({ type, title }) => `${title ?? type} in ${name}`)
  const entry = {
    identifier: `urn:air:${hostOf(origin)}:mcp:world`,
    displayName: name,
    type: CARD_TYPE,
    url: origin + CARD_PATH,
    description,
    ...(questions.length > 1 && { representativeQueries: questions }),
  }
  return { specVersion: '1.0', host: { displayName: name }, entries: [entry] }
}

function hostOf(origin: string): string {
  return new URL(origin).hostname.replace(/[^a-zA-Z0-9.-]/g, '-')
}

function wordsOf({ world }: DiscoveryDocument): { name: string; description: string } {
  const name = world?.name ?? 'World'
  return { name, description: world?.description ?? `${name}, a world of typed entities` }
}
