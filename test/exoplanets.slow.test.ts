import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, WorldError } from '@worldwright/client'
import { runProgram, serve, world } from './command.ts'
import { realData } from './real-data.ts'
import { ROOT } from './source-files.ts'

test('real data can be imported, served, walked and searched by a Greek alias', async (t) => {
  const data = realData(t, 'entities/exoplanets.ndjson')
  if (data === undefined) return
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  const store = `sqlite:${join(folder, 'exoplanets.db')}`

  const imported = await world('import', data, '--store', store)
  assert.equal(imported.code, 0, imported.stderr)

  const { origin } = await serve(t, '--store', store)
  const walked = await runProgram(join(ROOT, 'test/programs/walk.ts'), [origin])
  assert.equal(walked.code, 0, walked.stderr)
  assert.deepEqual(JSON.parse(walked.stdout), {
    'oec:planet': { came: 5414, different: 5414 },
    'oec:star': { came: 4300, different: 4300 },
    'oec:system': { came: 4081, different: 4081 },
  })

  const exoplanets = await connect(origin)
  const found = await exoplanets.discover({ text: 'α Canis Majoris', types: ['oec:system'] })
  const best = found.entities[0]
  assert.ok(best !== undefined)
  assert.equal(best.title, 'Sirius')
  assert.deepEqual(best.attributes['aliases'], ['α Canis Majoris'])
  const read = await exoplanets.get('oec:system', best.id)
  assert.deepEqual(read, best)

  await assert.rejects(exoplanets.get('oec:planet', 'no such planet'), (error: unknown) => {
    assert.ok(error instanceof WorldError)
    assert.equal(error.status, 404)
    assert.equal(error.code, 'entity_not_found')
    assert.deepEqual(error.details, { type: 'oec:planet', id: 'no such planet' })
    assert.equal(error.url, `${origin}/api/world/v0/entities/oec%3Aplanet/no%20such%20planet`)
    return true
  })
})
