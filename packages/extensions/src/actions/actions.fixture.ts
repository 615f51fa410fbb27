/** A world with notes and one action on them, for tests of actions that write. */
import { createWorld } from '../../../core/src/handler/handler.ts'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { createValidator } from '../../../entities/src/schemas/validator.ts'
import { operator } from '../operator/routes.ts'
import { createToken } from '../operator/tokens.ts'
import { type ActionDefinition, defineAction } from './define-action.ts'

const TYPES = [
  {
    type: 'sol:note',
    schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
  },
]

/** Input of the action on notes. */
export interface NoteInput {
  readonly id: string
  readonly count: unknown
}

/** Creates a world whose action `sol:note` writes a note, unless `changed` says otherwise, and a function that calls it. */
export async function worldOfNotes(
  changed: Partial<ActionDefinition<NoteInput>> = {},
  { isReplica = false, store = createMemoryStore() }: { isReplica?: boolean; store?: Store } = {},
) {
  const definition: ActionDefinition<NoteInput> = {
    name: 'sol:note',
    safe: false,
    inputSchema: { type: 'object' },
    outputSchema: {},
    handler: ({ id, count }, { put }) =>
      put('sol:note', id, { title: 'Note', attributes: { count: count as number } }),
    ...changed,
  }
  const { token } = await createToken(store, { scopes: ['call'] })
  const { handle, revision } = createWorld({
    id: 'urn:x:sol',
    types: TYPES,
    store,
    publicUrl: 'https://sol.example',
    actions: [defineAction(definition, createValidator)],
    extensions: [operator({ upstream: isReplica ? 'https://upstream.example' : undefined })],
  })
  /** Calls the action. `members` are members of the body beside `input`. */
  const call = async (input: object, headers: Record<string, string> = {}, members: object = {}) => {
    const response = await handle({
      method: 'POST',
      target: '/api/world/v0/actions/sol%3Anote',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      body: pieces(JSON.stringify({ input, ...members })),
    })
    const json = JSON.parse(Buffer.from(response.body as Uint8Array).toString())
    return { status: response.status, headers: response.headers, json }
  }
  return { store, handle, revision, call, authorization: `Bearer ${token}` }
}

/** Returns the count of a note, or undefined if there is no such note. */
export async function countOf(store: Store, id: string): Promise<number | undefined> {
  const stored = await store.get('sol:note', id)
  return stored && JSON.parse(stored.json).attributes.count
}
