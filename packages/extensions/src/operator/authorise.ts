/** Access control: 401 if a request has no caller, 403 if the scopes of its caller are insufficient. */
import { type Capability, type Mount, type ReadTypes, WorldFault, type WorldRequest } from '@worldwright/core'
import { allows, type Scope, scopeFor, type TokenCheck } from './tokens.ts'

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i

/** Authenticates requests by bearer token. An unknown, revoked or expired token is treated as absent. */
export function createAuthentication(check: TokenCheck): NonNullable<Capability['authenticate']> {
  return ({ headers, signal }) => {
    const token = BEARER.exec(headers['authorization'] ?? '')?.[1]
    return token === undefined ? undefined : check(token, { signal })
  }
}

/** Access checks of a world. Each throws WorldFault `unauthenticated` or `forbidden` to refuse a request. */
export type Access = ReturnType<typeof createAccess>

/** Creates the access checks of a world. Read scopes are required only if the world is private. */
export function createAccess(callerOf: Mount['callerOf'], isPrivate: boolean) {
  async function scopesOf(request: WorldRequest): Promise<readonly string[]> {
    const caller = await callerOf(request)
    if (caller !== undefined) return caller.scopes
    if (request.headers['authorization'] === undefined)
      throw unauthenticated('This request needs a token.', '')
    throw unauthenticated('This token is unknown, revoked or expired.', ', error="invalid_token"')
  }

  return {
    async requireScope(request: WorldRequest, needed: Scope): Promise<void> {
      if (!allows(await scopesOf(request), needed)) throw forbidden(needed)
    },

    /** Requires a caller and, in a private world, read scopes for the types that the request reads. */
    async requireRead(request: WorldRequest, reads: () => ReadTypes): Promise<void> {
      const scopes = await scopesOf(request)
      if (!isPrivate || allows(scopes, 'read')) return
      const types = await reads()
      const needed = types?.map((type) => scopeFor('read', type)) ?? ['read' as const]
      const lacking = needed.find((scope) => !allows(scopes, scope))
      if (lacking !== undefined) throw forbidden(lacking)
    },
  }
}

function forbidden(scope: Scope): WorldFault {
  return new WorldFault(
    'forbidden',
    `This token lacks the scope ${scope}.`,
    { scope },
    { 'www-authenticate': `Bearer realm="world", error="insufficient_scope", scope="${scope}"` },
  )
}

function unauthenticated(message: string, error: string): WorldFault {
  return new WorldFault(
    'unauthenticated',
    message,
    { schemes: ['bearer'] },
    { 'www-authenticate': `Bearer realm="world"${error}` },
  )
}
