import type { Extension } from '../../../core/src/handler/extension.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import type { WorldRequest } from '../../../core/src/handler/http.ts'
import type { LogEvent } from '../../../core/src/handler/options.ts'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import type { Action } from '../../../core/src/world/action.ts'
import { createValidator } from '../../../entities/src/schemas/validator.ts'
import { listTypes } from '../../../entities/src/types/list-types.ts'
import { createTypeCheck } from '../../../entities/src/types/type-check.ts'
import type { TypeDefinition } from '../../../entities/src/types/type-definition.ts'
import { withTypeInference } from '../../../entities/src/types/with-type-inference.ts'
import type { AuditEntry } from './audit.ts'
import { type OperatorOptions, operator } from './routes.ts'
import { createToken, type Scope } from './tokens.ts'

/** Types with and without a declared schema. */
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

/** Action that is not safe. */
const TOUCH: Action = {
  description: { name: 'sol:touch', safe: false, inputSchema: {}, outputSchema: {} },
  call: async () => ({ output: '"done"', warnings: [] }),
}

/** Differences of an operated world from the usual one. */
interface Operated extends Pick<OperatorOptions, 'isPrivate' | 'pictures'> {
  readonly extensions?: readonly Extension[]
}

/** Creates an in-memory world with an operator API and a token with `scopes`. Also returns request functions and logs. */
export async function operated(
  scopes: readonly Scope[] = ['write'],
  { isPrivate = false, extensions = [], pictures }: Operated = {},
  seen: (store: Store) => Store = (store) => store,
) {
  const clock = { time: new Date('2026-03-01T09:00:00Z') }
  const store = seen(withTypeInference(createMemoryStore({ now: () => clock.time })))
  await store.write([{ put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: { radiusKm: 1821.6 } } }])
  const description = {
    id: 'urn:example:sol',
    types: () => listTypes(TYPES, store),
  }
  const logged: LogEvent[] = []
  const audited: AuditEntry[] = []
  const handler = createWorld({
    ...description,
    store,
    publicUrl: 'https://sol.example',
    log: (event) => logged.push(event),
    actions: [TOUCH, { ...TOUCH, description: { ...TOUCH.description, name: 'sol:look', safe: true } }],
    extensions: [
      ...extensions,
      operator({
        check: createTypeCheck(TYPES, createValidator),
        isPrivate,
        pictures,
        audit: (entry) => audited.push(entry),
        now: () => clock.time,
      }),
    ],
  })
  const { token } =
    scopes.length === 0 ? { token: '' } : await createToken(store, { scopes, name: 'loader' }, clock.time)

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
  /** Like `send`, but does not read the response body. */
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
  return { send, ask, handler, store, clock, token, logged, audited }
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
