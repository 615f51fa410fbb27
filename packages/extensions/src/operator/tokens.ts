/** Tokens: what lets a program write to a world, or read a private one. The store keeps digests, never tokens. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { typeFault } from '@worldwright/client/protocol'
import type { Caller } from '@worldwright/core'
import type { CallOptions, Store } from '@worldwright/core/store'
import { createTokens, type StoredToken } from '@worldwright/core/store'

/**
 * Rights of a token: `read` a private world, `write` every type, `call` every action that changes things, each of them
 * also for one name alone, as in `read:TYPE`; `admin` everything. What writes or calls does not read.
 */
export type Scope = 'admin' | Verb | `${Verb}:${string}`

type Verb = 'read' | 'write' | 'call'

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

/** What a new token allows, its name and its end. */
export interface TokenOptions {
  readonly scopes: readonly Scope[]
  readonly name?: string
  readonly expiresAt?: Date
}

type KeptToken = Omit<TokenDescription, 'id' | 'lastUsedAt'> & { readonly digest: string }

/** Metadata that changes when a store gets its first token, or loses its last one. */
const DECLARED_KEY = 'tokens'

/** 256 random bits. */
const SECRET_BYTES = 32
const ID_BYTES = 5

const TOKEN = /^ww_([0-9a-f]{10})_([A-Za-z0-9_-]{43})$/

/** Last uses are noted at most this often, in milliseconds: each is a write. */
const USE_PERIOD_MS = 60_000

/** The scope for a type; for all types where no token can be for this one. */
export function scopeFor(verb: 'read' | 'write', type: string): Scope {
  return typeFault(type) === undefined ? `${verb}:${type}` : verb
}

/** The scope that a text names, or undefined. */
export function scopeFrom(text: string): Scope | undefined {
  if (text === 'read' || text === 'write' || text === 'call' || text === 'admin') return text
  const [, verb, name = ''] = /^(read|write|call):(.+)$/.exec(text) ?? []
  return verb !== undefined && typeFault(name) === undefined ? (text as Scope) : undefined
}

/** Makes a token. Its text is returned this once; the store cannot give it again. */
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

/** All tokens, expired ones included, oldest first. */
export async function listTokens(storage: Store): Promise<TokenDescription[]> {
  const tokens = await createTokens(storage).list()
  return tokens.map(described).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}

/** Ends a token, in every process from its next request on. False if there is none of this id. */
export async function revokeToken(storage: Store, id: string): Promise<boolean> {
  const wasThere = await createTokens(storage).remove(id)
  if (wasThere && !(await hasTokens(storage))) await declareAgain(storage, `not ${id}`)
  return wasThere
}

/** Whether a store has any token at all, expired ones included. */
export async function hasTokens(storage: Store): Promise<boolean> {
  return (await createTokens(storage).list()).length > 0
}

/** Moves the store's version, so that discovery is made again: it says whether there are tokens at all. */
async function declareAgain(storage: Store, why: string): Promise<void> {
  await storage.write([], { values: { [DECLARED_KEY]: why } })
}

/** The caller that a token stands for, or undefined. It reads the store each time: a revoked token ends at once. */
export type TokenCheck = (token: string, options?: CallOptions) => Promise<Caller | undefined>

/** Makes the check for a store. Notes when tokens were last used, now and then. */
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
    // However the clock was set since.
    if (Math.abs(time.getTime() - (noted.get(id) ?? 0)) >= USE_PERIOD_MS) {
      noted.set(id, time.getTime())
      // Not awaited: a store that is busy or read-only goes without it.
      Promise.resolve()
        .then(() => createTokens(storage).noteUse(id, time.toISOString()))
        .catch(() => noted.delete(id))
    }
    return { id, scopes: kept.scopes, ...(kept.name !== undefined && { name: kept.name }) }
  }
}

/** Whether scopes allow what another scope stands for. */
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
