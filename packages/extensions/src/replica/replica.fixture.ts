import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Fetch } from '@worldwright/client'
import type { Entity } from '@worldwright/client/protocol'
import { setSearchSynonyms } from '@worldwright/core/store'
import { toFetch } from '../../../core/src/adapters/fetch.ts'
import type { Extension } from '../../../core/src/handler/extension.ts'
import { createWorld, type WorldHandler } from '../../../core/src/handler/handler.ts'
import type { Store } from '../../../core/src/store/contract.ts'
import { setIndexRules } from '../../../core/src/store/index-rules.ts'
import { positionNow } from '../../../core/src/store/positions.ts'
import { dice, importAll, put } from '../../../core/src/store/suite-data.ts'
import type { WorldDescription } from '../../../core/src/world/world.ts'
import { changes } from '../changes/index.ts'
import type { FollowEvent } from './follow-world.ts'
import { followedTypes, followWorld, type UpstreamDescription } from './index.ts'

/** Id of the followed worlds. */
export const WORLD_ID = 'urn:example:sol'
/** Origin of the followed worlds. */
export const ORIGIN = 'https://sol.example'

/** Format in which a world announces changes: as events, or as pages on request. */
export type Telling = 'events' | 'pages'

/** Returns a world over `store` that can be followed. */
export async function upstreamOver(
  store: Store,
  { id = WORLD_ID, telling = 'events' }: { readonly id?: string; readonly telling?: Telling } = {},
): Promise<WorldHandler> {
  await setIndexRules(store, { 'sol:planet': { note: { weight: 3 } } })
  await setSearchSynonyms(store, [
    { from: ['red planet'], to: ['mars'] },
    { from: ['largest'], to: [], type: 'sol:moon', order: { property: 'radiusKm', descending: true } },
  ])
  return handlerOver({ id, name: 'Sol', types: () => typesOf(store) }, store, telling)
}

/** Returns a world that serves a replica's store. The world can itself be followed. */
export function replicaOver(store: Store, { id, name = '', entityTypes }: UpstreamDescription): WorldHandler {
  return handlerOver({ id, name, types: () => followedTypes(entityTypes, store) }, store, 'events')
}

function handlerOver(world: WorldDescription, store: Store, telling: Telling): WorldHandler {
  const told: Extension = (mount) => {
    const capability = changes()(mount)
    const declares: typeof capability.declares = async (types) => ({
      ...(await capability.declares?.(types)),
      ...(telling === 'pages' && { formats: [] }),
    })
    return { ...capability, declares }
  }
  return createWorld({ ...world, store: unhurried(store), publicUrl: ORIGIN, extensions: [told] })
}

/** Search budget, in milliseconds, that is enough on the slowest machine. */
const ENOUGH_MS = 60_000

/** Wraps a store so that its searches are never cut short, since partial results cannot be compared. */
function unhurried(store: Store): Store {
  return { ...store, find: (query) => store.find({ ...query, budgetMs: ENOUGH_MS }) }
}

async function typesOf(store: Store) {
  return [...(await store.types()).keys()].map((type) => ({ type, title: type.toUpperCase() }))
}

/** Connection that can be interrupted, or redirected to a different world. */
export class Wire {
  #handler: WorldHandler | undefined
  #cut = new AbortController()
  /** Called with the target of each request. */
  seen: (target: string) => void = () => {}

  constructor(handler: WorldHandler) {
    this.#handler = handler
  }

  get handler(): WorldHandler | undefined {
    return this.#handler
  }

  /** Sends new requests to `next` and aborts open ones. If undefined, connections are refused. */
  set handler(next: WorldHandler | undefined) {
    this.#handler = next
    this.#cut.abort()
    this.#cut = new AbortController()
  }

