/** Tokens that let programs write to a world or read a private one. The store contains only digests of them. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { typeFault } from '@worldwright/client/protocol'
import type { Caller } from '@worldwright/core'
import type { CallOptions, Store } from '@worldwright/core/store'
import { createTokens, type StoredToken } from './stored-tokens.ts'

/**
 * Right granted to a token: `read` a private world, `write` every type, `call` every unsafe action, or `admin` for
 * everything. All but `admin` can be limited to one name, as in `read:TYPE`. `write` and `call` do not include `read`.
 */
export type Scope = 'admin' | Verb | `${Verb}:${string}`

type Verb = 'read' | 'write' | 'call'

/** Stored description of a token. */
export interface TokenDescription {
  /** Identifies the token. The id is part of the token's text and is not secret. */
  readonly id: string
  readonly name?: string
  readonly scopes: readonly Scope[]
  /** RFC 3339 timestamp in UTC, like the other times. */
  readonly createdAt: string
  /** Absent if the token never expires. */
  readonly expiresAt?: string
  /** Time of the last use, which may be up to a minute out of date. Absent if the token has never been used. */
  readonly lastUsedAt?: string
}

/** Scopes, name and expiry of a new token. */
export interface TokenOptions {
  readonly scopes: readonly Scope[]
  readonly name?: string
  readonly expiresAt?: Date
}

type KeptToken = Omit<TokenDescription, 'id' | 'lastUsedAt'> & { readonly digest: string }

/** Metadata key whose value changes when a store gets its first token or loses its last one. */
const DECLARED_KEY = 'tokens'

/** Secret length, in bytes: 256 random bits. */
const SECRET_BYTES = 32
const ID_BYTES = 5

const TOKEN = /^ww_([0-9a-f]{10})_([A-Za-z0-9_-]{43})$/

/** Minimum interval between updates of a token's last use, in milliseconds, since each update is a write. */
const USE_PERIOD_MS = 60_000

/** Returns `verb` limited to `type`, or plain `verb` if `type` is not a valid type. */
export function scopeFor(verb: 'read' | 'write', type: string): Scope {
  return typeFault(type) === undefined ? `${verb}:${type}` : verb
}

/** Parses a scope. Returns undefined if the text is invalid. */
export function scopeFrom(text: string): Scope | undefined {
  if (text === 'read' || text === 'write' || text === 'call' || text === 'admin') return text
  const [, verb, name = ''] = /^(read|write|call):(.+)$/.exec(text) ?? []
  return verb !== undefined && typeFault(name) === undefined ? (text as Scope) : undefined
}

/** Creates a token and returns its text, which cannot be recovered from the store later. */
export async function createToken(
  store: Store,
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
  const isFirst = !(await hasTokens(store))
  await createTokens(store).put(id, JSON.stringify(kept))
  if (isFirst) await declareAgain(store, id)
  return { token, description: described({ id, value: JSON.stringify(kept) }) }
}

/** Returns all tokens, including expired ones, oldest first. */
export async function listTokens(store: Store): Promise<TokenDescription[]> {
  const tokens = await createTokens(store).list()
  return tokens.map(described).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}

/** Revokes a token, effective from the next request in every process. Returns false if there is no such token. */
export async function revokeToken(store: Store, id: string): Promise<boolean> {
  const wasThere = await createTokens(store).remove(id)
  if (wasThere && !(await hasTokens(store))) await declareAgain(store, `not ${id}`)
  return wasThere
}

/** Reports whether a store has any token, including expired ones. */
export async function hasTokens(store: Store): Promise<boolean> {
  return (await createTokens(store).list()).length > 0
}

/** Changes the store's version, so that the discovery document is rebuilt: it shows whether tokens exist. */
async function declareAgain(store: Store, why: string): Promise<void> {
  await store.write([], { values: { [DECLARED_KEY]: why } })
}

/** Returns a token's caller, or undefined if it is invalid. Reads the store on each call, so revocation is immediate. */
export type TokenCheck = (token: string, options?: CallOptions) => Promise<Caller | undefined>

/** Creates the token check of a store, which records each token's last use at most once a minute. */
export function createTokenCheck(store: Store, now: () => Date = () => new Date()): TokenCheck {
  const noted = new Map<string, number>()
  return async (token, options) => {
    const id = TOKEN.exec(token)?.[1]
    if (id === undefined) return undefined
    const stored = await createTokens(store).get(id, options)
    if (!stored) return undefined
    const kept: KeptToken = JSON.parse(stored.value)
    if (!sameDigest(kept.digest, digestOf(token))) return undefined
    const time = now()
    if (kept.expiresAt !== undefined && time.toISOString() >= kept.expiresAt) return undefined
    // The absolute difference also works if the clock has been set back.
    if (Math.abs(time.getTime() - (noted.get(id) ?? 0)) >= USE_PERIOD_MS) {
      noted.set(id, time.getTime())
      // Not awaited. If the store is busy or read-only, the use is not recorded.
      Promise.resolve()
        .then(() => createTokens(store).noteUse(id, time.toISOString()))
        .catch(() => noted.delete(id))
    }
    return { id, scopes: kept.scopes, ...(kept.name !== undefined && { name: kept.name }) }
  }
}

/** Reports whether any of `scopes` grants `needed`. */
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
