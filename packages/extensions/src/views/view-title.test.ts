import assert from 'node:assert/strict'
import { test } from 'node:test'
import { viewFrom } from './view.ts'
import { type TitleWords, titleOfView } from './view-title.ts'

const KINDS = {
  radius: 'number',
  discoveryYear: 'number',
  found: 'instant',
  day: 'date',
  planet: 'reference',
  target: 'reference',
  isReal: 'boolean',
  kind: 'text',
} as const

const WORDS: TitleWords = {
  type: 'Moons',
  label: (key) => (key === 'discoveryYear' ? 'Discovery year' : key === 'radius' ? 'Radius in km' : key),
  kind: (key) => KINDS[key as keyof typeof KINDS],
  entity: (reference) => (reference === 'sol:planet/saturn' ? 'Saturn' : undefined),
}

const TITLES = {
  '': 'Moons',
  'sort=-radius': 'Moons, by radius in km, largest first',
  'sort=radius': 'Moons, by radius in km, smallest first',
  'sort=discoveryYear': 'Moons, by discovery year, oldest first',
  'sort=-found': 'Moons, by found, newest first',
  'sort=-kind': 'Moons, by kind, descending',
  'sort=kind': 'Moons, by kind',
  'near.place=48.86,2.35&sort=kind': 'Moons, nearest to 48.86,2.35 first',
  'is.planet=sol:planet/saturn': 'Moons of Saturn',
  'is.planet=sol:planet/x/y&sort=-radius': 'Moons of x/y, by radius in km, largest first',
  'is.planet=sol:planet/saturn&in.radius=100..': 'Moons of Saturn: radius in km at least 100',
  'is.target=sol:planet/saturn': 'Moons: target Saturn',
  'is.planet=sol:planet/saturn&is.planet=sol:planet/mars': 'Moons: planet Saturn or mars',
  'is.kind=a&is.kind=b&is.kind=c&is.kind=d': 'Moons: kind a or b or c or 1 more',
  'is.isReal=true': 'Moons: isReal yes',
  'in.radius=1..5': 'Moons: radius in km 1 to 5',
  'in.radius=1..<5': 'Moons: radius in km from 1 to below 5',
  'in.radius=..<5': 'Moons: radius in km below 5',
  'in.radius=..5': 'Moons: radius in km at most 5',
  'in.found=2020-01-01..': 'Moons: found from 2020-01-01',
  'in.day=..<2020-01-01': 'Moons: day before 2020-01-01',
  'no.radius=1': 'Moons: without radius in km',
  'at.place=1,2,3,4': 'Moons: place at latitudes 2 to 4 and longitudes 1 to 3',
  'text=ice&where=mass > 1': 'Moons: “ice”, mass > 1',
  'view=summary&by=10:discoveryYear&by=value:planet': 'Moons by discovery year in steps of 10 and planet',
  'view=summary&by=month:found&in.radius=1..': 'Moons: radius in km at least 1, by month of found',
  'view=table&by=kind': 'Moons',
} as const

for (const [query, title] of Object.entries(TITLES))
  test(`the title of the view ?${query} is written`, () => {
    assert.equal(titleOfView(viewFrom(new URLSearchParams(query)).view, WORDS), title)
  })

test('a title is one short line, in which nothing reorders text', () => {
  const title = titleOfView(
    viewFrom(new URLSearchParams({ text: '\u202eevil\n\u0007 text\u2066', 'is.kind': 'x'.repeat(500) })).view,
    WORDS,
  )
  assert.equal(title, `Moons: “evil text”, kind ${'x'.repeat(59)}…`)
  const many = Array.from({ length: 50 }, (_, at) => ['no.p', String(at)] as [string, string])
  assert.equal([...titleOfView(viewFrom(new URLSearchParams(many)).view, WORDS)].length, 200)
})

test('what cannot be read in a query is named, and nothing else is', () => {
  const read = (query: string) => viewFrom(new URLSearchParams(query)).unread
  assert.deepEqual(
    read('view=table&column=a&column=b&is.kind=a&in.x=..5&no.y=1&sort=a&before=5&cursor=c&x=1&of=a'),
    [],
  )
  assert.deepEqual(read('view=pie&sort=a&sort=b&in.x=5&at.p=1&near.p=x&iss.kind=a&is.=1&is.kind=&before=x'), [
    'sort',
    'in.x',
    'at.p',
    'near.p',
    'iss.kind',
    'is.',
    'is.kind',
    'view',
    'before',
  ])
})
