/** From a request to what it may do: 401 without a good token, 403 where the token is good for something else. */
import type { WorldRequest } from '../handler/http.ts'
import { WorldFault } from '../world/errors.ts'
import { allows, type Scope, type TokenCheck } from './tokens.ts'

/** Refuses a request that may not do what `needed` stands for. @throws WorldFault `unauthenticated`, `forbidden` */
export type Authorise = (request: WorldRequest, needed: Scope) => Promise<void>

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i

/** Makes the guard over a check of tokens. */
export function createAuthorise(check: TokenCheck): Authorise {
  return async ({ headers }, needed) => {
    const given = headers['authorization']
    if (given === undefined) throw unauthenticated('This needs a token.', '')
    const token = BEARER.exec(given)?.[1]
    const scopes = token === undefined ? undefined : await check(token)
    if (scopes === undefined)
      throw unauthenticated('This token is unknown, revoked or expired.', ', error="invalid_token"')
    if (allows(scopes, needed)) return
    throw new WorldFault(
      'forbidden',
      `This token is not good for ${needed}.`,
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
