import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { examine } from '../doctor/examine.ts'
import type { Seen } from '../doctor/probe.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

const TOKEN = ['--token', 's3cret']

/** Starts a server and returns its origin. */
async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Serves a world, an origin whose discovery document names the world's API, and an origin that redirects to the world. */
async function elsewhere(t: TestContext) {
  const tokens: (string | undefined)[] = []
  const document = () =>
    JSON.stringify({
      protocol: 'world/0.1',
      world: { id: 'urn:x:sol', name: 'Sol' },
      endpoints: { api: `${other}/w` },
      entityTypes: [{ type: 'sol:moon' }],
      authentication: { required: true, schemes: ['bearer'] },
      extensions: { 'worldwright:operator': { path: '/o' }, 'worldwright:changes': {} },
    })
  const other: string = await serve(t, ({ url = '', headers }, response) => {
    if (headers.authorization !== undefined) tokens.push(headers.authorization)
    response.setHeader('content-type', 'application/json')
    if (url.startsWith('/.well-known/')) return response.end(document())
    const isList = url.startsWith('/w/entities/')
    response.statusCode = isList ? 200 : 404
    return response.end(JSON.stringify({ entities: [{ type: 'sol:moon', id: 'io', attributes: {} }] }))
  })
  const naming = await serve(t, (_, response) => response.end(document()))
  const leading = await serve(t, ({ url }, response) =>
    response.writeHead(301, { location: `${other}${url}` }).end(),
  )
  return { other, naming, leading, tokens }
}

test('no command sends a token to a different origin, whether discovery or a redirect leads there', async (t) => {
  const { other, naming, leading, tokens } = await elsewhere(t)
  const cwd = await folderOf(t, { 'moons.csv': 'id,title\nio,Io\n' })
  for (const at of [naming, leading]) {
    const said = `The API is at ${other}, says ${at === naming ? naming : other}/.well-known/world.json`
    for (const argv of [
      ['show', at],
      ['list', at, 'sol:moon'],
      ['get', at, 'sol:moon', 'io'],
      ['discover', at],
      ['query', at],
      ['call', at, 'wp:discover'],
      ['watch', at],
      ['mirror', at, 'sol'],
      ['types', at],
      ['put', at, 'sol:moon', 'io', '--input', '{"attributes":{}}'],
      ['patch', at, 'sol:moon', 'io', '--input', '{}'],
      ['delete', at, 'sol:moon', 'io'],
      ['import', 'moons.csv', '--type', 'sol:moon', '--to', at],
      ['serve', '--follow', at, '--private', '--port', '0', '--store', 'sqlite:copy.db'],
    ]) {
      const { code, err } = await runWith([...argv, ...TOKEN], { cwd })
      assert.equal(code, 1, `${argv[0]}: ${err}`)
      assert.ok(err.includes(said), `${argv[0]}: ${err}`)
      assert.ok(err.includes(`--token-origin ${other}`), err)
    }
  }
  const checked = await runWith(['check', naming, ...TOKEN, '--only', 'D6-2*', '--json'])
  assert.match(checked.out, /--token-origin/)
  assert.deepEqual(tokens, [])
})

test('doctor sends no token to a different origin or over plain http', async () => {
  const asked: string[] = []
  const looking = (origin: string, api: string, tokenOrigins: string[]) =>
    examine(origin, { token: 's3cret', tokenOrigins }, async ({ url, headers = {} }) => {
      asked.push(url, ...Object.keys(headers))
      const body = Buffer.from(JSON.stringify({ protocol: 'world/0.1', endpoints: { api } }))
      return { status: 200, headers: {}, body } as Seen
    })
  const details = {
    api: 'https://evil.example',
    namedBy: 'https://sol.example',
    tokenOrigins: ['https://sol.example'],
  }
  await assert.rejects(looking('https://sol.example', 'https://evil.example/w', []), { details })
  const plain = 'http://sol.example'
  await assert.rejects(looking(plain, `${plain}/w`, [plain]), { code: 'insecure_endpoint' })
  const paths = ['https://sol.example', plain].map((origin) => `${origin}/.well-known/world.json`)
  assert.deepEqual(asked, paths)
})

test('a token is sent to an origin allowed by a flag or the environment', async (t) => {
  const { other, naming, tokens } = await elsewhere(t)
  const cwd = await folderOf(t, {})
  const flags = [...TOKEN, '--token-origin', 'https://api.example', '--token-origin', other]
  const { code, err } = await runWith(['list', naming, 'sol:moon', ...flags], { cwd })
  assert.equal(code, 0, err)
  assert.deepEqual(tokens.splice(0), ['Bearer s3cret'])
  await runWith(['mirror', naming, 'sol', ...TOKEN], {
    cwd,
    env: { WORLD_TOKEN_ORIGIN: `https://a.b,${other}` },
  })
  const replica = ['serve', '--follow', naming, '--private', '--port', '0', '--store', 'sqlite:copy.db']
  assert.ok(tokens.splice(0).length > 0)
  const served = await runWith([...replica, ...TOKEN, '--token-origin', other], { cwd })
  assert.doesNotMatch(served.err, /--token-origin/)
  await runWith(['check', naming, ...flags, '--only', 'D6-2*'])
  assert.ok(tokens.length > 0)
})