  readonly fetch: Fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input))
    this.seen(pathname + search)
    if (!this.#handler) throw new TypeError('connection refused')
    const signals = [this.#cut.signal, ...(init?.signal ? [init.signal] : [])]
    return toFetch(this.#handler)(input, { ...init, signal: AbortSignal.any(signals) })
  }
}

/** Follows a world until the test ends or calls `stop`. `until` reads events up to the first that matches. */
export function following(t: TestContext, store: Store, fetch: Fetch) {
  const ending = new AbortController()
  const events = followWorld({
    origin: ORIGIN,
    store,
    fetch,
    signal: ending.signal,
    pollMs: 5,
    retryMs: 5,
  })
  const stop = async () => {
    ending.abort()
    await events.return(undefined)
  }
  t.after(stop)
  const until = async <E extends FollowEvent['event']>(
    wanted: E,
    is: (event: Extract<FollowEvent, { event: E }>) => boolean = () => true,
  ) => {
    for (;;) {
      const { value, done } = await events.next()
      if (done) assert.fail(`ended before ${wanted}`)
      const found = value as Extract<FollowEvent, { event: E }>
      if (value.event === wanted && is(found)) return found
    }
  }
  /** Waits until the replica reaches the current position of another store. */
  const reached = async (upstream: Store) => {
    const position = await positionNow(upstream)
    await until('current', (event) => event.position === position)
  }
  return { until, reached, stop, next: () => events.next() }
}

/** Returns a function that randomly writes, deletes or imports a few dozen planets and moons. */
export function scribbler(store: Store, seed: number): () => Promise<void> {
  const roll = dice(seed)
  const some = (): Entity => ({
    type: roll(2) === 0 ? 'sol:planet' : 'sol:moon',
    id: `e${roll(40)}`,
    title: `Title ${roll(9)}`,
    attributes: { note: `ice ${roll(5)} ${'rock '.repeat(roll(3))}`, '2': roll(3), '1': 1e21, '-': -0.5 },
  })
  return async () => {
    const kind = roll(10)
    if (kind < 5) await put(store, some(), some())
    else if (kind < 8) await store.write([{ delete: { type: some().type, id: some().id } }])
    else {
      const one = some()
      await importAll(store, [one, some()], kind === 9 ? [one.type] : undefined)
    }
  }
}

/** Asserts that two worlds respond with the same bytes, tags and cursors for entities, lists, searches and types. */
export async function assertSameAnswers(replica: WorldHandler, upstream: WorldHandler): Promise<void> {
  const api = '/api/world/v0'
  for (const type of ['sol:planet', 'sol:moon']) {
    const list = `${api}/entities/${encodeURIComponent(type)}`
    let cursor = ''
    for (;;) {
      const page = await same(`${list}?limit=7${cursor}`)
      const { entities, nextCursor } = JSON.parse(page.body)
      for (const { id } of entities ?? []) await same(`${list}/${id}`)
      if (nextCursor === undefined) break
      cursor = `&cursor=${nextCursor}`
    }
  }
  for (const text of ['ice 3', 'rock', 'title 1', ''])
    await same(`${api}/actions/wp%3Adiscover`, JSON.stringify({ input: { text, limit: 50 } }))
  const types = async (handler: WorldHandler) =>
    JSON.parse((await answer(handler, '/.well-known/world.json')).body).entityTypes
  assert.deepEqual(await types(replica), await types(upstream))

  async function same(target: string, body?: string) {
    const [mine, theirs] = [await answer(replica, target, body), await answer(upstream, target, body)]
    assert.deepEqual(mine, theirs)
    return theirs
  }
}

async function answer(handler: WorldHandler, target: string, body?: string) {
  const response = await handler.handle({
    method: body === undefined ? 'GET' : 'POST',
    target,
    headers: { 'request-id': 'a', 'content-type': 'application/json' },
    ...(body !== undefined && { body: pieces(body) }),
  })
  const { status, headers } = response
  return { status, etag: headers['etag'], body: Buffer.from(response.body as Uint8Array).toString() }
}

async function* pieces(body: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body)
}
