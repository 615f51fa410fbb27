/** In which order connections are read where there is more to do than can be done. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { answerConnections } from './node-http.ts'

const OK = { status: 200, headers: { 'content-length': '2' }, body: 'ok' }
const MUCH = 64

/** Answers at once, and says that so many requests wait. */
async function crowded(t: TestContext, { waiting = 0 } = {}) {
  const state = { waiting, looked: 0, handled: [] as string[], round: 0, rounds: [] as number[] }
  const connections = answerConnections(
    {
      handle({ target }) {
        state.handled.push(target)
        state.rounds.push(state.round)
        return OK
      },
      waiting() {
        state.looked += 1
        return state.waiting
      },
    },
    { origin: 'http://sol' },
  )
  const server = createServer({ pauseOnConnect: true }, connections.take)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let going = true
  const counting = (async () => {
    for (; going; state.round++) await turn()
  })()
  t.after(async () => {
    going = false
    await counting
    server.close()
    await connections.close()
  })
  const open = async (localAddress = '127.0.0.1') => {
    const taken = once(server, 'connection')
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    t.after(() => socket.destroy())
    await Promise.all([taken, once(socket, 'connect')])
    return socket
  }
  return { state, open, close: () => connections.close({ drainMs: 10_000 }) }
}

function ask(socket: Socket, target: string): void {
  socket.write(`GET ${target} HTTP/1.1\r\nHost: sol\r\n\r\n`)
}

async function answered(socket: Socket, target: string): Promise<string> {
  const bytes = once(socket, 'data')
  ask(socket, target)
  return String((await bytes)[0]).slice(9, 12)
}

/** Far more rounds than any request needs that is read. */
async function afterAWhile(): Promise<void> {
  for (let round = 0; round < 200; round++) await turn()
}

test('where much waits, a connection that had its answer is read again when less does; a new one is at once', async (t) => {
  const { state, open } = await crowded(t, { waiting: MUCH })
  const greedy = await open()
  assert.equal(await answered(greedy, '/first'), '200')
  ask(greedy, '/second')
  await afterAWhile()
  assert.equal(await answered(await open(), '/other'), '200')
  assert.deepEqual(state.handled, ['/first', '/other'])
  const second = once(greedy, 'data')
  state.waiting = MUCH - 1
  await second
  assert.deepEqual(state.handled, ['/first', '/other', '/second'])
})

test('while there is no room, next to no time goes into looking for it', async (t) => {
  const { state, open } = await crowded(t, { waiting: MUCH })
  await answered(await open(), '/first')
  state.looked = 0
  await pause(100)
  assert.ok(state.looked > 0 && state.looked <= 200, `looked ${state.looked} times`)
})

test('addresses take turns, however many connections one of them has', async (t) => {
  const { state, open } = await crowded(t, { waiting: MUCH })
  const greedy: Socket[] = []
  while (greedy.length < 20) greedy.push(await open('127.0.0.2'))
  for (const socket of greedy) await answered(socket, '/much')
  const modest = await open('127.0.0.3')
  await answered(modest, '/first')
  state.handled.length = 0
  for (const socket of [...greedy, modest]) ask(socket, socket === modest ? '/modest' : '/much')
  // One place in a round: every other one is of the other address.
  state.waiting = MUCH - 1
  while (state.handled.length < 21) await turn()
  assert.ok(state.handled.indexOf('/modest') <= 2, state.handled.join())
})

test('of many that ask at once, one round of the event loop reads a part', async (t) => {
  const { state, open } = await crowded(t)
  const sockets: Socket[] = []
  while (sockets.length < 400) sockets.push(await open())
  for (const socket of sockets) ask(socket, '/')
  await Promise.all(sockets.map((socket) => once(socket, 'data')))
  const inRound = new Map<number, number>()
  for (const round of state.rounds) inRound.set(round, (inRound.get(round) ?? 0) + 1)
  assert.equal(state.handled.length, 400)
  assert.ok(Math.max(...inRound.values()) <= 128, [...inRound.values()].join())
})

test('no connection waits for more than five seconds to be read', async (t) => {
  const { open } = await crowded(t, { waiting: MUCH })
  const socket = await open()
  await answered(socket, '/first')
  const now = performance.now.bind(performance)
  const second = answered(socket, '/second')
  await afterAWhile()
  t.mock.method(performance, 'now', () => now() + 5_001)
  assert.equal(await second, '200')
})

test('what was asked and is not read yet is answered before a connection is closed', async (t) => {
  const { open, close } = await crowded(t, { waiting: MUCH })
  const socket = await open()
  await answered(socket, '/first')
  const second = answered(socket, '/second')
  await afterAWhile()
  const closed = close()
  assert.equal(await second, '200')
  await closed
})
