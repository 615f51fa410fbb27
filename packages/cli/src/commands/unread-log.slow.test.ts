import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

const MAIN = join(import.meta.dirname, '../main.ts')

test('an unread log delays neither responses nor the shutdown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'serve-log-'))
  await writeFile(join(folder, 'world.yaml'), 'id: urn:x:sol\nsources: [moons.ndjson]\n')
  await writeFile(join(folder, 'moons.ndjson'), '{"type":"sol:moon","id":"io"}\n')
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  const flags = ['--port', `${port}`, '--workers', '1', '--log-format', 'json', '--no-watch']
  const child = spawn(
    process.execPath,
    ['--conditions=@worldwright/source', MAIN, 'serve', folder, ...flags],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  try {
    const url = `http://127.0.0.1:${port}/api/world/v0/entities/sol%3Amoon/io?${'x'.repeat(2_000)}`
    const status = () =>
      fetch(url, { headers: { 'user-agent': 'x'.repeat(500) } }).then((answer) => answer.status)
    while ((await status().catch(() => 0)) !== 200) await wait(50)
    // Log far more lines than a pipe buffers, while the search process starts.
    for (let round = 0; round < 60; round += 1)
      assert.deepEqual(new Set(await Promise.all(Array.from({ length: 20 }, status))), new Set([200]))
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  } finally {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  }
})
