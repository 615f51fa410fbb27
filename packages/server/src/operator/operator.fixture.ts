import { createWorld } from '../handler/handler.ts'
import type { WorldRequest } from '../handler/http.ts'
import type { LogEvent } from '../handler/options.ts'
import type { Storage } from '../storage/contract.ts'
import { createMemoryStorage } from '../storage/memory.ts'
import { listTypes } from '../types/list-types.ts'
import type { TypeDefinition } from '../types/type-definition.ts'
import { withTypeInference } from '../types/with-type-inference.ts'
import { createOperatorApi } from './routes.ts'
import { createToken, type Scope } from './tokens.ts'

/** Types with a schema of their author, and one without. */
export const TYPES: readonly TypeDefinition[] = [
  {
    type: 'sol:moon',
    schema: {
      type: 'object',
      properties: { radiusKm: { type: 'number', exclusiveMinimum: 0 } },
      required: ['radiusKm'],
    },
  },
  { type: 'sol:note' },
]

/** A world with an operator API in memory, a token with these scopes, ways to send it requests, and what it logged. */
export async function operated(
  scopes: readonly Scope[] = ['write'],
  isPrivate = false,
  seen: (storage: Storage) => Storage = (storage) => storage,
) {
  const clock = { time: new Date('2026-03-01T09:00:00Z') }
  const storage = seen(withTypeInference(createMemoryStorage({ now: () => clock.time })))
  await storage.write([
    { put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: { radiusKm: 1821.6 } } },
  ])
  const description = {
    id: 'urn:example:sol',
    types: () => listTypes(TYPES, storage),
  }
  const operator = createOperatorApi(description, storage, { types: TYPES, now: () => clock.time })
  const logged: LogEvent[] = []
  const handler = createWorld(description, storage, {
    publicUrl: 'https://sol.example',
    log: (event) => logged.push(event),
    routes: operator.routes,
    extensions: operator.extensions,
    ...(isPrivate && {
      authentication: { required: true, schemes: ['bearer'] },
      admit: operator.admit,
    }),
  })
  const { token } = scopes.length === 0 ? { token: '' } : await createToken(storage, { scopes }, clock.time)

  async function send(method: string, target: string, body?: unknown, headers: Record<string, string> = {}) {
    const payload =
      body === undefined
        ? undefined
        : typeof body === 'string' || body instanceof Uint8Array
          ? body
          : JSON.stringify(body)
    const type = payload === undefined ? {} : { 'content-type': 'application/json' }
    const response = await ask(method, target, { ...type, ...headers }, payload && pieces(payload))
    const text = await textOf(response.body)
    return { ...response, text, json: () => JSON.parse(text) }
  }
  /** As `send`, without reading the answer's body. */
  async function ask(
    method: string,
    target: string,
    headers: Record<string, string>,
    body?: WorldRequest['body'] | '',
  ) {
    const authorization = token === '' ? {} : { authorization: `Bearer ${token}` }
    return handler.handle({
      method,
      target,
      headers: { ...authorization, ...headers },
      ...(body ? { body } : {}),
    })
  }
  return { send, ask, handler, storage, clock, token, logged }
}

async function* pieces(body: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body)
}

async function textOf(body: unknown): Promise<string> {
  if (body === undefined) return ''
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body).toString()
  let text = ''
  for await (const piece of body as AsyncIterable<string | Uint8Array>) text += Buffer.from(piece).toString()
  return text
}
