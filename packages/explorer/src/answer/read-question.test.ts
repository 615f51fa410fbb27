import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFake } from '../fake-world.fixture.ts'
import { NAMED, openBridges } from './bridges.fixture.ts'
import { type Lookup, spelt } from './lookup.ts'
import { readQuestion } from './read-question.ts'

const { open } = await openBridges()
const VALUES = ['Lund & Sons', 'Ada Quill', 'Bo Quill', 'Ann English', 'Kinding']
let lookups = 0

const lookup: Lookup = {
  async entities(text, types) {
    lookups += 1
    return NAMED.filter(
      ({ type, title, attributes }) =>
        types.includes(type) &&
        [title, ...('aliases' in attributes ? (attributes.aliases ?? []) : [])].some(
          (name) => spelt(name) === spelt(text),
        ),
    ) as never
  },
  async values(text, _type, askables, byEnd) {
    const builders = askables.find(({ key }) => key === 'builders')
    const found = VALUES.filter((one) => spelt(one) === spelt(text))
    const ending = byEnd ? VALUES.filter((one) => spelt(one).endsWith(` ${spelt(text)}`)) : []
    return builders ? (found.length > 0 ? found : ending).map((value) => [builders, value] as const) : []
  },
}

/** Readings of German words by the world's search. */
const WHY = [
  { word: 'brucken', type: 'b:bridge' },
  { word: 'brucke', type: 'b:bridge' },
  { word: 'flusse', type: 'b:river' },
  { word: 'langste', type: 'b:river', order: '-lengthKm' },
]

/** Returns a reading on one line, or `-` if the question is not understood. */
async function read(text: string): Promise<string> {
  const understood = await readQuestion(text, open.profile, WHY, lookup)
  if (understood === undefined) return '-'
  const { type, asked, by, isCount, isFewest, fact } = understood
  const named = fact && [...fact.entities.map(({ id }) => id), ...fact.given.map(({ key }) => `?${key}`)]
  const filters = asked.filters.map((filter) =>
    filter.is === 'any'
      ? `${filter.key}=${filter.values}`
      : filter.is === 'range'
        ? `${filter.key}:${filter.from}..${filter.isBelow ? '<' : ''}${filter.to}`
        : filter.is,
  )
  const near = asked.near && `near ${asked.near.key} ${asked.near.place.latitude}`
  const sort = asked.sort && `sort ${asked.sort}`
  const group = by && `by ${by}${isFewest ? ' ↑' : ''}`
  return [type.type.slice(2), ...(named ?? filters), asked.cql, sort, near, group, isCount && 'count']
    .filter(Boolean)
    .join(' | ')
}

