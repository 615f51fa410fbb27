import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { connect } from '@worldwright/client'
import { serve } from './index.ts'

async function worldFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'moons.csv'), 'id,title\neuropa,Europa\nio,Io\n')
  await writeFile(
    join(folder, 'world.yaml'),
    'id: urn:example:sol\nname: Sol\nsources:\n  - file: moons.csv\n    type: sol:moon\n    id: id\n    title: title\n',
  )
  return folder
}

function surroundings(cwd: string) {
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() })
  return { cwd, env: {}, stderr }
}

test('serve() serves the world in a folder until it is closed', async (t) => {
  const folder = await worldFolder(t)
  const world = await serve(undefined, { port: 0, workers: 1 }, surroundings(folder))
  t.after(() => world.close())
  const read = await connect(world.url)
  assert.equal((await read.get('sol:moon', 'io')).title, 'Io')
  await world.close()
  await world.ended
  await assert.rejects(fetch(world.url))
})

test('serve() rejects if the world cannot be served', async (t) => {
  const folder = await worldFolder(t)
  await assert.rejects(serve('nowhere', {}, surroundings(folder)), { name: 'DefinitionFault' })
  const lost = serve(undefined, { port: 'no port' }, surroundings(folder))
  await assert.rejects(lost, { name: 'UsageFault', message: /--port .*; this is no port/ })
})
