import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { folderOf, serving } from '../../../cli/src/serving.fixture.ts'

test('a damaged entity is reported by /ready and the log until it is overwritten', async (t) => {
  const moons = ['io', 'europa'].map((id) => JSON.stringify({ type: 'sol:moon', id, attributes: {} }))
  const cwd = await folderOf(t, {
    'world.yaml': 'sources: [moons.ndjson]\n',
    'moons.ndjson': moons.join('\n'),
  })
  const world = await serving(t, cwd, '--workers', '2', '--admin-port', '0')
  const [, admin = ''] = /Health: +(\S+)\/ready/.exec(world.greeting) ?? assert.fail(world.greeting)
  const ready = async () => {
    const { parts: _, ...rest } = (await (await fetch(`${admin}/ready`)).json()) as { parts: object }
    return rest
  }
  const change = (from: string, to: string) => {
    const db = new DatabaseSync(join(cwd, 'world.db'))
    db.prepare('UPDATE entities SET json = replace(json, ?, ?) WHERE id = ?').run(from, to, 'io')
    db.close()
  }
  change('"attributes"', '"attRibutes"')
  const io = `${world.url}/api/world/v0/entities/sol%3Amoon/io`
  for (let times = 0; times < 3; times++) assert.equal((await fetch(io)).status, 500)
  assert.deepEqual(await ready(), { ready: true, reasons: [], damaged: [{ type: 'sol:moon', id: 'io' }] })
  await world.until(/sol:moon io is damaged: .* Put it again, or restore a backup\./)
  change('"attRibutes"', '"attributes"')
  assert.deepEqual(await ready(), { ready: true, reasons: [] })
})
