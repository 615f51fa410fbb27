/** The world that all examples embed: planets and moons in an array, and an action that names the user of the request. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createWorld } from '@worldwright/core'
import { compareUtf8, storedEntity } from '@worldwright/core/store'

/** The user of the current request. Each example sets it from a header field, as middleware sets it after a login. */
export const users = new AsyncLocalStorage()

const origin = process.env.ORIGIN ?? 'http://127.0.0.1:8080'
export const port = Number(new URL(origin).port)

const MOONS = {
  Earth: ['Moon'],
  Mars: ['Phobos', 'Deimos'],
  Jupiter: ['Io', 'Europa', 'Ganymede', 'Callisto', 'Amalthea', 'Himalia', 'Pasiphaë'],
  Saturn: ['Mimas', 'Enceladus', 'Tethys', 'Dione', 'Rhea', 'Titan', 'Iapetus', 'Skaði', 'Bebhionn'],
  Uranus: ['Miranda', 'Ariel', 'Umbriel', 'Titania', 'Oberon'],
  Neptune: ['Triton', 'Nereid', 'Proteus'],
}
const entity = (type, id, title, attributes) => storedEntity({ type, id, title, attributes })
const entities = Object.entries(MOONS).flatMap(([planet, moons]) => [
  entity('sol:planet', planet.toLowerCase(), planet, { moons: moons.length }),
  ...moons.map((moon) => entity('sol:moon', `${planet}/${moon}`.toLowerCase(), moon, { planet })),
])
entities.sort((a, b) => compareUtf8(a.id, b.id))

const of = (type) => entities.filter((entity) => entity.type === type)
/** Read-only source: the four methods by which a world reads its data. */
const source = {
  get: (type, id) => of(type).find((entity) => entity.id === id),
  list(type, { after = '', limit }) {
    const following = of(type).filter(({ id }) => compareUtf8(id, after) > 0)
    return { entities: following.slice(0, limit), total: of(type).length, version: '1' }
  },
  types: () =>
    new Map(['sol:moon', 'sol:planet'].map((type) => [type, { count: of(type).length, version: '1' }])),
  version: () => '1',
}

const whoami = {
  description: { name: 'sol:whoami', title: 'Who am I?', safe: true },
  async call() {
    await new Promise((resume) => setTimeout(resume))
    return { output: JSON.stringify(users.getStore() ?? null), warnings: [] }
  },
}

/** Creates the world. `options` are those that depend on the runtime. */
export const createMoons = (options) =>
  createWorld({
    id: 'urn:example:embedded',
    name: 'Planets and moons',
    types: [
      { type: 'sol:moon', title: 'Moon' },
      { type: 'sol:planet', title: 'Planet' },
    ],
    store: source,
    actions: [whoami],
    publicUrl: origin,
    ...options,
  })
