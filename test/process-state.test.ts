import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { mock, test } from 'node:test'
import { changedNames, processState } from './process-state.ts'

test('everything a test leaves changed or running is named', async () => {
  const found = processState()
  assert.deepEqual(changedNames(found, processState()), [])
  const folder = process.cwd()
  const handle = () => {}
  const server = createServer().listen(0)
  process.chdir('/')
  process.env['LEFT_BEHIND'] = 'x'
  process.on('SIGUSR2', handle)
  mock.timers.enable({ apis: ['setTimeout'] })
  mock.method(globalThis, 'fetch')
  const names = changedNames(found, processState())
  mock.restoreAll()
  mock.timers.reset()
  process.removeListener('SIGUSR2', handle)
  delete process.env['LEFT_BEHIND']
  process.chdir(folder)
  await new Promise((resolve) => server.close(resolve))
  // A server is released shortly after it is closed.
  for (let turn = 0; turn < 100 && changedNames(found, processState()).length > 0; turn += 1)
    await new Promise(setImmediate)
  for (const name of [
    'process.cwd()',
    'process.env.LEFT_BEHIND',
    'handlers of SIGUSR2',
    'globalThis.setTimeout',
    'globalThis.fetch',
    'running: TCPServerWrap',
  ])
    assert.ok(names.includes(name), `${name} is not among ${names}`)
  assert.deepEqual(changedNames(found, processState()), [])
})
