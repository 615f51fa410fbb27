import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startCluster } from '../packages/postgres/src/cluster.fixture.ts'
import { NO_POSTGRES } from '../packages/postgres/src/server.fixture.ts'
import { type Served, serveIn, worldIn } from './command.ts'
import { freePort } from './free-port.ts'
import { ROOT } from './source-files.ts'

const PLANET = '/api/world/v0/entities/sol%3Aplanet/mars'
const NODE = /--host 10\.0\.0\.([1-3]) /

async function guide(): Promise<{ commands: string[]; balancer: string }> {
  const whole = await readFile(join(ROOT, 'docs/guides/scale-out.md'), 'utf8')
  // The rest of the guide is run by `seed.slow.test.ts`, and by `serve-search.slow.test.ts`, which needs a search cluster.
  const [nodes = ''] = whole.split('## Back up')
  const blocks = [...nodes.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language, block = '']) => ({
    language,
    block,
  }))
  const commands = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ block }) => block.trim().split('\n'))
  return { commands, balancer: blocks.find(({ language }) => language === 'haproxy')?.block ?? '' }
}

async function worldFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scale-out-'))
  t.after(() => rm(folder, { recursive: true }))
  await cp(join(ROOT, 'examples/solar-system'), folder, { recursive: true })
  return folder
}

/** Runs HAProxy until the test ends. Resolves once a node can be reached through HAProxy. */
async function balance(t: TestContext, configuration: string, origin: string): Promise<void> {
  const file = join(await worldFolder(t), 'haproxy.cfg')
  await writeFile(file, configuration)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const said = text(child.stderr)
  t.after(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  while ((await statusOf(origin + PLANET)) !== 200) {
    if (child.exitCode !== null) throw new Error(`haproxy ended: ${await said}`)
    await pause(20)
  }
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const answer = await fetch(url)
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return undefined
  }
}

/** Reads continuously, from any node, until stopped. Then returns all statuses other than 200. */
function reading(origin: string) {
  const failed: unknown[] = []
  let [reads, isOver] = [0, false]
  const ended = (async () => {
    for (; !isOver; reads++) {
      const status = await statusOf(origin + PLANET)
      if (status !== 200) failed.push(status)
    }
  })()
  return {
    count: () => reads,
    async stop() {
      isOver = true
      await ended
      return failed
    },
  }
}

test('the guide sets up three nodes behind a load balancer, and any one of the nodes may be killed', async (t) => {
  const cluster = await startCluster()
  if (cluster === undefined) return t.skip(NO_POSTGRES)
  t.after(() => cluster.end())
  const { commands, balancer } = await guide()
  const [port, admin, open] = [await freePort(), await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${open}`
  const here = (line: string) =>
    line
      .replace('postgres://world@db1.example,db2.example/sol', `${cluster.url}?schema=sol`)
      .replace('postgres://world@db.example/sol', `${cluster.primary.url}?schema=sol`)
      .replaceAll(/10\.0\.0\.([1-3])/g, '127.0.0.1$1')
      .replace(':8080', `:${port}`)
      .replace('9464', `${admin}`)
      .replace('https://sol.example', origin)
  const first = await worldFolder(t)
  const nodes: Served[] = []
  let token = ''
  await ended(await serveIn(first, t, '--store', 'sqlite:world.db'))
  for (const command of commands) {
    const words = here(command).split(' ').slice(2)
    const node = NODE.exec(command)
    if (node) {
      nodes.push(
        await serveIn(await worldFolder(t), t, ...words.slice(1), '--port', `${port}`, '--workers', '1'),
      )
    } else if (words[0] === 'serve') {
      const served = await serveIn(first, t, ...words.slice(1))
      assert.equal(await statusOf(served.origin + PLANET), 200, command)
      await ended(served)
    } else {
      // The guide can start from sources or from a database file.
      if (words[1]?.startsWith('sqlite:')) await empty(cluster.primary.url, first)
      const { code, stdout, stderr } = await worldIn(first, ...words)
      assert.equal(code, 0, `${command}\n${stderr}`)
      if (words[0] === 'token') token = stdout.trim()
    }
  }
  assert.equal(nodes.length, 3)
  const configuration = balancer
    .split('\n')
    .map(here)
    .join('\n')
    .replace('bind :80', `bind 127.0.0.1:${open}`)
  await balance(t, configuration, origin)

  const readers = reading(origin)
  const url = `${origin}/api/operator/v0/entities/sol%3Aplanet/mars`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const entity = (await (await fetch(origin + PLANET)).json()) as object
  const put = async (title: string) => {
    const body = JSON.stringify({
      ...entity,
      title,
      createdAt: undefined,
      updatedAt: undefined,
      revision: undefined,
    })
    const answer = await fetch(url, { method: 'PUT', headers, body }).catch(() => undefined)
    return answer?.status
  }
  assert.equal(await put('before'), 200)
  nodes[0]?.child.kill('SIGKILL')
  const until = readers.count() + 300
  while (readers.count() < until) await pause(5)
  while ((await put('after')) !== 200) await pause(20)
  assert.deepEqual(await readers.stop(), [])
})

async function ended({ child }: Served): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Deletes the store in the database at `url` and its local replicas in `folder`. */
async function empty(url: string, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('DROP SCHEMA sol CASCADE')
  await client.end()
  await rm(join(folder, 'world-cache'), { recursive: true })
}
