/** A small world of bridges, rivers, towns and engineers, for tests of questions. */
import { openFake } from '../fake-world.fixture.ts'

const ref = (...types: string[]) => ({ properties: { type: { enum: types }, id: {} } })

const BRIDGE = {
  'x-display': { rank: { longest: 'lengthM', newest: 'openedYear' } },
  properties: {
    lengthM: { type: 'number' },
    mainHeightM: { type: 'number' },
    spans: { type: 'integer', title: 'Number of spans' },
    averageLoad: { type: 'number' },
    openedYear: { type: 'integer' },
    inspectedOn: { type: 'string', format: 'date' },
    status: { type: 'string', enum: ['open', 'closed', 'in repair'] },
    kind: { type: 'string', enum: ['arch', 'suspension'] },
    tolled: { type: 'boolean' },
    crosses: ref('b:river', 'b:strait'),
    designers: { type: 'array', items: ref('b:engineer') },
    namedAfter: ref('b:engineer'),
    builders: { type: 'array', items: { type: 'string' }, description: 'Who erected it' },
    site: { type: 'object' },
  },
}

const asks = (...kinds: [string, string, ...string[]][]) =>
  kinds.map(([property, kind, ...refersTo]) => ({
    property,
    kinds: [kind],
    ...(refersTo.length > 0 && { refersTo }),
    ...(property === 'inspectedOn' && { format: 'date' }),
  }))

/** Queryable properties of each type of the world. */
const ASKS = {
  'b:bridge': asks(
    ...(['lengthM', 'mainHeightM', 'spans', 'averageLoad', 'openedYear'] as const).map(
      (name): [string, string] => [name, 'number'],
    ),
    ['inspectedOn', 'text'],
    ['status', 'text'],
    ['kind', 'text'],
    ['tolled', 'boolean'],
    ['crosses', 'reference', 'b:river', 'b:strait'],
    ['designers', 'reference', 'b:engineer'],
    ['namedAfter', 'reference', 'b:engineer'],
    ['builders', 'text'],
    ['site', 'place'],
  ),
  'b:river': asks(['lengthKm', 'number'], ['widthKm', 'number'], ['source', 'text']),
  'b:town': asks(['people', 'number'], ['site', 'place'], ['founded', 'instant']),
  'b:engineer': asks(['designed', 'reference', 'b:bridge'], ['birthYear', 'number']),
}

/** Types of the world, with their schemas. */
const TYPES = [
  { type: 'b:bridge', title: 'Bridge', schema: BRIDGE },
  {
    type: 'b:river',
    title: 'River',
    schema: {
      'x-display': { rank: { longest: 'lengthKm' } },
      properties: { lengthKm: { type: 'number' }, widthKm: { type: 'number' }, source: { type: 'string' } },
    },
  },
  { type: 'b:strait', title: 'Strait' },
  {
    type: 'b:town',
    title: 'Market town',
    schema: {
      properties: { people: { type: 'integer' }, site: {}, founded: { type: 'string', format: 'date-time' } },
    },
  },
  { type: 'b:engineer', title: 'Engineer', schema: { properties: { birthYear: { type: 'integer' } } } },
]

const town = (id: string, latitude?: number) => ({
  type: 'b:town',
  id,
  title: id.replace(/^./, (letter) => letter.toUpperCase()).replace(/\d$/, ''),
  attributes:
    latitude === undefined
      ? {}
      : { site: { type: 'Point', coordinates: [10, latitude] }, founded: '1850-01-01T00:00:00Z' },
})

/** Entities that questions name: one river has an alias, two towns share a title, and one town has no location. */
export const NAMED = [
  { type: 'b:river', id: 'elde', title: 'Elde', attributes: { aliases: ['Elda', 'Old Elde'], lengthKm: 90 } },
  { type: 'b:river', id: 'arch', title: 'Over Water', attributes: { lengthKm: 20 } },
  {
    type: 'b:bridge',
    id: 'pier',
    title: 'Old Pier',
    attributes: {
      builders: ['Lund & Sons'],
      designers: [{ type: 'b:engineer', id: 'noor' }],
      openedYear: 1900,
    },
  },
  { type: 'b:strait', id: 'elm', title: 'Elm', attributes: {} },
  { type: 'b:river', id: 'elm', title: 'Elm', attributes: {} },
  { type: 'b:engineer', id: 'noor', title: 'Noor Ibe', attributes: {} },
  town('marl', 50),
  town('newby1', 51),
  town('newby2', 52),
  town('hollow'),
]

/** Opens the world of bridges. Answers to actions can be given. */
export function openBridges(answers: Parameters<typeof openFake>[0] = {}) {
  return openFake({ asks: ASKS, groups: true, ...answers, document: { entityTypes: TYPES } })
}
