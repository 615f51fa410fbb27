/** A fake world of moons that supports queries, for tests of filters, lists and pages. */
import { type FakeWorld, openFake } from './fake-world.fixture.ts'
import { type Askable, askablesOf } from './question/askable.ts'
import { typeIn } from './world/world-profile.ts'

/** The schema of a moon's attributes. */
export const MOON_SCHEMA = {
  properties: {
    radiusKm: { type: 'number', description: 'Mean radius.' },
    kind: { type: 'string' },
    orbits: { type: 'object', properties: { type: {}, id: {} } },
    discovered: { type: 'string', format: 'date' },
    retrograde: { type: 'boolean' },
    site: { type: 'object' },
  },
}

/** The queryable properties of a moon. */
export const MOON_ASKS = [
  { property: 'radiusKm', kinds: ['number'] },
  { property: 'kind', kinds: ['text'] },
  { property: 'orbits', kinds: ['reference'] },
  { property: 'discovered', kinds: ['instant', 'text'] },
  { property: 'retrograde', kinds: ['boolean'] },
  { property: 'site', kinds: ['place'] },
]

/** The planet that two of the moons orbit. */
export const SATURN = { type: 'f:planet', id: 'saturn', title: 'Saturn', attributes: {} }
/** The planet that the third moon orbits. */
export const JUPITER = { type: 'f:planet', id: 'jupiter', title: 'Jupiter', attributes: {} }
/** The largest moon, an icy one. */
export const TITAN = moon('titan', { radiusKm: 2574.7, kind: 'icy', orbits: refTo('saturn') })
/** A rocky moon, which orbits Jupiter. */
export const IO = moon('io', { radiusKm: 1821.6, kind: 'rocky', orbits: refTo('jupiter') })
/** The smallest moon, an icy one. */
export const MIMAS = moon('mimas', { radiusKm: 198.2, kind: 'icy', orbits: refTo('saturn') })

/** Returns a moon with the given id and attributes. Its title is derived from the id. */
export function moon(id: string, attributes: Record<string, unknown> = {}) {
  const title = id.replace(/^./, (letter) => letter.toUpperCase())
  return { type: 'f:moon', id, title, attributes: attributes as Record<string, never> }
}

/** Returns a reference to a planet. */
export function refTo(id: string) {
  return { type: 'f:planet', id }
}

/** Opens the world of moons. The argument overrides its defaults. `askable` returns the queryable property with a key. */
export async function openMoons({ document, answers, ...more }: FakeWorld = {}) {
  const fake = await openFake({
    asks: { 'f:moon': MOON_ASKS },
    document: {
      entityTypes: [
        { type: 'f:moon', title: 'Moon', schema: MOON_SCHEMA },
        { type: 'f:planet', title: 'Planet' },
      ],
      ...document,
    },
    answers: {
      'entities/f:planet/saturn': SATURN,
      'entities/f:planet/jupiter': JUPITER,
      ...answers,
    },
    ...more,
  })
  const askables = askablesOf(fake.open.profile, typeIn(fake.open.profile, 'f:moon'))
  const askable = (key: string): Askable => {
    const found = askables.find((one) => one.key === key)
    if (found === undefined) throw new Error(`no property ${key}`)
    return found
  }
  return { ...fake, askables, askable }
}
