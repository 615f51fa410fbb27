/** Tokens: what lets a program write to a world, or read a private one. The store keeps digests, never tokens. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { typeFault } from '@worldwright/client/protocol'
import type { Storage } from '../storage/contract.ts'

/**
 * What a token is good for: `read` the world, `write` every type, `write:TYPE` one type, `admin` everything.
 * Whoever may write a type may read.
 */
export type Scope = 'read' | 'write' | 'admin' | `write:${string}`

/** A token as it is known after it was made. */
export interface TokenDescription {
  /** Names the token; part of its text, no secret. */
  readonly id: string
  readonly name?: string
  readonly scopes: readonly Scope[]
  /** RFC 3339 UTC, as the others. */
  readonly createdAt: string
  /** Absent: never. */
  readonly expiresAt?: string
  /** To the minute. Absent: never used. */
  readonly lastUsedAt?: string
}

/** What a new token shall be good for. */
export interface TokenWish {
  readonly scopes: readonly Scope[]
  readonly name?: string
  readonly expiresAt?: Date
}

interface KeptToken {
  readonly digest: string
  readonly scopes: readonly Scope[]
  readonly name?: string
  readonly createdAt: string
  readonly expiresAt?: string
}

/** Names of metadata. Each token has its own, so that revoking one never waits for, or undoes, a change of another. */
const TOKEN_KEY = 'token:'
const USE_KEY = 'token-use:'

/** 256 random bits. */
const SECRET_BYTES = 32
const ID_BYTES = 5

const TOKEN = /^ww_([0-9a-f]{10})_([A-Za-z0-9_-]{43})$/

/** Last uses are noted at most this often, in milliseconds: each is a write. */
const USE_PERIOD_MS = 60_000

/** What a text is that ought to be a scope, or undefined. */
export function scopeFrom(text: string): Scope | undefined {
  if (text === 'read' || text === 'write' || text === 'admin') return text
  const type = /^write:(.+)$/.exec(text)?.[1]
  return type !== undefined && typeFault(type) === undefined ? `write:${type}` : undefined
}

/** Makes a token. Its text is given back this once and can never be had again. */
export async function createToken(
  storage: Storage,
  { scopes, name, expiresAt }: TokenWish,
  now: Date = new Date(),
): Promise<{ readonly token: string; readonly description: TokenDescription }> {
  const id = randomBytes(ID_BYTES).toString('hex')
  const token = `ww_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`
  const kept: KeptToken = {
    digest: digestOf(token),
    scopes: [...scopes],
    ...(name !== undefined && { name }),
    createdAt: now.toISOString(),
    ...(expiresAt !== undefined && { expiresAt: expiresAt.toISOString() }),
  }
  await storage.setMetadata(TOKEN_KEY + id, JSON.stringify(kept))
  return { token, description: described(id, kept, undefined) }
}

/** All tokens, expired ones included, oldest first. */
export async function listTokens(storage: Storage): Promise<TokenDescription[]> {
  const tokens: TokenDescription[] = []
  for (const key of await storage.metadataKeys(TOKEN_KEY)) {
    const id = key.slice(TOKEN_KEY.length)
    const kept = await keptToken(storage, id)
    if (kept) tokens.push(described(id, kept, await storage.metadata(USE_KEY + id)))
  }
  return tokens.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}

/** Ends a token, for every process from its next request on. False where there is none of this id. */
export async function revokeToken(storage: Storage, id: string): Promise<boolean> {
  if ((await storage.metadata(TOKEN_KEY + id)) === undefined) return false
  await storage.setMetadata(TOKEN_KEY + id, undefined)
  await storage.setMetadata(USE_KEY + id, undefined)
  return true
}

/** Whether any token exists. */
export async function hasTokens(storage: Storage): Promise<boolean> {
  return (await storage.metadataKeys(TOKEN_KEY)).length > 0
}

/** Tells whose token a text is. The store is asked each time: a revoked token is over at once. */
export type TokenCheck = (token: string) => Promise<readonly Scope[] | undefined>

/** Makes the check for a store. Notes when tokens were last used, now and then. */
export function createTokenCheck(storage: Storage, now: () => Date = () => new Date()): TokenCheck {
  const noted = new Map<string, number>()
  return async (token) => {
    const id = TOKEN.exec(token)?.[1]
    if (id === undefined) return undefined
    const kept = await keptToken(storage, id)
    if (!kept || !sameDigest(kept.digest, digestOf(token))) return undefined
    const time = now()
    if (kept.expiresAt !== undefined && time.toISOString() >= kept.expiresAt) return undefined
    if (time.getTime() - (noted.get(id) ?? 0) >= USE_PERIOD_MS) {
      noted.set(id, time.getTime())
      // Nobody waits for it, and a store that is busy or read-only does without it.
      Promise.resolve()
        .then(() => storage.setMetadata(USE_KEY + id, time.toISOString()))
        .catch(() => noted.delete(id))
    }
    return kept.scopes
  }
}

/** Whether scopes allow what another scope stands for. */
export function allows(scopes: readonly Scope[], needed: Scope): boolean {
  if (scopes.includes('admin') || scopes.includes(needed)) return true
  if (needed === 'read') return scopes.some((scope) => scope.startsWith('write'))
  return needed.startsWith('write:') && scopes.includes('write')
}

async function keptToken(storage: Storage, id: string): Promise<KeptToken | undefined> {
  const text = await storage.metadata(TOKEN_KEY + id)
  return text === undefined ? undefined : JSON.parse(text)
}

function described(
  id: string,
  { digest: _, ...kept }: KeptToken,
  used: string | undefined,
): TokenDescription {
  return { id, ...kept, ...(used !== undefined && { lastUsedAt: used }) }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64url')
}

function sameDigest(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
