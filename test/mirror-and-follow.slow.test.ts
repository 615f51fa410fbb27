import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { signingKeys } from '@worldwright/extensions/webhooks'
import { serve, serveIn, worldIn } from './command.ts'
import { ROOT } from './source-files.ts'

/** Origin of the upstream world in the guide. */
const GUIDE_ORIGIN = 'https://sol.example'
const MOONS = '/api/world/v0/entities/sol%3Amoon'

/** Returns every command of the guide in order, split into words. */
async function commandsOf(guide: string, origin: string): Promise<string[][]> {
  const text = await readFile(join(ROOT, 'docs/guides', guide), 'utf8')
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .map((line) => line.replaceAll(GUIDE_ORIGIN, origin).split(' '))
}

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'world-guide-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

/** Reads several paths in turn until stopped. `stop` returns the number of reads and the failures. */
function reading(origin: string) {
  const paths = ['/.well-known/world.json', MOONS, `${MOONS}/europa`, `${MOONS}?limit=3`]
  const failed: string[] = []
  let reads = 0
  let isOver = false
  const ended = (async () => {
    while (!isOver) {
      const path = paths[reads++ % paths.length] ?? ''
      try {
        const answer = await fetch(origin + path)
        if (answer.status !== 200) failed.push(`${path} ${answer.status}`)
        await answer.arrayBuffer()
      } catch (error) {
        failed.push(`${path} ${error}`)
      }
    }
  })()
  const until = async (count: number) => {
    while (reads < count) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const stop = async () => {
    isOver = true
    await ended
    return { reads, failed }
  }
  return { reads: () => reads, until, stop }
}

async function caughtUp(origin: string): Promise<void> {
  for (;;) {
    const { status, body } = await fetch(origin + MOONS)
    await body?.cancel()
    if (status === 200) return
    assert.equal(status, 503)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('every command in the guide runs, and a replica serves every read after its upstream is killed', async (t) => {
  const cwd = await folder(t)
  const upstream = await serve(
    t,
    'examples/solar-system',
    '--workers',
    '1',
    '--store',
    `sqlite:${join(cwd, 'upstream.db')}`,
  )
  const textAt = async (origin: string) => (await fetch(`${origin}${MOONS}/europa`)).text()
  const europa = await textAt(upstream.origin)
  const [mirror, lines, serveMirror, follow, secret, ...others] = await commandsOf(
    'mirror-and-follow.md',
    upstream.origin,
  )
  assert.deepEqual(others, [])
  const shown = ['-c', `${secret?.join(' ')}; printf %s "$SHOP_SECRET"`]
  assert.equal(signingKeys((await promisify(execFile)('sh', shown)).stdout)?.[0]?.length, 32)

  assert.deepEqual(mirror?.slice(0, 3), ['npx', 'worldwright', 'mirror'])
  const { code, stderr } = await worldIn(cwd, ...(mirror?.slice(2) ?? []))
  assert.equal(code, 0, stderr)
  const { stdout } = await promisify(execFile)('sh', ['-c', lines?.join(' ') ?? ''], { cwd })
  const total = JSON.parse(await readFile(join(cwd, 'sol/mirror.json'), 'utf8')).entities
  assert.match(stdout, new RegExp(`^ *${total} total$`, 'm'))

  assert.deepEqual(follow?.slice(2, 4), ['serve', '--follow'])
  const copy = () =>
    serveIn(cwd, t, ...(follow?.slice(3).join(' ').replace('--port 8081', '').trim().split(' ') ?? []))
  const first = await copy()
  await caughtUp(first.origin)
  assert.equal(await textAt(first.origin), europa)
  const readers = [reading(first.origin), reading(first.origin)]
  for (const { until } of readers) await until(50)
  upstream.child.kill('SIGKILL')
  await once(upstream.child, 'exit')
  await assert.rejects(fetch(upstream.origin))
  for (const { until, reads } of readers) await until(reads() + 200)
  for (const { stop } of readers) assert.deepEqual((await stop()).failed, [])
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  // A replica that is restarted while its upstream is down must still serve.
  const second = await copy()
  assert.equal(await textAt(second.origin), europa)

  assert.deepEqual(serveMirror, ['npx', 'worldwright', 'serve', 'sol'])
  const published = await serveIn(cwd, t, 'sol')
  const revisionIn = (text: string) => JSON.parse(text).revision
  assert.equal(revisionIn(await textAt(published.origin)), revisionIn(europa))
})