const UNDERSTOOD = {
  'longest bridge': 'bridge | sort -lengthM',
  'What is the shortest bridge?': 'bridge | sort lengthM',
  'längste Brücke': 'bridge | sort -lengthM',
  'longest bridge over Water': '-',
  'bridges over 100': '-',
  'bridge with the highest main height': 'bridge | sort -mainHeightM',
  'bridges with the most spans': 'bridge | sort -spans',
  'bridges with the fewest spans': 'bridge | sort spans',
  'most recent bridges': 'bridge | sort -openedYear',
  'oldest bridge of the Elde': 'bridge | crosses=b:river/elde | sort openedYear',
  'bridges of Old Elde': 'bridge | crosses=b:river/elde',
  'Elde bridges': 'bridge | crosses=b:river/elde',
  "Elde's bridges": 'bridge | crosses=b:river/elde',
  'bridges of the river Elm': 'bridge | crosses=b:river/elm',
  'how many bridges does the Elde have': 'bridge | crosses=b:river/elde | count',
  'wie viele Brücken hat die Elde': 'bridge | crosses=b:river/elde | count',
  'how many bridges are there': 'bridge | count',
  'closed bridges': 'bridge | status=closed',
  'bridges in repair opened after 1990': 'bridge | status=in repair | openedYear:1991..',
  'tolled bridges': 'bridge | tolled=true',
  'bridges with opened year over 1990': 'bridge | openedYear:1991..',
  'bridges with the most recent opened year': 'bridge | sort -openedYear',
  'suspension bridges by Noor Ibe': '-',
  'bridges by Lund & Sons': 'bridge | builders=Lund & Sons',
  'Lund & Sons bridges per decade': 'bridge | builders=Lund & Sons | by 10:openedYear',
  'bridges by English': 'bridge | builders=Ann English',
  'bridges named after Noor Ibe': 'bridge | namedAfter=b:engineer/noor',
  'bridges per status': 'bridge | by value:status',
  'Brücken nach Status': 'bridge | by value:status',
  'bridges by kind': 'bridge | by value:kind',
  'bridges by Kinding': 'bridge | builders=Kinding',
  'bridges by year': 'bridge | by value:openedYear',
  'Brücken pro Jahrzehnt': 'bridge | by 10:openedYear',
  'bridges after 1990': 'bridge | openedYear:1991..',
  'bridges before 1990': 'bridge | openedYear:..1989',
  'bridges since 1990': 'bridge | openedYear:1990..',
  'bridges in 1990': 'bridge | openedYear:1990..1990',
  'bridges from the 1990s': 'bridge | openedYear:1990..1999',
  'bridges from the 1900s': '-',
  'Brücken zwischen 1950 und 1960': 'bridge | openedYear:1950..1960',
  'bridges from 1950 to 1960': 'bridge | openedYear:1950..1960',
  'wie viele Brücken wurden im Jahr 1990 eröffnet': 'bridge | openedYear:1990..1990 | count',
  'bridges with inspected on before 2020': 'bridge | inspectedOn:..2019-12-31',
  'market towns with founded after 1800': 'town | founded:1801-01-01T00:00:00Z..',
  'market towns from 1800 to 1810': 'town | founded:1800-01-01T00:00:00Z..<1811-01-01T00:00:00Z',
  'bridges with length over 100 m': 'bridge | lengthM > 100',
  'bridges longer than 100 metres': 'bridge | lengthM > 100',
  'Brücken länger als 1,5 m': 'bridge | lengthM > 1.5',
  'Brücken mit Länge unter 100m': 'bridge | lengthM:..<100',
  'bridges with number of spans over 3': 'bridge | spans:4..',
  'bridges with number of spans at least 3': 'bridge | spans:3..',
  'bridges with length between 10 and 20 m': 'bridge | lengthM:10..20',
  'bridges near Marl': 'bridge | near site 50',
  longest: '-',
  'bridge with the longest length': 'bridge | sort -lengthM',
  'which bridge was opened last': 'bridge | sort -openedYear',
  'welche Brücke wurde zuletzt eröffnet': 'bridge | sort -openedYear',
  'which closed Lund & Sons bridges are still tolled in this collection':
    'bridge | status=closed | builders=Lund & Sons | tolled=true',
  'which Lund & Sons bridges are arch': 'bridge | builders=Lund & Sons | kind=arch',
  'bridges opened in 1950 or before': 'bridge | openedYear:..1950',
  'Brücken eröffnet in 1950 oder später': 'bridge | openedYear:1950..',
  'which status has the most bridges': 'bridge | by value:status',
  'in which decade were the most bridges opened': 'bridge | by 10:openedYear',
  'in welchem Jahr wurden die meisten Brücken eröffnet': 'bridge | by value:openedYear',
  'which builder put up the most bridges': '-',
  'which builders erected the most bridges': 'bridge | by value:builders',
  'which builders erected the fewest bridges': 'bridge | by value:builders ↑',
  'how long is Elde': 'river | elde | ?lengthKm',
  'how long is the river Elde?': 'river | elde | ?lengthKm',
  'Wie lang ist die Elde?': '-',
  'wie lang ist Elde': 'river | elde | ?lengthKm',
  'which river is longer, Elde or Over Water?': 'river | elde | arch | ?lengthKm',
  'when was Marl founded?': 'town | marl | ?founded',
  'wann wurde Marl gegründet': 'town | marl | ?founded',
  'who designed Old Pier': '-',
  'who erected Old Pier': 'bridge | pier | ?builders',
}

test('questions are read as conditions, orders, groups and counts of a list', async () => {
  for (const [text, expected] of Object.entries(UNDERSTOOD)) assert.equal(await read(text), expected, text)
})

