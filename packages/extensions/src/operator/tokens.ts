/** Tokens, which let a program write to a world or read a private one. The store keeps digests, never tokens. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { typeFault } from '@worldwright/client/protocol'
import type { Caller } from '@worldwright/core'
import type { CallOptions, Store } from '@worldwright/core/store'
import { createTokens, type StoredToken } from '@worldwright/core/store'

/**
 * Rights of a token: `read` a private world, `write` every type, `call` every action that changes things; each of them
 * also for a single name, as in `read:TYPE`; `admin` for everything. `write` and `call` do not include `read`.
 */
export type Scope = 'admin' | Verb | `${Verb}:${string}`

type Verb = 'read' | 'write' | 'call'

/** The stored description of a token. */
export interface TokenDescription {
  /** Identifies the token; part of its text, not a secret. */
  readonly id: string
  readonly name?: string
  readonly scopes: readonly Scope[]
  /** RFC 3339 in UTC, like the other times. */
  readonly createdAt: string
  /** Absent: never. */
  readonly expiresAt?: string
  /** Rounded to the minute. Absent: never used. */
  readonly lastUsedAt?: string
}

/** Rights, name and expiry of a new token. */
export interface TokenOptions {
  readonly scopes: readonly Scope[]
  readonly name?: string
  readonly expiresAt?: Date
}

type KeptToken = Omit<TokenDescription, 'id' | 'lastUsedAt'> & { readonly digest: string }

/** Key of metadata that changes when a store gets its first token or loses its last one. */
const DECLARED_KEY = 'tokens'

/** 256 random bits. */
const SECRET_BYTES = 32
const ID_BYTES = 5

const TOKEN = /^ww_([0-9a-f]{10})_([A-Za-z0-9_-]{43})$/

/** Minimum interval between notes of a token's last use, in milliseconds: each is a write. */
const USE_PERIOD_MS = 60_000

/** Returns the scope for a type; for all types if no token can name this one. */
export function scopeFor(verb: 'read' | 'write', type: string): Scope {
  return typeFault(type) === undefined ? `${verb}:${type}` : verb
}

/** Returns the scope that a text names, or undefined. */
export function scopeFrom(text: string): Scope | undefined {
  if (text === 'read' || text === 'write' || text === 'call' || text === 'admin') return text
  const [, verb, name = ''] = /^(read|write|call):(.+)$/.exec(text) ?? []
  return verb !== undefined && typeFault(name) === undefined ? (text as Scope) : undefined
}

/** Makes a token. Its text is returned only here: the store cannot give it again. */
export async function createToken(
  storage: Store,
  { scopes, name, expiresAt }: TokenOptions,
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
  const isFirst = !(await hasTokens(storage))
  await createTokens(storage).put(id, JSON.stringify(kept))
  if (isFirst) await declareAgain(storage, id)
  return { token, description: described({ id, value: JSON.stringify(kept) }) }
}

/** Returns all tokens, expired ones included, oldest first. */
export async function listTokens(storage: Store): Promise<TokenDescription[]> {
  const tokens = await createTokens(storage).list()
  return tokens.map(described).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}

/** Revokes a token, in every process from its next request on. Returns false if there is no such token. */
export async function revokeToken(storage: Store, id: string): Promise<boolean> {
  const wasThere = await createTokens(storage).remove(id)
  if (wasThere && !(await hasTokens(storage))) await declareAgain(storage, `not ${id}`)
  return wasThere
}

/** Reports whether a store has any token, expired ones included. */
export async function hasTokens(storage: Store): Promise<boolean> {
  return (await createTokens(storage).list()).length > 0
}

/** Moves the store's version, so that the discovery document, which says whether there are tokens, is made again. */
async function declareAgain(storage: Store, why: string): Promise<void> {
  await storage.write([], { values: { [DECLARED_KEY]: why } })
}

/** Returns the caller of a token, or undefined. It reads the store each time: a revoked token stops working at once. */
export type TokenCheck = (token: string, options?: CallOptions) => Promise<Caller | undefined>

/** Makes the check for a store. It notes the last use of a token, at most once per period. */
export function createTokenCheck(storage: Store, now: () => Date = () => new Date()): TokenCheck {
  const noted = new Map<string, number>()
  return async (token, options) => {
    const id = TOKEN.exec(token)?.[1]
    if (id === undefined) return undefined
    const stored = await createTokens(storage).get(id, options)
    if (!stored) return undefined
    const kept: KeptToken = JSON.parse(stored.value)
    if (!sameDigest(kept.digest, digestOf(token))) return undefined
    const time = now()
    if (kept.expiresAt !== undefined && time.toISOString() >= kept.expiresAt) return undefined
    // The absolute difference works even if the clock was set back.
    if (Math.abs(time.getTime() - (noted.get(id) ?? 0)) >= USE_PERIOD_MS) {
      noted.set(id, time.getTime())
      // Not awaited: a store that is busy or read-only goes without the note.
      Promise.resolve()
        .then(() => createTokens(storage).noteUse(id, time.toISOString()))
        .catch(() => noted.delete(id))
    }
    return { id, scopes: kept.scopes, ...(kept.name !== undefined && { name: kept.name }) }
  }
}

/** Reports whether scopes include a needed scope. */
export function allows(scopes: readonly string[], needed: Scope): boolean {
  return scopes.some((scope) => scope === 'admin' || scope === needed || needed.startsWith(`${scope}:`))
}

function described({ id, value, lastUsed }: StoredToken): TokenDescription {
  const { digest: _, ...kept }: KeptToken = JSON.parse(value)
  return { id, ...kept, ...(lastUsed !== undefined && { lastUsedAt: lastUsed }) }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64url')
}

function sameDigest(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
