import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { agentOf, tokensOf } from './agents.ts'
import { serve } from './command.ts'

const folder = await mkdtemp(join(tmpdir(), 'agents-'))
after(() => rm(folder, { recursive: true }))
const lifetime = { after: (end: () => Promise<void>) => after(end) }
const { origin } = await serve(
  lifetime,
  'examples/solar-system',
  '--store',
  `sqlite:${join(folder, 'sol.db')}`,
)
const agent = await agentOf(lifetime, [origin])

test('the tools of the demo world cost at most 1,500 tokens, and its types stand in them', async () => {
  const { tools } = await agent.client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['describe_world', 'search', 'query', 'get_entity', 'related_entities', 'sol_light-time'],
  )
  assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true))
  assert.match(tools[0]?.description ?? '', /Types: sol:asteroid, .* sol:star\./)
  const tokens = tokensOf(JSON.stringify(tools))
  assert.ok(tokens <= 1_500, `${tokens} tokens`)
})

test('agents of both generations of the protocol are answered alike', async (t) => {
  const older = await agentOf(t, [origin], { mode: 'legacy' })
  const versions = [agent, older].map(({ client }) => client.getNegotiatedProtocolVersion())
  assert.deepEqual(versions, ['2026-07-28', '2025-11-25'])
  assert.deepEqual((await older.client.listTools()).tools, (await agent.client.listTools()).tools)
  const args = { type: 'sol:moon', id: 'europa' }
  assert.deepEqual(await older.call('get_entity', args), await agent.call('get_entity', args))
})

test('a card has kinds, meanings, counts, ranges and examples of a type', async () => {
  const { text } = await agent.call('describe_world', { type: 'sol:planet' })
  assert.match(text, /^sol:planet, 8 entities\./)
  assert.match(text, /\nkind string "Kind of planet" ×8 one of rocky, "gas giant", "ice giant"\n/)
  assert.match(text, /\nknownMoons integer "Moons known in the middle of 2025" ×8 0…274\n/)
  assert.match(text, /\norbits → sol:star "The star that it goes around" ×8 e\.g\. sol:star\/sun\n/)
})

test('conditions, orders, groups and references are answered by one call each', async () => {
  const heavy = await agent.call('search', { text: 'heaviest moon of saturn', limit: 1 })
  assert.match(
    heavy.text,
    /^3 found; moon read as sol:moon; heaviest read as -massEarths sol:moon\n<data [^\n]*\nsol:moon\/titan "Titan" "The only /,
  )
  const large = await agent.call('query', {
    types: ['sol:moon'],
    where: 'radiusKm > 2000',
    sort: ['-radiusKm'],
  })
  assert.match(large.text, /^3 found\. Columns: id \(sol:moon\)\|title\|radiusKm\|/)
  assert.match(
    large.text,
    /\nganymede\|"Ganymede"\|2634\.1\|\/attachments\/ganymede\.webp\|sol:planet\/jupiter\|/,
  )
  const groups = await agent.call('query', {
    types: ['sol:moon'],
    group: ['orbits'],
    measures: [{ op: 'max', property: 'radiusKm' }],
    groupSort: ['-max:radiusKm'],
  })
  assert.match(
    groups.text,
    /Columns: orbits\|count\|max:radiusKm\n<data [^\n]*\nsol:planet\/jupiter\|25\|2634\.1\n/,
  )
  const behind = await agent.call('query', {
    types: ['sol:moon'],
    fields: ['orbits.massKg'],
    where: "id = 'europa'",
  })
  assert.match(behind.text, /\neuropa\|"Europa"\|1\.898e\+27\n/)
  const uranus = { type: 'sol:planet', id: 'uranus' }
  const all = await agent.call('related_entities', uranus)
  assert.match(
    all.text,
    /^sol:planet\/uranus: 2 references of its own \(→\); 30 entities refer to it \(←\), sol:moon orbits 27, /,
  )
  assert.match(all.text, /\norbits → sol:star\/sun\n/)
  const regions = await agent.call('related_entities', {
    ...uranus,
    types: ['sol:region'],
    fields: ['discoveryYear'],
  })
  assert.match(regions.text, /\naround ← sol:region\/rings-of-uranus "Rings of Uranus" discoveryYear=\d+\n/)
})

test('answers keep within their budget, and the call that goes on does', async () => {
  for (const budget of [200, 500, 2_000, 6_000])
    for (const [name, args] of [
      ['search', { text: 'mission' }],
      ['query', { types: ['sol:person'], limit: 200 }],
      ['query', { types: ['sol:moon'], limit: 200 }],
      ['describe_world', {}],
      ['describe_world', { type: 'sol:planet' }],
      ['related_entities', { type: 'sol:planet', id: 'mars' }],
      ['get_entity', { type: 'sol:planet', id: 'mars' }],
    ] as const) {
      const { text } = await agent.call(name, { ...args, budget })
      assert.ok(tokensOf(text) <= budget, `${name}: ${tokensOf(text)} of ${budget} tokens\n${text}`)
    }
  const ids: string[] = []
  let args: Record<string, unknown> | undefined = {
    types: ['sol:mission'],
    limit: 50,
    fields: ['agency'],
    budget: 700,
  }
  while (args) {
    const { text }: { text: string } = await agent.call('query', args)
    const [, rows = ''] = /<data [^\n]*\n(.*)\n<\/data>/s.exec(text) ?? []
    ids.push(...rows.split('\n').map((row) => row.split('|')[0] ?? ''))
    const cursor = /More: the same call with "cursor":(".*")/.exec(text)?.[1]
    args = cursor === undefined ? undefined : { ...args, cursor: JSON.parse(cursor) }
  }
  assert.deepEqual([ids.length, new Set(ids).size], [124, 124])
})

test('a failure names a call that works', async () => {
  const cases = [
    [
      'get_entity',
      { type: 'sol:mon', id: 'europa' },
      /works: get_entity \{"type":"sol:moon","id":"europa"\}$/,
    ],
    ['search', { types: ['sol:mooon'] }, /works: search \{"types":\["sol:moon"\]\}$/],
    [
      'get_entity',
      { type: 'sol:moon', id: 'Europa Jupiter' },
      /Perhaps: get_entity \{"type":"sol:moon","id":"europa"\}$/,
    ],
    ['query', { types: ['sol:moon'], where: 'radius > 1' }, /\nNearest: radiusKm\b/],
    ['query', { types: ['sol:moon'], fields: ['radius'] }, /\nNearest: radiusKm\b/],
    ['query', { where: 'radiusKm >' }, /^where cannot be read after "radiusKm >"/],
    ['search', { txt: 'x' }, /^There is no argument txt\. search takes text, types, /],
    ['search', { types: 'sol:moon' }, /^types is to be a list\./],
    ['search', { budget: 3 }, /^budget is a number of tokens from 100 to 100000\./],
    ['serach', {}, /^There is no tool serach .* Tools: describe_world, search, query, /],
    ['get_entity', { type: 'sol:moon' }, /^id is missing\./],
    ['sol_light-time', { input: {} }, /^invalid_input: /],
  ] as const
  for (const [name, args, expected] of cases) {
    const { text, isError } = await agent.call(name, args)
    assert.equal(isError, true, name)
    assert.match(text, expected)
  }
})

test('an action is a tool', async () => {
  const input = { from: { type: 'sol:planet', id: 'earth' }, to: { type: 'sol:planet', id: 'mars' } }
  const { text } = await agent.call('sol_light-time', { input })
  assert.match(text, /\nminSeconds: 261\.3\nmaxSeconds: 1259\n/)
})