const NOT_UNDERSTOOD = {
  'a misspelt word': ['longset bridge', 'bridges of Eldee'],
  negation: [
    'bridges without Elde',
    'Brücken ohne Maut',
    'bridges not opened in 1990',
    'closed or open bridges',
  ],
  'another unit': [
    'bridges longer than 100 km',
    'bridges longer than 100 miles',
    'market towns with people over 5 km',
  ],
  'a number that is a thousand or one': ['bridges longer than 1,000 m', 'Brücken länger als 1.000 m'],
  'a number without a property': ['bridges over 1000 m', 'bridges 1990', 'bridges under 20'],
  'an order that the type does not declare': ['heaviest bridge', 'best river', 'largest bridge'],
  'an average taken for a count': ['bridges with the most load'],
  'a word that is left over': [
    'second longest bridge',
    'bridges about love',
    'big bridges',
    'the bridges there',
  ],
  'an ambiguous name': ['bridges of Elm', 'bridges near Newby', 'bridges by Quill', 'bridges of Noor Ibe'],
  'a name without a location': ['bridges near Hollow', 'bridges close to Elde', 'near Marl'],
  'a surname without a word before it': ['English bridges'],
  'a property that only a verb names': ['engineers of Elde', 'bridges of Noor Ibe after 1990'],
  'two orders or two groups': [
    'longest bridges per year',
    'longest shortest bridge',
    'bridges per kind per status',
  ],
  'two conditions on one property': ['open closed bridges', 'bridges after 1950 before 1960'],
  'a question for an attribute of several, none or another': [
    'when was Newby founded',
    'when was Hollow founded',
    'when was Marl not founded',
    'when was Marl opened',
    'who erected Elde',
    'who wrote Old Pier',
    'who opened Old Pier',
    'what did Old Pier open',
    'how wide is Elde',
    'how long is Elm',
    'how long is the town Elde',
    'which town is longer, Elde or Over Water',
    'which river is longer, Elde or Elm',
  ],
  'most or fewest of what is not counted, or by a verb of something else': [
    'which status has the fewest bridges',
    'in which decade were the fewest bridges opened',
    'in which decade were the most bridges inspected',
    'which builders demolished the most bridges',
    'which length has the most bridges',
    'most bridges',
  ],
  'a time that no rule reads': [
    'bridges opened last year',
    'bridges opened last decade',
    'which bridge was inspected last',
    'bridges of the Elde or before 1950',
    'bridges by Noor Ibe or after 1950',
    'bridges opened in 1950 or before 1940',
  ],
  'no condition': ['all bridges', 'bridges', 'the bridge of the bridge'],
  'a text that is too long': [`longest bridge ${'of the '.repeat(30)}`, `${'of '.repeat(14)}longest bridge`],
}

for (const [name, questions] of Object.entries(NOT_UNDERSTOOD))
  test(`a question is not understood: ${name}`, async () => {
    for (const text of questions) assert.equal(await read(text), '-', text)
  })

test('a question looks up at most six names', async () => {
  lookups = 0
  assert.equal(await read('bridges x of x of x of x of x of x of x of'), '-')
  assert.ok(lookups <= 6, `${lookups}`)
})

test('types with the same title are not told apart', async () => {
  const same = ['a:thing', 'b:thing'].map((type) => ({ type, title: 'Thing' }))
  const fake = await openFake({
    asks: { 'a:thing': [{ property: 'size', kinds: ['number'] }] },
    document: { entityTypes: same },
  })
  assert.equal(await readQuestion('things with size over 1', fake.open.profile, [], lookup), undefined)
})

test('a world with thousands of types or attributes, or with odd titles, is answered quickly or not at all', async () => {
  const many = Array.from({ length: 3_000 }, (_, at) => `p${at}`)
  const entityTypes = many.map((name) => ({ type: `x:${name}`, title: `thing ${name}` }))
  const typed = await openFake({ asks: {}, document: { entityTypes } })
  const odd = ['', ' ', '__proto__', '((', '\u0000', 'a'.repeat(50_000), 'with', 'in']
  const properties = Object.fromEntries(
    [...many, ...odd].map((name) => [name, { title: name, ...(name === 'with' && { enum: many }) }]),
  )
  const wide = await openFake({
    asks: { 'x:a': [...many, ...odd].map((property) => ({ property, kinds: ['text'] })) },
    document: { entityTypes: [{ type: 'x:a', title: 'Thing', schema: { properties } }] },
  })
  const named = await openFake({
    asks: { 'x:a': odd.map((property) => ({ property, kinds: ['number'] })) },
    document: { entityTypes: [{ type: 'x:a', title: 'Thing', schema: { properties, 'x-display': 7 } }] },
  })
  const start = performance.now()
  for (const { open: world } of [typed, wide, named])
    for (const text of [
      'largest thing',
      'thing p7 over 7',
      'things with in over 1',
      'thing p1 p2 p3 p4 p5 p6',
    ])
      assert.equal(await readQuestion(text, world.profile, [{ word: 7 }, null], lookup), undefined, text)
  assert.ok(performance.now() - start < 5_000)
})
