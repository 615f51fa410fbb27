import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue, type Waiting } from './fair-queue.ts'

interface Item extends Waiting {
  readonly name: string
}

function item(name: string, address: string, connection: number, cost: number): Item {
  return { name, client: { address, connection }, cost }
}

function names(items: readonly Item[]): string[] {
  return items.map(({ name }) => name)
}

function takenFrom(queue: FairQueue<Item>): string[] {
  const taken: string[] = []
  for (let next = queue.take(); next; next = queue.take()) taken.push(next.name)
  return taken
}

test('the items of one client are served in order of arrival', () => {
  const queue = new FairQueue<Item>(() => 1_000)
  for (const name of ['a', 'b', 'c']) assert.deepEqual(queue.add(item(name, '10.0.0.1', 1, 10)), [])
  assert.deepEqual(takenFrom(queue), ['a', 'b', 'c'])
})

test('an address with many connections gets no more turns than an address with one', () => {
  const queue = new FairQueue<Item>(() => 1_000)
  for (let connection = 0; connection < 20; connection++) queue.add(item('many', '10.0.0.1', connection, 10))
  queue.take()
  for (const name of ['first', 'second']) queue.add(item(name, '10.0.0.2', 1, 10))
  const order = takenFrom(queue)
  assert.equal(order[0], 'first')
  assert.ok(order.indexOf('second') <= 3, String(order))
})

test('an expensive item of one address is not starved by many cheap items of another', () => {
  const queue = new FairQueue<Item>(() => 10_000)
  for (let connection = 0; connection < 1_000; connection++)
    queue.add(item('many', '10.0.0.1', connection, 1))
  for (let count = 0; count < 100; count++) queue.take()
  queue.add(item('expensive', '10.0.0.2', 1, 10))
  const before = takenFrom(queue).indexOf('expensive')
  assert.ok(before <= 12, `${before} were served before`)
})

test('a short item is served before long items of other connections of its address', () => {
  const queue = new FairQueue<Item>(() => 1_000)
  for (let connection = 0; connection < 8; connection++) queue.add(item('long', '10.0.0.1', connection, 70))
  queue.take()
  queue.add(item('short', '10.0.0.1', 99, 1))
  assert.equal(queue.take()?.name, 'short')
})

test('a connection with many items gets no more turns than others of its address', () => {
  const queue = new FairQueue<Item>(() => 1_000)
  for (let count = 0; count < 5; count++) queue.add(item(`much ${count}`, '10.0.0.1', 1, 10))
  for (const connection of [2, 3]) queue.add(item(`little ${connection}`, '10.0.0.1', connection, 10))
  assert.deepEqual(takenFrom(queue).slice(0, 4), ['much 0', 'little 2', 'little 3', 'much 1'])
})

test('a waiting item is not starved by newly arriving connections', () => {
  const queue = new FairQueue<Item>(() => 1_000)
  for (let connection = 0; connection < 10; connection++) queue.add(item('x', '10.0.0.1', connection, 10))
  queue.take()
  queue.add(item('second', '10.0.0.1', 0, 10))
  const order: (string | undefined)[] = []
  for (let connection = 10; !order.includes('second') && order.length < 100; connection++) {
    queue.add(item('new', '10.0.0.1', connection, 10))
    order.push(queue.take()?.name)
  }
  assert.ok(order.length <= 25, `${order.length} were served before`)
})

test('an item that is refused or removed does not use a turn', () => {
  let most = 100
  const queue = new FairQueue<Item>(() => most)
  const first = item('first', '10.0.0.1', 1, 50)
  queue.add(first)
  queue.add(item('other', '10.0.0.1', 2, 50))
  assert.deepEqual(names(queue.add(item('refused', '10.0.0.1', 1, 50))), ['refused'])
  assert.equal(queue.remove(first), true)
  most = 1_000
  queue.add(item('later', '10.0.0.1', 2, 50))
  queue.add(item('again', '10.0.0.1', 1, 50))
  assert.deepEqual(takenFrom(queue), ['other', 'again', 'later'])
})

test('a full queue evicts items of the address with the most queued work', () => {
  const queue = new FairQueue<Item>(() => 100)
  assert.deepEqual(queue.add(item('a', '10.0.0.1', 1, 50)), [])
  assert.deepEqual(queue.add(item('b', '10.0.0.1', 2, 50)), [])
  // Of items with equal cost, the newest is evicted.
  assert.deepEqual(names(queue.add(item('c', '10.0.0.1', 3, 50))), ['c'])
  assert.deepEqual(names(queue.add(item('other', '10.0.0.2', 1, 5))), ['b'])
  assert.deepEqual(takenFrom(queue), ['other', 'a'])
})

test('a single item of any cost is queued, but never more than 10,000 items', () => {
  const queue = new FairQueue<Item>(() => 100)
  assert.deepEqual(queue.add(item('huge', '10.0.0.1', 1, 10_000)), [])
  queue.take()
  for (let count = 0; count < 10_000; count++)
    assert.deepEqual(queue.add(item('x', '10.0.0.1', count, 0)), [])
  assert.equal(queue.add(item('x', '10.0.0.1', 10_000, 0)).length, 1)
})

test('a client whose work took longer than estimated waits longer', () => {
  const queue = new FairQueue<Item>(() => 1_000)
  queue.add(item('a', '10.0.0.1', 1, 10))
  const first = queue.take()
  assert.ok(first)
  queue.correct(first, 500)
  queue.add(item('a', '10.0.0.1', 1, 10))
  for (let count = 0; count < 3; count++) queue.add(item('b', '10.0.0.2', 1, 10))
  assert.deepEqual(takenFrom(queue), ['b', 'b', 'b', 'a'])
})

test('an item that is put back is served first and does not use another turn', () => {
  const queue = new FairQueue<Item>(() => 1_000)
  queue.add(item('a', '10.0.0.1', 1, 10))
  queue.add(item('b', '10.0.0.1', 1, 10))
  const first = queue.take()
  assert.ok(first)
  queue.putBack([first])
  assert.deepEqual(takenFrom(queue), ['a', 'b'])
})

test('the queue still works after more addresses than it can track', () => {
  const queue = new FairQueue<Item>(() => 1_000)
  for (let count = 0; count < 25_000; count++) {
    queue.add(item('x', `10.0.${count >> 8}.${count & 255}`, 1, 10))
    assert.equal(queue.take()?.name, 'x')
  }
  assert.equal(queue.size, 0)
})
