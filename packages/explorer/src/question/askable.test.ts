import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFake } from '../fake-world.fixture.ts'
import { typeIn } from '../world/world-profile.ts'
import { allAskablesOf, answersGroups, askablesOf } from './askable.ts'

const DOCUMENT = {
  entityTypes: [
    { type: 'f:moon', title: 'Moon', schema: { properties: { orbits: { title: 'Goes round' } } } },
    { type: 'f:planet', title: 'Planet', schema: { properties: { massKg: { type: 'number' } } } },
    { type: 'f:person', title: 'Person' },
  ],
}
const TYPES = {
  'f:moon': [
    { property: 'orbits', kinds: ['reference'], refersTo: ['f:planet', 'f:gone'] },
    { property: 'finders', kinds: ['text'], list: true, refersTo: ['f:person'] },
    { property: 'partner', kinds: ['reference'] },
  ],
  'f:planet': [
    { property: 'massKg', kinds: ['number'] },
    { property: ['a.b'], kinds: ['text'] },
    { property: 'site', kinds: ['place'] },
  ],
  'f:person': [{ property: 'born', kinds: ['text'], format: 'date' }],
}

/** Opens a world whose moons refer to planets and persons. */
async function opened(settings: object) {
  const extensions = { 'worldwright:query': { types: TYPES, ...settings } }
  const { open } = await openFake({ asks: TYPES, document: { ...DOCUMENT, extensions } })
  return { profile: open.profile, moon: typeIn(open.profile, 'f:moon') }
}

test('a world that groups can be asked for properties of referenced entities and for times of change', async () => {
  const { profile, moon } = await opened({
    limits: { groups: 1000 },
    properties: [
      { property: 'title', kinds: ['text'] },
      { property: 'createdAt', kinds: ['instant'] },
    ],
  })
  assert.equal(answersGroups(profile), true)
  const all = allAskablesOf(profile, moon)
  assert.deepEqual(
    all.map(({ key, kind, isDate, isBeside, field }) => [
      key,
      kind,
      isDate,
      isBeside === true,
      field.label,
      field.unit,
    ]),
    [
      ['orbits', 'reference', false, false, 'Goes round', undefined],
      ['finders', 'text', false, false, 'Finders', undefined],
      ['partner', 'reference', false, false, 'Partner', undefined],
      ['orbits.massKg', 'number', false, true, 'Goes round: Mass', 'kg'],
      ['["orbits","a.b"]', 'text', false, true, 'Goes round: A b', undefined],
      ['finders.born', 'text', true, true, 'Finders: Born', undefined],
      ['createdAt', 'instant', false, true, 'Created at', undefined],
    ],
  )
})

test('a world that does not group has only the properties of the type', async () => {
  const { profile, moon } = await opened({ limits: { facets: 16 } })
  assert.equal(answersGroups(profile), false)
  assert.deepEqual(allAskablesOf(profile, moon), askablesOf(profile, moon))
})
