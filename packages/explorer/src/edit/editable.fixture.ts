/** A world that can be written, in memory, and its pages, for the tests of the editor. */
import type { JsonObject } from '@worldwright/client'
import { parseExact } from '@worldwright/client/exact'
import { connect } from '@worldwright/client/foreign'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { createValidator } from '@worldwright/entities/schemas'
import { createTypeCheck } from '@worldwright/entities/types'
import { createToken, operator, type Scope } from '@worldwright/extensions/operator'
import { memorySearch } from '@worldwright/search/entities'
import { type ComponentChild, h } from 'preact'
import { inWorld } from '../fake-world.fixture.ts'
import { find, show, shown, textOf, texts } from '../page.fixture.ts'
import { openWorldOf } from '../parts/world-context.ts'
import { keepToken } from '../world/tokens.ts'
import { profileOf } from '../world/world-profile.ts'

const PLANET = { type: 'object', properties: { type: { const: 'sol:planet' }, id: { type: 'string' } } }

/** Entity types of the editable world. */
export const TYPES = [
  {
    type: 'sol:moon',
    title: 'Moon',
    schema: {
      type: 'object',
      required: ['radiusKm'],
      properties: {
        radiusKm: { type: 'number', exclusiveMinimum: 0 },
        icy: { type: 'boolean' },
        code: { type: 'string', pattern: '^(?:[a-z]+)+$', maxLength: 40 },
        orbits: PLANET,
        story: { type: 'string', contentMediaType: 'text/markdown' },
      },
    },
  },
  { type: 'sol:planet', title: 'Planet', schema: { type: 'object' } },
  {
    type: 'worldwright:view',
    title: 'View',
    schema: {
      type: 'object',
      properties: { path: { type: 'string', pattern: '^/v/', description: 'Path and query of the view.' } },
    },
  },
]

/** Attributes of the moon, some of which the schema does not know. */
export const IO = { radiusKm: 1821.6, icy: false, serial: 7, notes: { deep: [1, null] } }

let worlds = 0

interface Options {
  /** Scopes of the token. There is no token if they are empty. */
  readonly scopes?: readonly Scope[]
  readonly isOn?: boolean
  readonly isPrivate?: boolean
  /** True to open the world with a token that it does not know. */
  readonly isRefused?: boolean
  /** Moons besides `io`. */
  readonly moons?: readonly { id: string; title: string; attributes: JsonObject }[]
}

/** Opens a world with the moon `io`. `sent` lists the methods and bodies of all writes. */
export async function openEditable(options: Options = {}) {
  const { scopes = ['write'], isOn = true, isPrivate = false, isRefused = false, moons = [] } = options
  worlds += 1
  const origin = `https://editable${worlds}.example`
  const store = createMemoryStore({ search: memorySearch })
  await store.write([
    { put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: IO } },
    { put: { type: 'sol:planet', id: 'jupiter', title: 'Jupiter', attributes: {} } },
    ...moons.map((one) => ({ put: { type: 'sol:moon', ...one } })),
  ])
  const handler = createWorld({
    id: 'urn:example:sol',
    types: async () => TYPES,
    store,
    publicUrl: origin,
    extensions: isOn ? [operator({ check: createTypeCheck(TYPES, createValidator), isPrivate })] : [],
  })
  const made = scopes.length > 0 ? (await createToken(store, { scopes })).token : undefined
  const token = isRefused ? `${made?.slice(0, -1)}?` : made
  const answer = toFetch(handler)
  const sent: string[] = []
  const requests: string[] = []
  const fetch = async (url: string, init: RequestInit) => {
    requests.push(url)
    if (init.method !== 'GET' && url.includes('/operator/')) sent.push(`${init.method} ${init.body ?? ''}`)
    return answer(new Request(url, init))
  }
  const world = await connect(origin, { fetch, retries: 0, token, parse: parseExact })
  keepToken(origin, token)
  const open = openWorldOf(world, profileOf(world))
  const within = (content: ComponentChild) => inWorld(open, content)
  const write = (attributes: object, title = 'Io') =>
    store.write([{ put: { type: 'sol:moon', id: 'io', title, attributes: attributes as never } }])
  const json = async (id = 'io') => (await store.get('sol:moon', id))?.json
  return { origin, store, world, open, within, write, json, sent, requests, token }
}

/**
 * Opens the list of moons, or the page of `io`, in a world that can be written, and follows the route from there. Must be
 * called after `startPage`. `more` are further members of the route.
 */
export async function openPage(page: 'list' | 'entity', options: Options = {}, more: object = {}) {
  const { navigate, route } = await import('../navigation/navigation.ts')
  const { EntityPage } = await import('../pages/entity-page.tsx')
  const { ListPage } = await import('../pages/list-page.tsx')
  const world = await openEditable(options)
  function Page() {
    const at = route.value
    if (at.page === 'list') return h(ListPage, { key: at.type, route: at })
    return at.page === 'entity' ? h(EntityPage, { key: at.id, route: at, onTitle: () => {} }) : null
  }
  const at = { origin: world.origin, type: 'sol:moon', ...more }
  navigate(page === 'list' ? { page, ...at } : { page, ...at, id: 'io' })
  show(world.within(h(Page, null)))
  await shown(page === 'list' ? 'Moon' : 'Io')
  return world
}

/** Returns the numbers of a result of many writes. */
export const result = () => textOf(find('.edit-tools [role=status].note'))
/** Returns the lines of a result, one for each entity that was not written. */
export const listed = () => texts('.edit-tools li')
