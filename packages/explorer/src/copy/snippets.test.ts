import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { duckdbText, pythonText, snippetsFor } from './snippets.ts'

const API = 'https://sol.example/api/world/v0'
const SOL = { origin: 'https://sol.example', api: API, isPrivate: false }

test('reading an entity has four snippets', () => {
  const read = { kind: 'entity', type: 'sol:moon', id: 'europa' } as const
  const { curl, fetch, client, world } = snippetsFor(read, SOL)
  assert.equal(curl, `curl -H 'Accept: application/json' ${API}/entities/sol%3Amoon/europa`)
  assert.match(fetch, /await fetch\('https:\/\/sol\.example\/api\/world\/v0\/entities\/sol%3Amoon\/europa'/)
  assert.match(client, /world\.get\('sol:moon', 'europa'\)/)
  assert.equal(world, 'npx worldwright get https://sol.example sol:moon europa --json')
})

test('a search has four snippets', () => {
  const read = {
    kind: 'action',
    name: 'wp:discover',
    input: { text: "it's", types: ['a:b'], limit: 3 },
  } as const
  const { curl, client, world } = snippetsFor({ ...read, input: { ...read.input, types: ['a:b'] } }, SOL)
  assert.match(curl, /actions\/wp%3Adiscover/)
  assert.match(client, /world\.discover\(\{"text":"it's","types":\["a:b"\],"limit":3\}\)/)
  assert.equal(world, `npx worldwright discover https://sol.example 'it'\\''s' --type a:b --limit 3`)
})

test('the shell and JavaScript treat any id as a literal and never execute it', () => {
  const ids = ["'; touch /tmp/x; '", '$(touch x)', '`x`', '"\\', '\u202e\u2066', '$x', '-rf', "a'b\\'c"]
  for (const id of ids) {
    const { world, client } = snippetsFor({ kind: 'entity', type: 'a:b', id }, SOL)
    const script = world.replace('npx worldwright', 'printf %s\\\\n')
    const said = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n')
    assert.equal(said[3], id)
    const literal = /world\.get\('a:b', ('.*')\)/.exec(client)?.[1]
    assert.equal(new Function(`return ${literal}`)(), id)
    assert.doesNotMatch(client, /[\u202e\u2066]/)
  }
})

test('the command line for actions other than search uses `call`', () => {
  const { world } = snippetsFor({ kind: 'action', name: 'a:b', input: { n: 1 } }, SOL)
  assert.equal(world, `npx worldwright call https://sol.example a:b --input '{"n":1}'`)
})

test('snippets for a private world read the token from the environment', async () => {
  const read = { kind: 'entity', type: 'sol:moon', id: 'europa' } as const
  const { curl, fetch, client, world } = snippetsFor(read, { ...SOL, isPrivate: true })
  const env = { PATH: process.env['PATH'], WORLD_TOKEN: 'ww_secret' }
  const args = execFileSync('sh', ['-c', curl.replace('curl', 'printf "%s\\n"')], { encoding: 'utf8', env })
  assert.ok(args.split('\n').includes('Authorization: Bearer ww_secret'), args)
  assert.match(fetch, /Authorization: `Bearer \$\{process\.env\.WORLD_TOKEN\}`/)
  assert.match(client, /connect\('https:\/\/sol\.example', \{ token: process\.env\.WORLD_TOKEN \}\)/)
  assert.equal(world, 'npx worldwright get https://sol.example sol:moon europa --json --token "$WORLD_TOKEN"')
})

test('a query is written in Python, with any text as a literal and without the token', () => {
  const input = { text: `it's "\\ \u2028` }
  const text = pythonText('worldwright:query', input, { ...SOL, isPrivate: true })
  assert.match(text, /os\.environ\["WORLD_TOKEN"\]/)
  const [, body = ''] = /^body = (.*)$/m.exec(text) ?? []
  assert.doesNotMatch(body, /\u2028/)
  const out = execFileSync('python3', ['-c', `import sys\nsys.stdout.write(${body})`], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(out), { input })
})

test('DuckDB reads an address as one literal', () => {
  assert.equal(
    duckdbText("https://sol.example/x?a='b"),
    "SELECT * FROM read_csv('https://sol.example/x?a=''b');",
  )
})
