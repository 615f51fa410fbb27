/**
 * Documents by which agents find the endpoint of a world: its server card (SEP-2127), and the catalogue of the origin in the
 * form that ARD and AI Catalog share. Both standards are young, so all of it is here.
 */
import type { DiscoveryDocument, JsonObject } from '@worldwright/client/protocol'
import type { Identity } from './server.ts'

/** Path of the endpoint, on the origin of the world. */
export const MCP_PATH = '/mcp'
/** Path of the server card, as SEP-2127 recommends it. */
export const CARD_PATH = '/mcp/server-card'
/** Paths of the catalogue: that of ARD, and that of AI Catalog. */
export const CATALOGUE_PATHS = ['/.well-known/ard.json', '/.well-known/ai-catalog.json']
/** Media type of the server card. */
export const CARD_TYPE = 'application/mcp-server-card+json'
/** Media type of the catalogue. */
export const CATALOGUE_TYPE = 'application/ai-catalog+json'

const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'
const VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']
/** Maximum characters of a title or a description on a card. */
const MAX_TEXT = 100

/** Returns the name and version of the server at an origin: `example.sol/world`. */
export function identityOf(origin: string): Identity {
  const { hostname } = new URL(origin)
  const domain = hostname
    .split('.')
    .reverse()
    .join('.')
    .replace(/[^a-zA-Z0-9.-]/g, '-')
  return { name: `${domain}/world`, version: '0.1.0' }
}

/** Returns the server card of a world. */
export function serverCard(document: DiscoveryDocument, origin: string): JsonObject {
  const { name, description } = wordsOf(document)
  const needsToken = document.authentication?.required === true
  const header = {
    name: 'Authorization',
    description: 'Bearer, and a token of this world',
    isRequired: true,
    isSecret: true,
  }
  return {
    $schema: CARD_SCHEMA,
    ...identityOf(origin),
    title: name.slice(0, MAX_TEXT),
    description: description.slice(0, MAX_TEXT),
    remotes: [
      {
        type: 'streamable-http',
        url: origin + MCP_PATH,
        supportedProtocolVersions: VERSIONS,
        ...(needsToken && { headers: [header] }),
      },
    ],
  }
}

/** Returns the catalogue of an origin with one world. */
export function catalogue(document: DiscoveryDocument, origin: string): JsonObject {
  const { name, description } = wordsOf(document)
  const { hostname } = new URL(origin)
  const questions = (document.entityTypes ?? [])
    .slice(0, 5)
    .map(({ type, title }) => `${title ?? type} in ${name}`)
  return {
    specVersion: '1.0',
    host: { displayName: name },
    entries: [
      {
        identifier: `urn:air:${hostname.replace(/[^a-zA-Z0-9.-]/g, '-')}:mcp:world`,
        displayName: name,
        type: CARD_TYPE,
        url: origin + CARD_PATH,
        description,
        ...(questions.length > 1 && { representativeQueries: questions }),
      },
    ],
  }
}

function wordsOf({ world }: DiscoveryDocument): { name: string; description: string } {
  const name = world?.name ?? 'World'
  return { name, description: world?.description ?? `${name}, a world of typed entities` }
}
