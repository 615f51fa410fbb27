import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreFault } from '../../../core/src/store/contract.ts'
import { world } from './world-pages.fixture.ts'

const SCHEMA = {
  $defs: { mass: { title: 'Heaviness', type: 'number', 'x-unit': 'kg' } },
  properties: {
    mass: { $ref: '#/$defs/mass' },
    massEarths: { type: 'number' },
    hasRings: { type: 'boolean' },
    foundYear: { type: 'integer' },
    parts: { items: { properties: { mass: { $ref: '#/$defs/mass' } } } },
    mail: { format: 'email' },
  },
}

/** Writes the attributes of Saturn as they are stored: as JSON, so that large numbers keep their digits. */
const SATURN = `{
  "mass": 5.683e26, "massEarths": 95.16, "hasRings": true, "foundYear": 1610, "found": "1610-07-30",
  "count": 9007199254740993, "at": {"latitude": 18.65, "longitude": 226.20012}, "parts": [{"mass": 1200}],
  "tall": {"latitude": 1, "longitude": 2, "heightKm": 3}, "mail": "a@sol.example", "tiltDeg": -26.7, "none": [null, ""]
}`

async function saturn() {
  const types = [{ type: 'sol:planet', schema: SCHEMA }]
  const { parseExact } = await import('@worldwright/client/exact')
  const attributes = parseExact(SATURN) as Record<string, never>
  const { page } = await world([{ id: 'saturn', attributes }], {}, { types })
  return page
}

test('a page shows values as the explorer does, with the exact value as data', async () => {
  const text = await (await saturn())('/t/sol%3Aplanet/saturn')
  const facts = text.slice(text.indexOf('<dl>'), text.lastIndexOf('</dl>') + 5)
  const kg = '\u00a0kg'
  const shown = [
    ['Heaviness', `<data value="5.683e+26">5.683 × 10²⁶</data>${kg}`],
    ['Mass', '95.16\u00a0× Earth'],
    ['Has rings', '<data value="true">yes</data>'],
    ['Found year', '1610'],
    [
      'Parts',
      `<ul><li><dl><dt>Heaviness</dt><dd dir="auto"><data value="1200">1,200</data>${kg}</dd></dl></li></ul>`,
    ],
    ['Mail', '<a href="mailto:a@sol.example">a@sol.example</a>'],
    ['Found', '<time datetime="1610-07-30">30 July 1610</time>'],
    ['Count', '<data value="9007199254740993">9,007,199,254,740,993</data>'],
    [
      'At',
      '<data value="{&quot;latitude&quot;:18.65,&quot;longitude&quot;:226.20012}">18.65° N, 133.8° W</data>',
    ],
    // A member beside the coordinates is not lost.
    ['Tall', facts.match(/<dl><dt>Latitude<.*?Height<.dt><dd dir="auto">3\u00a0km<.dd><.dl>/)?.[0]],
    ['Tilt', '<data value="-26.7">\u221226.7</data>°'],
  ]
  assert.equal(
    facts,
    `<dl>${shown.map(([label, value]) => `<dt>${label}</dt><dd dir="auto">${value}</dd>`).join('')}</dl>`,
  )
})

test('Markdown for programs has the values of the JSON', async () => {
  const text = await (await saturn())('/t/sol%3Aplanet/saturn.md')
  for (const line of [
    '- Heaviness: 5.683e+26 kg',
    '- Has rings: true',
    '- Found: 1610-07-30',
    '- Count: 9007199254740993',
    '- At: \n  - Latitude: 18.65\n  - Longitude: 226.20012',
    '- Tilt: -26.7°',
  ])
    assert.ok(text.includes(`\n${line}\n`), `${line} is not in ${text}`)
})

test('at most 5,000 values are shown on a page, and the rest is counted', async () => {
  const inner = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`c${at}Km`, at]))
  const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`b${at}`, inner]))
  const { page } = await world([{ id: 'x', attributes }])
  const text = await page('/t/sol%3Aplanet/x')
  assert.equal(text.match(/<dd /g)?.length, 5_000)
  assert.match(text, /<dt>C39<.*?<p>and 20 more: see the JSON<.*?<p>and 60 more: see the JSON</s)
})

test('a label takes steps in proportion to its length', async () => {
  const { namedField } = await import('../shown/units.ts')
  const long = 'A'.repeat(200_000)
  assert.equal(namedField(`${long}b`, false).label, `${'A'.repeat(199_999)} ab`)
})

test('a reference to a missing entity is its id as text, and one to a damaged entity a link', async () => {
  const ref = (id: string) => ({ type: 'sol:star', id })
  const attributes = { in: [ref('sun'), ref('gone'), ref('broken')] }
  const types = [{ type: 'sol:planet', schema: { properties: { in: {} } } }, { type: 'sol:star' }]
  const entities = [
    { id: 'earth', attributes },
    { ...ref('sun'), title: 'Sun' },
  ]
  const { page, store } = await world(entities, {}, { types })
  const { get } = store
  store.get = (type, id, options) => {
    if (id === 'broken') throw new StoreFault('damaged', 'It is damaged.')
    return get.call(store, type, id, options)
  }
  const sun = '<a href="/t/sol%3Astar/sun">Sun</a>'
  const broken = '<a href="/t/sol%3Astar/broken">broken</a>'
  const text = await page('/t/sol%3Aplanet/earth')
  assert.ok(text.includes(`<ul><li>${sun}</li><li>gone</li><li>${broken}</li></ul>`), text)
  const markdown = await page('/t/sol%3Aplanet/earth.md')
  assert.match(markdown, /\[Sun\]\(.*\); gone; \[broken\]/)
  const row = await page('/v/sol%3Aplanet?column=in')
  assert.ok(row.includes(`<td dir="auto">${sun}, gone, ${broken}</td>`), row)
})
