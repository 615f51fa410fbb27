/** What a request may do: 401 without a valid token, 403 where its scopes do not allow it. */
import type { WorldRequest } from '../handler/http.ts'
import { WorldFault } from '../world/errors.ts'
import { allows, type Scope, type TokenCheck } from './tokens.ts'

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i

/** Knows what requests may do. Reads the token of a request from the store once. */
export class Authoriser {
  readonly #check: TokenCheck
  readonly #scopes = new WeakMap<WorldRequest, ReturnType<TokenCheck>>()

  constructor(check: TokenCheck) {
    this.#check = check
  }

  /** The scopes of a request's token; undefined without one, or with one that is unknown, revoked or expired. */
  scopesOf(request: WorldRequest): ReturnType<TokenCheck> {
    const known = this.#scopes.get(request)
    if (known !== undefined) return known
    const token = BEARER.exec(request.headers['authorization'] ?? '')?.[1]
    const scopes =
      token === undefined ? Promise.resolve(undefined) : this.#check(token, { signal: request.signal })
    this.#scopes.set(request, scopes)
    return scopes
  }

  /** Refuses a request without a scope that allows this one. @throws WorldFault `unauthenticated`, `forbidden` */
  async require(request: WorldRequest, needed: Scope): Promise<void> {
    const scopes = await this.scopesOf(request)
    if (request.headers['authorization'] === undefined)
      throw unauthenticated('This request needs a token.', '')
    if (scopes === undefined)
      throw unauthenticated('This token is unknown, revoked or expired.', ', error="invalid_token"')
    if (allows(scopes, needed)) return
    throw new WorldFault(
      'forbidden',
      `This token lacks the scope ${needed}.`,
      { scope: needed },
      { 'www-authenticate': `Bearer realm="world", error="insufficient_scope", scope="${needed}"` },
    )
  }
}

function unauthenticated(message: string, error: string): WorldFault {
  return new WorldFault(
    'unauthenticated',
    message,
    { schemes: ['bearer'] },
    { 'www-authenticate': `Bearer realm="world"${error}` },
  )
}
