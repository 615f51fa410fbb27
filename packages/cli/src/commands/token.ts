import { createToken, listTokens, revokeToken, type Scope, scopeFrom } from '@worldwright/extensions/operator'
import { effectiveTypes } from '@worldwright/publish/types'
import { existingWorkspace, withStore, workspaceToServe } from '@worldwright/serve/open'
import {
  FAILED,
  type Io,
  jsonText,
  say,
  tableLines,
  UsageFault,
  writeLine,
} from '@worldwright/serve/terminal'

/** Flags shared by the token commands. */
export interface TokenOptions {
  readonly store?: string
  readonly json?: boolean
}

/** Command-line flags of `world token create`. */
export interface CreateTokenOptions extends TokenOptions {
  readonly scope?: readonly string[]
  readonly name?: string
  readonly expires?: string
}

/** Creates a token and prints it on stdout. It cannot be printed again. */
export async function createTokenCommand(
  path: string | undefined,
  options: CreateTokenOptions,
  io: Io,
): Promise<number> {
  const scopes = scopesFrom(options.scope ?? ['read'])
  const expiresAt = options.expires === undefined ? undefined : expiryFrom(options.expires, new Date())
  const { store: url, definition } = await workspaceToServe(path, options.store, io)
  const { token, description, unknown } = await withStore(url, async (store) => ({
    ...(await createToken(store, {
      scopes,
      ...(options.name !== undefined && { name: options.name }),
      ...(expiresAt !== undefined && { expiresAt }),
    })),
    unknown: unknownTypes(scopes, new Set((await effectiveTypes(definition, store)).map(({ type }) => type))),
  }))
  await writeLine(io.stdout, options.json ? jsonText({ token, ...description }) : token)
  say(io, `Token ${description.id} allows ${scopes.join(', ')}. It is shown this once; keep it safe.`)
  for (const type of unknown)
    say(
      io,
      `warning: this world has no type ${type} yet. If that is a typing error, revoke the token and make another.`,
    )
  if (!definition.operator && !scopes.every((scope) => scope.startsWith('read')))
    say(io, 'The operator API is off until the definition says operator: true.')
  return 0
}

/** Returns the types that `scopes` name but the world does not have. */
function unknownTypes(scopes: readonly Scope[], types: ReadonlySet<string>): string[] {
  return scopes
    .flatMap((scope) => /^(?:read|write):(.+)/.exec(scope)?.[1] ?? [])
    .filter((type) => !types.has(type))
}

/** Lists tokens, without their secrets. */
export async function listTokensCommand(
  path: string | undefined,
  options: TokenOptions,
  io: Io,
): Promise<number> {
  const { store: url } = await existingWorkspace(path, options.store, io)
  const tokens = await withStore(url, async (store) => listTokens(store))
  if (options.json) for (const token of tokens) await writeLine(io.stdout, jsonText(token))
  else {
    const rows = tokens.map(
      ({ id, name = '', scopes, createdAt, expiresAt = 'never', lastUsedAt = 'never' }) => [
        id,
        name,
        scopes.join(' '),
        createdAt,
        expiresAt,
        lastUsedAt,
      ],
    )
    const heading = ['ID', 'NAME', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED']
    for (const line of tableLines(io.stdout, heading, rows)) await writeLine(io.stdout, line)
  }
  return 0
}

/** Revokes a token. Returns exit code 1 if there is no token with this id. */
export async function revokeTokenCommand(
  id: string,
  path: string | undefined,
  options: TokenOptions,
  io: Io,
): Promise<number> {
  // The whole token is accepted in place of its id; its secret is never printed.
  const name = /^ww_([0-9a-f]{10})_/.exec(id)?.[1] ?? id
  const { store: url } = await existingWorkspace(path, options.store, io)
  const revoked = await withStore(url, async (store) => revokeToken(store, name))
  say(io, revoked ? `Token ${name} is revoked.` : `There is no token ${name}.`)
  return revoked ? 0 : FAILED
}

function scopesFrom(texts: readonly string[]): Scope[] {
  return texts.map((text) => {
    const scope = scopeFrom(text)
    if (scope !== undefined) return scope
    throw new UsageFault(`--scope is read, write, call, one of them with :NAME, or admin; this is ${text}`)
  })
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 }

function expiryFrom(text: string, now: Date): Date {
  const [, number, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  if (number !== undefined && unit !== undefined)
    return new Date(now.getTime() + Number(number) * (UNITS[unit] ?? 0))
  const date = new Date(text)
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(date.getTime())) return date
  throw new UsageFault(`--expires is a time such as 90d, 12h or 2027-01-31; this is ${text}`)
}
